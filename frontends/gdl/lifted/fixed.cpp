// Static relations in the bodies of rules, as constant maps for tests and functions.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/support/coverage.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/lifted/walks.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

// Tests the known columns; a value must exist for the others.
NodeId Walks::fixed_test(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const BoundRows asked = statics.bound_rows(f, literal);
  if (asked.tuples.empty()) return {};
  const std::vector<Tuple>& left = statics.known_of(asked);
  if (static_cast<double>(left.size()) >= asked.cells) return from;
  if (left.size() == 1 && asked.keys.size() == 1)
    return test_equal(asked.keys[0], t_.constant(TermId(left[0][0])), from);
  if (asked.cells > kPlanCosts.large_table)
    if (const NodeId tested = function_test(asked, m_.name(literal.relation), left, from); tested != from)
      return tested;
  ExprId& table = tables_[{&asked.rows, asked.signature}];
  if (!table.valid()) table = t_.bool_table(m_.name(literal.relation), asked.sorts, left);
  return then(from, ir::Compare{lookup(table, asked.keys), t_.one(), false});
}

NodeId Walks::test_with_none(const BodyState& f, const EngineLiteral& literal, NodeId from) {
  const BoundRows asked = statics.bound_rows(f, literal);
  const std::vector<Tuple>& left = statics.known_of(asked);
  if (left.empty() || static_cast<double>(left.size()) >= asked.cells || asked.cells > kPlanCosts.large_table)
    return {};
  if (left.size() == 1 && asked.keys.size() == 1)
    return test_equal(asked.keys[0], t_.constant(TermId(left[0][0])), from);
  std::vector<bool> with_none;
  Signature signature = asked.signature;
  for (const Value& key : asked.keys) {
    with_none.push_back(key.maybe_none);
    signature.push_back(key.maybe_none ? 1 : 0);
  }
  ExprId& table = tables_with_none_[{&asked.rows, signature}];
  if (!table.valid()) table = t_.bool_table(m_.name(literal.relation), asked.sorts, left, with_none);
  return then(from, ir::Compare{lookup(table, asked.keys), t_.one(), false});
}

// If some columns determine the others, tests several small tables instead of a large one; returns `from` if there are
// none.
NodeId Walks::function_test(const BoundRows& asked, const std::string& name, const std::vector<Tuple>& tuples,
                            NodeId from) {
  const auto& [key, determined] = statics.split_of(tuples, asked.keys.size());
  std::vector<SortId> sorts;
  std::vector<Value> keys;
  for (const std::size_t i : key) {
    sorts.push_back(asked.sorts[i]);
    keys.push_back(asked.keys[i]);
  }
  Signature signature = asked.signature;
  signature.push_back(0);
  for (const std::size_t c : determined) {
    signature.back() = ~std::uint64_t{c};  // no valid column, so the signature differs from those of other tables
    std::vector<std::uint32_t> image;
    for (const Tuple& tuple : tuples) image.push_back(tuple[c]);
    ExprId& table = tables_[{&asked.rows, signature}];
    if (!table.valid()) {
      std::vector<std::pair<Tuple, std::uint32_t>> function;
      for (const Tuple& tuple : tuples) function.emplace_back(projected(tuple.data(), key), tuple[c]);
      sort_unique(function);
      table = t_.function_table(name + "_told", sorts, m_.sort(image), function, false);
    }
    from = test_equal({{}, lookup(table, keys), m_.sort(image), true}, asked.keys[c], from);
    if (!from.valid()) return from;
  }
  return from;
}

NodeId Walks::fixed(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const auto waits = [&](Pattern p) { return !f.known(p) && !f.singleton(p); };
  if (std::ranges::none_of(literal.arguments, waits)) return fixed_test(f, literal, from);
  const BoundRows asked = statics.bound_rows(f, literal);
  if (asked.tuples.empty()) return {};
  std::vector<std::size_t> results;
  for (std::size_t i = 0; i < asked.rows.columns.size(); ++i)
    if (waits(literal.arguments[asked.rows.columns[i]])) results.push_back(i);
  const bool total = static_cast<double>(statics.known_of(asked).size()) >= asked.cells;
  bool first = true;
  for (const std::size_t result : results) {
    std::vector<std::uint32_t> image;
    for (const Row tuple : asked.tuples) image.push_back(tuple[result]);
    const std::uint32_t variable = literal.arguments[asked.rows.columns[result]].number();
    SortId sort = m_.sort(image);
    // Prefers the sort of the variable if it is not much larger.
    const SortId whole = f.rule->sorts[variable];
    const bool one = m_.terms(sort).size() == 1 && total;
    if (!one && m_.subset(sort, whole) && 2 * m_.terms(sort).size() >= m_.terms(whole).size()) sort = whole;
    if (one) {
      from = bind(f, variable, t_.constant(TermId(image[0])), from);
    } else {
      Signature own = asked.signature;
      own.push_back(result);
      ExprId& table = tables_[{&asked.rows, own}];
      if (!table.valid()) {
        const std::string wish = fmt::format("{}_{}", m_.name(literal.relation),
                                             m_.program().symbols.str(f.rule->rule->source->variables[variable]));
        std::vector<std::pair<Tuple, std::uint32_t>> function;
        for (const Row tuple : asked.tuples) function.emplace_back(projected(tuple, asked.columns), tuple[result]);
        sort_unique(function);
        table = t_.function_table(wish, asked.sorts, sort, function, total);
      }
      from = bind(f, variable, {{}, lookup(table, asked.keys), sort, first && !total}, from);
    }
    if (!from.valid()) return from;
    first = false;
  }
  return from;
}

const Tables::List& Walks::list_of(const BodyState& f, std::uint32_t variable, const EngineLiteral& literal,
                                   const BoundRows& asked) {
  const auto [it, fresh] = lists_.try_emplace({&asked.rows, asked.signature});
  if (!fresh) return it->second;
  std::size_t result = 0;
  rgtrans::reached("lifted", "fixed: lists");
  while (literal.arguments[asked.rows.columns[result]] != Pattern::variable(variable)) ++result;
  std::map<Tuple, std::vector<std::uint32_t>> rows;
  for (const Row tuple : asked.tuples) rows[projected(tuple, asked.columns)].push_back(tuple[result]);
  return it->second = t_.list_table(m_.name(literal.relation), asked.sorts, f.rule->sorts[variable], rows);
}

}  // namespace rgtrans::gdl::lifted
