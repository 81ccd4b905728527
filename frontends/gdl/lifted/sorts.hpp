// Sets of terms with numbers. Variables and columns have a sort, the values that they can take.
#pragma once

#include <boost/functional/hash.hpp>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontends/gdl/syntax/terms.hpp"

namespace rgtrans::gdl::lifted {

// A sorted set of terms; equal sets have equal ids.
using SortId = Id<struct SortTag>;

class Sorts {
 public:
  SortId sort(std::vector<std::uint32_t> terms);
  SortId single(TermId term) { return sort({term.value}); }
  [[nodiscard]] const std::vector<std::uint32_t>& terms(SortId sort) const { return sorts_[sort.value]; }
  [[nodiscard]] bool contains(SortId sort, std::uint32_t term) const;
  [[nodiscard]] bool subset(SortId part, SortId whole) const;
  [[nodiscard]] bool disjoint(SortId a, SortId b) const;
  SortId intersect(SortId a, SortId b);
  SortId unite(SortId a, SortId b);
  SortId without(SortId sort, std::uint32_t term);

 private:
  std::deque<std::vector<std::uint32_t>> sorts_;  // a deque, so that references stay valid
  std::unordered_map<std::vector<std::uint32_t>, SortId, boost::hash<std::vector<std::uint32_t>>> sort_index_;
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  std::unordered_map<Pair, SortId, boost::hash<Pair>> both_;     // of two sorts
  std::unordered_map<Pair, SortId, boost::hash<Pair>> without_;  // of a sort and a term
};

}  // namespace rgtrans::gdl::lifted
