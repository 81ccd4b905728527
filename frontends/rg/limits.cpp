#include "frontends/rg/limits.hpp"

#include <array>

namespace rgtrans::rg::limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kAny = kAnyLimit;
}  // namespace

constinit Limit nesting("rg-nesting", 256, 1000, "types, values and expressions of RG within each other");
constinit Limit json_values("rg-json-values", 32 * kMillion, kAny, "values in the JSON form of RG");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 2> kAll = {&nesting, &json_values};
  return kAll;
}

}  // namespace rgtrans::rg::limits
