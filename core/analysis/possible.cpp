#include "core/analysis/possible.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "core/support/sorted.hpp"

namespace rgtrans::analysis {

using ir::ValueId;

namespace {

bool contains(const std::vector<SymbolId>& sorted, SymbolId symbol) {
  return std::ranges::binary_search(sorted, symbol);
}

}  // namespace

SetId SymbolSets::intern(std::vector<SymbolId> sorted) {
  std::uint64_t hash = 7;
  for (SymbolId s : sorted) hash = (hash ^ s.value) * 0x9e3779b97f4a7c15ULL;
  hash = mix_hash(hash);
  const auto fresh = static_cast<SetId>(sets_.size());
  const SetId row = index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return sets_[r] == sorted; });
  if (row == fresh) sets_.push_back(std::move(sorted));
  return row;
}

SetId SymbolSets::unite(SetId a, SetId b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  // Fast path: one set is much smaller, and the large one often contains it.
  constexpr std::size_t kSmaller = 8;
  const bool first_is_small = sets_[a].size() < sets_[b].size();
  const SetId small = first_is_small ? a : b;
  const SetId large = first_is_small ? b : a;
  if ((single(small).valid() || sets_[small].size() * kSmaller < sets_[large].size()) &&
      std::ranges::all_of(sets_[small], [&](SymbolId s) { return contains(sets_[large], s); }))
    return large;
  if (a > b) std::swap(a, b);
  if (const SetId known = unions_.find(a, b); known != kNone) return known;
  std::vector<SymbolId> all;
  std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(all));
  const SetId result = intern(std::move(all));
  unions_.insert(a, b, result);
  return result;
}

SetId SymbolSets::unite_all(std::vector<SetId> parts) {
  sort_unique(parts);
  std::vector<SymbolId> all;
  for (const SetId part : parts) all.insert(all.end(), sets_[part].begin(), sets_[part].end());
  sort_unique(all);
  return intern(std::move(all));
}

SetId SymbolSets::intersect(SetId a, SetId b) {
  if (a == b || a == kEmpty) return a;
  if (b == kEmpty) return b;
  if (single(b).valid()) std::swap(a, b);
  if (const SymbolId only = single(a); only.valid()) return contains(sets_[b], only) ? a : kEmpty;
  std::vector<SymbolId> both;
  std::ranges::set_intersection(sets_[a], sets_[b], std::back_inserter(both));
  return intern(std::move(both));
}

SetId SymbolSets::without(SetId set, SymbolId symbol) {
  // Keep huge sets as they are: removing one member from each would create many huge sets. A superset is still correct.
  constexpr std::size_t kMost = 1000;
  if (sets_[set].size() > kMost || !contains(sets_[set], symbol)) return set;
  std::vector<SymbolId> rest = sets_[set];
  std::erase(rest, symbol);
  return intern(std::move(rest));
}

bool SymbolSets::disjoint(SetId a, SetId b) const {
  const auto& x = sets_[a];
  const auto& y = sets_[b];
  if (x.size() == 1) return !contains(y, x[0]);
  if (y.size() == 1) return !contains(x, y[0]);
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x[i] == y[j]) return false;
    if (x[i] < y[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return true;
}

SetId Possible::leaves(ValueId value) {
  if (game_.values.is_symbol(value)) return sets_.one(game_.values.as_symbol(value));
  if (const auto it = leaves_.find(value); it != leaves_.end()) return it->second;
  // Inner maps are shared: visit each once and build the set at the end.
  std::unordered_set<ValueId> seen{value};
  std::vector<ValueId> work{value};
  std::vector<SymbolId> symbols;
  auto add = [&](ValueId below) {
    if (game_.values.is_symbol(below)) {
      symbols.push_back(game_.values.as_symbol(below));
    } else if (seen.insert(below).second) {
      work.push_back(below);
    }
  };
  while (!work.empty()) {
    const ValueId map = work.back();
    work.pop_back();
    add(game_.values.default_of(map));
    for (const auto& entry : game_.values.exceptions(map)) add(entry.value);
  }
  sort_unique(symbols);
  return leaves_.emplace(value, sets_.intern(std::move(symbols))).first->second;
}

SetId Possible::leaves(const std::vector<ValueId>& values) {
  std::vector<SetId> sets;
  for (const ValueId value : values) sets.push_back(leaves(value));
  return sets_.unite_all(std::move(sets));
}

SetId Possible::members(ir::TypeId type) {
  const ir::TypeId leaf = game_.value_type(type);
  if (!leaf.valid()) return SymbolSets::kEmpty;
  if (const auto it = members_.find(leaf); it != members_.end()) return it->second;
  const auto span = game_.members(leaf);
  std::vector<SymbolId> sorted(span.begin(), span.end());
  std::ranges::sort(sorted);
  return members_.emplace(leaf, sets_.intern(std::move(sorted))).first->second;
}

Truth Possible::holds(const ir::Compare& compare, ir::NodeId node) {
  if (!game_.is_set(game_.expressions().type(compare.lhs))) return Truth::unknown;
  const SetId a = values(compare.lhs, node);
  const SetId b = values(compare.rhs, node);
  if (sets_.disjoint(a, b)) return truth_of(compare.negated);
  return a == b && sets_.single(a).valid() ? truth_of(!compare.negated) : Truth::unknown;
}

}  // namespace rgtrans::analysis
