#include "frontends/hrg/limits.hpp"

#include <array>

namespace rgtrans::hrg::limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kAny = kAnyLimit;
}  // namespace

constinit Limit nesting("hrg-nesting", 200, 400, "blocks, parentheses, types and map literals within each other");
constinit Limit operators("hrg-operators", 1000, 1000, "operators in a row");
constinit Limit domain_elements("hrg-domain-elements", kMillion, 100 * kMillion, "elements of a domain");
constinit Limit table_cells("hrg-table-cells", 20 * kMillion, kAny, "values of a function or a map literal");
constinit Limit call_depth("hrg-call-depth", 1000, 1000, "calls within calls in constant expressions");
constinit Limit expression_depth("hrg-expression-depth", 5000, 5000, "constant expressions within each other");
constinit Limit evaluation_steps("hrg-evaluation-steps", 500 * kMillion, kAny, "steps to compute all constants");
constinit Limit edges("hrg-edges", 2 * kMillion, 500 * kMillion, "edges of the automaton");
constinit Limit statements("hrg-statements", 10 * kMillion, kAny, "statements after copying graphs into each other");
constinit Limit block_depth("hrg-block-depth", 2000, 2000, "blocks within each other, calls included");

std::span<Limit* const> all() {
  static constexpr std::array<Limit*, 10> kAll = {&nesting,    &operators,        &domain_elements,  &table_cells,
                                                  &call_depth, &expression_depth, &evaluation_steps, &edges,
                                                  &statements, &block_depth};
  return kAll;
}

}  // namespace rgtrans::hrg::limits
