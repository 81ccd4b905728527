#include "frontends/ludii/limits.hpp"

#include <array>

namespace rgtrans::ludii::limits {

constinit Limit nesting("ludii-nesting", 500, 1000, "brackets within each other");
constinit Limit expansions("ludii-expansions", 20'000, 100'000, "uses of defines");
constinit Limit characters("ludii-characters", 1'000'000, 10'000'000, "characters after the expansion of defines");
constinit Limit sites("ludii-sites", 4000, 20'000, "vertices of a board");
constinit Limit define_files("ludii-define-files", 2000, 20'000, "files below a folder of defines");
constinit Limit instances("ludii-instances", 200'000, 10'000'000, "translated uses of ludemes");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 6> kAll = {&nesting, &expansions, &characters, &sites, &define_files, &instances};
  return kAll;
}

}  // namespace rgtrans::ludii::limits
