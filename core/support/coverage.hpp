// Counts of what a run came by: each rewrite that was applied, each rare way through a stage. Tests ask for them, to
// know that their games reach everything. Where nobody counts, a place costs one look at a pointer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rgtrans {

using CoverageCounts = std::map<std::string, std::uint64_t, std::less<>>;

// Where this thread counts from now on; null for nowhere, as at first.
void count_coverage(CoverageCounts* counts);

namespace coverage {
extern thread_local constinit CoverageCounts* current;
void add(std::string_view stage, std::string_view what);
}  // namespace coverage

// `what` of a stage happened, as in reached("lifted", "cells").
inline void reached(std::string_view stage, std::string_view what) {
  if (coverage::current != nullptr) coverage::add(stage, what);
}

}  // namespace rgtrans
