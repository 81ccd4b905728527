// Counts the rewrites that a run applied and the rare paths that it took. Tests read the counts to check that their
// games cover every case. While counting is off, a call of reached() only compares a pointer with null.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rgtrans {

using CoverageCounts = std::map<std::string, std::uint64_t, std::less<>>;

// Sets where this thread counts from now on. Null, the initial value, turns counting off.
void count_coverage(CoverageCounts* counts);

namespace coverage {
extern thread_local constinit CoverageCounts* current;
void add(std::string_view stage, std::string_view what);
}  // namespace coverage

// Counts one occurrence of `what` in a stage, as in reached("lifted", "cells").
inline void reached(std::string_view stage, std::string_view what) {
  if (coverage::current != nullptr) coverage::add(stage, what);
}

}  // namespace rgtrans
