#include "frontends/linegames/limits.hpp"

#include <array>

namespace rgtrans::linegames::limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
}  // namespace

constinit Limit points("linegames-points", 5000, 5000, "points of a board");
constinit Limit values("linegames-values", 200'000, 10 * kMillion, "JSON values in a definition");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 2> kAll = {&points, &values};
  return kAll;
}

}  // namespace rgtrans::linegames::limits
