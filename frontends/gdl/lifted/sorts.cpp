#include "frontends/gdl/lifted/sorts.hpp"

#include <algorithm>
#include <iterator>

#include "core/support/sorted.hpp"

namespace rgtrans::gdl::lifted {

SortId Sorts::sort(std::vector<std::uint32_t> list) {
  sort_unique(list);
  const auto [it, fresh] = sort_index_.try_emplace(list, SortId(sorts_.size()));
  if (fresh) sorts_.push_back(std::move(list));
  return it->second;
}

bool Sorts::contains(SortId s, std::uint32_t term) const { return std::ranges::binary_search(terms(s), term); }
bool Sorts::subset(SortId part, SortId whole) const {
  return part == whole || std::ranges::includes(terms(whole), terms(part));
}
bool Sorts::disjoint(SortId a, SortId b) const {
  return std::ranges::none_of(terms(a), [&](std::uint32_t t) { return contains(b, t); });
}
SortId Sorts::intersect(SortId a, SortId b) {
  if (a == b) return a;
  const auto [it, fresh] = both_.try_emplace({a.value, b.value});
  if (!fresh) return it->second;
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(terms(a), terms(b), std::back_inserter(both));
  return it->second = sort(std::move(both));
}
SortId Sorts::unite(SortId a, SortId b) {
  std::vector<std::uint32_t> both;
  std::ranges::set_union(terms(a), terms(b), std::back_inserter(both));
  return sort(std::move(both));
}
SortId Sorts::without(SortId s, std::uint32_t term) {
  const auto [it, fresh] = without_.try_emplace({s.value, term});
  if (!fresh) return it->second;
  std::vector<std::uint32_t> left = terms(s);
  std::erase(left, term);
  return it->second = sort(std::move(left));
}

}  // namespace rgtrans::gdl::lifted
