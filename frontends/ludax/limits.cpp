#include "frontends/ludax/limits.hpp"

#include <array>

namespace rgtrans::ludax::limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
}  // namespace

constinit Limit nesting("ludax-nesting", 1000, 1000, "parentheses within each other");
constinit Limit cells("ludax-cells", 2000, 5000, "cells of a board");
constinit Limit table("ludax-table", 200'000, 10 * kMillion, "numbers of a range, entries of a table for arithmetic");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 3> kAll = {&nesting, &cells, &table};
  return kAll;
}

}  // namespace rgtrans::ludax::limits
