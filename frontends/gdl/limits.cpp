#include "frontends/gdl/limits.hpp"

#include <array>
#include <ctime>

#include "core/support/effort.hpp"

namespace rgtrans::gdl::limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kAny = kAnyLimit;
}  // namespace

constinit Limit nesting("gdl-nesting", 200, 400, "terms and sentences within each other");
constinit Limit alternatives("gdl-alternatives", 10'000, kMillion, "alternatives of one formula");
constinit Limit rules("gdl-rules", 100 * kMillion, kAny, "ground rules");
constinit Limit memory("gdl-memory", 12 * 1024ULL, UINT32_MAX, "MiB of memory for grounding");
constinit Limit term_depth("gdl-term-depth", 50, 200, "terms within each other that rules may build");
constinit Limit edges("gdl-edges", 40 * kMillion, 500 * kMillion, "edges of the automaton");
constinit Limit effort("gdl-effort", 100, 100'000, "percent of the usual work on proofs and on better forms");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 7> kAll = {&nesting,    &alternatives, &rules, &memory,
                                                 &term_depth, &edges,        &effort};
  return kAll;
}

}  // namespace rgtrans::gdl::limits

std::uint64_t rgtrans::gdl::scaled_effort(std::uint64_t amount) { return Effort({}, amount, limits::effort).left(); }

double rgtrans::gdl::thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
