// Sorted lists without repetitions.
#pragma once

#include <algorithm>
#include <functional>

namespace rgtrans {

// Sorts the list and leaves one of what is equal.
template <class List, class Less = std::ranges::less>
void sort_unique(List& list, Less less = {}) {
  std::ranges::sort(list, less);
  const auto rest = std::ranges::unique(list);
  list.erase(rest.begin(), rest.end());
}

}  // namespace rgtrans
