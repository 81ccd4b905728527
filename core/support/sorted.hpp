// Sorted lists without duplicates.
#pragma once

#include <algorithm>

namespace rgtrans {

// Sorts the list and removes duplicates.
template <class List, class Less = std::ranges::less>
void sort_unique(List& list, Less less = {}) {
  std::ranges::sort(list, less);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace rgtrans
