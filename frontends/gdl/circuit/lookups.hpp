// New values as lookups: a function of the value of one variable, or one such function under each of a few conditions.
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

  // The conditions under which a variable gets each of its values, but for the last value, which it has when none of
  // them holds; no two hold together. The first lookup whose condition holds applies, without one the value stays.
  // Nothing where there would be too many lookups for what they replace.
  std::optional<Lookups> find(std::uint32_t variable, const std::vector<Wire>& next);
  // The same for a variable that nothing depends on yet, with as many lookups as it takes; the last one always applies.
  std::optional<Lookups> find_all(std::uint32_t variable, const std::vector<Wire>& next);

 private:
  std::optional<Lookups> among(std::uint32_t variable, std::size_t values, const Alternatives& all, std::size_t most);
  std::optional<Lookups> by_value(std::uint32_t variable, std::size_t values, const Alternatives& all,
                                  std::size_t most);
  [[nodiscard]] std::optional<Lookups> single(std::uint32_t variable, const std::vector<Wire>& next) const;

  Circuit& circuit_;
  Effort alternatives_{"new values as lookups", kCircuitLimits.looked_up, limits::effort};  // looked at
  std::uint64_t keep_ = 0;  // of that, for other variables
};

}  // namespace rgtrans::gdl
