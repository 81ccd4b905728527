// New values as lookups: a function of one variable, or one such function under each of a few conditions.
//
//   (<= (next (count ?y)) (true (count ?x)) (succ ?x ?y))      count = succ[count]
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/gdl/circuit/alternatives.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

class LookupFinder {
 public:
  explicit LookupFinder(Circuit& circuit);

  // `next` has a condition for each value but the last, which the variable gets if no condition holds; no two of them
  // hold at once. The first lookup whose condition holds applies; without one the value stays. Null if the lookups
  // would save too little.
  std::optional<Lookups> find(std::uint32_t variable, const std::vector<Wire>& next);
  // For a variable that nothing reads yet. The number of lookups is limited by kCircuitLimits only, and the last one
  // always applies.
  std::optional<Lookups> find_all(std::uint32_t variable, const std::vector<Wire>& next);

 private:
  std::optional<Lookups> among(std::uint32_t variable, std::size_t values, const Alternatives& all, std::size_t most);
  std::optional<Lookups> by_value(std::uint32_t variable, std::size_t values, const Alternatives& all,
                                  std::size_t most);
  [[nodiscard]] std::optional<Lookups> single(std::uint32_t variable, const std::vector<Wire>& next) const;

  Circuit& circuit_;
  Effort alternatives_{"new values as lookups", kCircuitLimits.looked_up, limits::effort};  // visited alternatives
  std::uint64_t keep_ = 0;  // effort reserved for other variables
};

}  // namespace rgtrans::gdl
