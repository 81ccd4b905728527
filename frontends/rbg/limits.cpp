#include "frontends/rbg/limits.hpp"

#include <array>

namespace rgtrans::rbg::limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kAny = kAnyLimit;
}  // namespace

constinit Limit nesting("rbg-nesting", 300, 300, "brackets within each other");
constinit Limit actions("rbg-actions", kMillion, 100 * kMillion, "actions of the rules after expansion");
constinit Limit board_edges("rbg-board-edges", 48 * kMillion, 1000 * kMillion, "labels times cells of a board");
constinit Limit tokens("rbg-tokens", 24 * kMillion, 1000 * kMillion, "tokens of a section after expansion");
constinit Limit expansion_steps("rbg-expansion-steps", 40 * kMillion, kAny, "tokens looked at in all expansions");
constinit Limit macro_calls("rbg-macro-calls", 4 * kMillion, 1000 * kMillion, "macro calls in all expansions");
constinit Limit macro_depth("rbg-macro-depth", 1000, 1000, "macros and arguments within each other");
constinit Limit integer("rbg-integer", kMillion, 100 * kMillion, "the bound of a variable, or a result");
constinit Limit table("rbg-table", 4 * kMillion, 1000 * kMillion, "entries of a table for arithmetic");
constinit Limit effort("rbg-effort", 100, 100'000, "percent of the usual work on proofs and on better forms");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 10> kAll = {&nesting,     &actions,     &board_edges, &tokens, &expansion_steps,
                                                  &macro_calls, &macro_depth, &integer,     &table,  &effort};
  return kAll;
}

}  // namespace rgtrans::rbg::limits
