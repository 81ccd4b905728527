// Sorted lists without repetitions.
#pragma once

#include <algorithm>

namespace rgtrans {

// Sorts the list and leaves one of what is equal.
template <class List, class Less = std::ranges::less>
void sort_unique(List& list, Less less = {}) {
  std::ranges::sort(list, less);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace rgtrans
