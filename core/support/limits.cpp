#include "core/support/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "core/support/diagnostics.hpp"

namespace rgtrans {

bool Limit::set(std::uint64_t value) {
  if (value == 0 || value > most_) return false;
  value_.store(value, std::memory_order_relaxed);
  return true;
}

std::string Limit::advice() const {
  if (value() >= most_) return fmt::format("the limit {} cannot be raised", name_);
  return fmt::format("--limit {}=N allows more, up to {}", name_, most_);
}

namespace limits {

namespace {
constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kAny = UINT64_MAX / 16;  // room for products with small factors
}  // namespace

constinit Limit input_bytes("input-bytes", 1U << 30U, UINT32_MAX, "bytes of a file that is read");

constinit Limit rg_nesting("rg-nesting", 256, 1000, "types, values and expressions of RG within each other");
constinit Limit rg_json_values("rg-json-values", 32 * kMillion, kAny, "values in the JSON form of RG");
constinit Limit rg_text_symbols("rg-text-symbols", 100 * kMillion, kAny, "symbols in the values of a printed RG text");
constinit Limit json_text_symbols("json-text-symbols", 20 * kMillion, kAny, "the same of a printed JSON text");

constinit Limit hrg_nesting("hrg-nesting", 200, 400, "blocks, parentheses, types and map literals within each other");
constinit Limit hrg_operators("hrg-operators", 1000, 1000, "operators in a row");
constinit Limit hrg_domain_elements("hrg-domain-elements", kMillion, 100 * kMillion, "elements of a domain");
constinit Limit hrg_table_cells("hrg-table-cells", 20 * kMillion, kAny, "values of a function or a map literal");
constinit Limit hrg_call_depth("hrg-call-depth", 1000, 1000, "calls within calls in constant expressions");
constinit Limit hrg_expression_depth("hrg-expression-depth", 5000, 5000, "constant expressions within each other");
constinit Limit hrg_evaluation_steps("hrg-evaluation-steps", 500 * kMillion, kAny, "steps to compute all constants");
constinit Limit hrg_edges("hrg-edges", 2 * kMillion, 500 * kMillion, "edges of the automaton");
constinit Limit hrg_statements("hrg-statements", 10 * kMillion, kAny,
                               "statements after copying graphs into each other");
constinit Limit hrg_block_depth("hrg-block-depth", 2000, 2000, "blocks within each other, calls included");

constinit Limit rbg_nesting("rbg-nesting", 300, 300, "brackets within each other");
constinit Limit rbg_actions("rbg-actions", kMillion, 100 * kMillion, "actions of the rules after expansion");
constinit Limit rbg_board_edges("rbg-board-edges", 48 * kMillion, 1000 * kMillion, "labels times cells of a board");
constinit Limit rbg_tokens("rbg-tokens", 24 * kMillion, 1000 * kMillion, "tokens of a section after expansion");
constinit Limit rbg_expansion_steps("rbg-expansion-steps", 40 * kMillion, kAny, "tokens looked at in all expansions");
constinit Limit rbg_macro_calls("rbg-macro-calls", 4 * kMillion, 1000 * kMillion, "macro calls in all expansions");
constinit Limit rbg_macro_depth("rbg-macro-depth", 1000, 1000, "macros and arguments within each other");
constinit Limit rbg_integer("rbg-integer", kMillion, 100 * kMillion, "the bound of a variable, or a result");
constinit Limit rbg_table("rbg-table", 4 * kMillion, 1000 * kMillion, "entries of a table for arithmetic");

constinit Limit gdl_nesting("gdl-nesting", 200, 400, "terms and sentences within each other");
constinit Limit gdl_alternatives("gdl-alternatives", 10'000, kMillion, "alternatives of one formula");
constinit Limit gdl_rules("gdl-rules", 100 * kMillion, kAny, "ground rules");
constinit Limit gdl_memory("gdl-memory", 12 * 1024ULL, UINT32_MAX, "MiB of memory for grounding");
constinit Limit gdl_term_depth("gdl-term-depth", 50, 200, "terms within each other that rules may build");
constinit Limit gdl_edges("gdl-edges", 40 * kMillion, 500 * kMillion, "edges of the automaton");

constinit Limit linegames_points("linegames-points", 5000, 5000, "points of a board");
constinit Limit linegames_values("linegames-values", 200'000, 10 * kMillion, "JSON values in a definition");

constinit Limit ludax_nesting("ludax-nesting", 1000, 1000, "parentheses within each other");
constinit Limit ludax_cells("ludax-cells", 2000, 5000, "cells of a board");
constinit Limit ludax_table("ludax-table", 200'000, 10 * kMillion,
                            "numbers of a range, entries of a table for arithmetic");

constinit Limit cpp_cells("cpp-cells", 1U << 24U, 1U << 30U, "cells of a state or a table of a compiled reasoner");
constinit Limit cpp_code("cpp-code", 16 * kMillion, kAny, "characters of code; larger reasoners are made of tables");

std::span<Limit* const> all() {
  static constexpr std::array kAll = {&input_bytes,      &rg_nesting,           &rg_json_values,
                                      &rg_text_symbols,  &json_text_symbols,    &hrg_nesting,
                                      &hrg_operators,    &hrg_domain_elements,  &hrg_table_cells,
                                      &hrg_call_depth,   &hrg_expression_depth, &hrg_evaluation_steps,
                                      &hrg_edges,        &hrg_statements,       &hrg_block_depth,
                                      &rbg_nesting,      &rbg_actions,          &rbg_board_edges,
                                      &rbg_tokens,       &rbg_expansion_steps,  &rbg_macro_calls,
                                      &rbg_macro_depth,  &rbg_integer,          &rbg_table,
                                      &gdl_nesting,      &gdl_alternatives,     &gdl_rules,
                                      &gdl_memory,       &gdl_term_depth,       &gdl_edges,
                                      &linegames_points, &linegames_values,     &ludax_nesting,
                                      &ludax_cells,      &ludax_table,          &cpp_cells,
                                      &cpp_code};
  return kAll;
}

Limit* find(std::string_view name) {
  const auto it = std::ranges::find(all(), name, [](const Limit* limit) { return limit->name(); });
  return it == all().end() ? nullptr : *it;
}

void set(std::string_view assignment) {
  const std::size_t equals = std::min(assignment.find('='), assignment.size());
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view text = assignment.substr(std::min(equals + 1, assignment.size()));
  Limit* const limit = find(name);
  if (limit == nullptr) {
    std::vector<std::string_view> names;
    for (const Limit* known : all()) names.push_back(known->name());
    const std::string near = did_you_mean(name, names);
    throw Error(fmt::format("there is no limit {}", name), near.empty() ? "rgtrans limits lists them" : near);
  }
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !limit->set(value)) {
    throw Error(fmt::format("the limit {} cannot be '{}'", name, text),
                fmt::format("a number from 1 to {}; by default it is {}", limit->most(), limit->standard()));
  }
}

}  // namespace limits

}  // namespace rgtrans
