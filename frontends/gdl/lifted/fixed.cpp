// Static relations in the bodies of rules: tests and functions, as constant maps.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frontends/gdl/lifted/walks.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

namespace {

constexpr double kLargeTable = 5'000;  // cells

}  // namespace

const Walks::Rows& Walks::rows_of(const LiftedRule& rule, const EngineLiteral& literal) {
  std::vector<std::uint64_t> signature;
  for (std::size_t c = 0; c < literal.arguments.size(); ++c) {
    const Pattern p = literal.arguments[c];
    if (p.is_ground()) {
      signature.push_back((std::uint64_t{1} << 32U) + p.term().value);
      continue;
    }
    std::size_t same = 0;
    while (literal.arguments[same] != p) ++same;
    signature.push_back(same);
    signature.push_back(rule.sorts[p.number()].value);
  }
  const auto [it, fresh] = rows_.try_emplace({literal.relation, signature});
  Rows& rows = it->second;
  if (!fresh) return rows;
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    const Pattern p = literal.arguments[c];
    if (p.is_variable() && std::ranges::find(literal.arguments, p) - literal.arguments.begin() == c)
      rows.columns.push_back(c);
  }
  const Relation& tuples = *m_.info(literal.relation).tuples;
  for (std::uint32_t r = 0; r < tuples.size(); ++r) {
    const std::uint32_t* const row = tuples.row(r);
    bool fits = true;
    for (std::uint32_t c = 0; fits && c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      fits = p.is_ground() ? p.term().value == row[c] : m_.contains(rule.sorts[p.number()], row[c]);
      for (std::uint32_t d = 0; fits && d < c; ++d) fits = literal.arguments[d] != p || row[d] == row[c];
    }
    if (!fits) continue;
    std::vector<std::uint32_t> tuple;
    for (const std::uint32_t c : rows.columns) tuple.push_back(row[c]);
    rows.tuples.insert(std::move(tuple));
  }
  return rows;
}

// Tests what is known against the relation; for what is not, some value has to exist.
NodeId Walks::fixed_test(Frame& f, const EngineLiteral& literal, NodeId from) {
  const Rows& rows = rows_of(*f.rule, literal);
  std::vector<SortId> sorts;
  std::vector<Value> keys;
  std::vector<std::uint64_t> signature;
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const Pattern p = literal.arguments[rows.columns[i]];
    const auto v = value(f, p);
    signature.push_back(!v ? 0 : v->constant ? 2 + std::uint64_t{v->constant->value} : 1);
    if (!v || v->constant) continue;
    columns.push_back(i);
    sorts.push_back(f.rule->sorts[p.number()]);
    keys.push_back(*v);
  }
  std::set<std::vector<std::uint32_t>> left;
  bool any = false;
  for (const auto& tuple : rows.tuples) {
    bool fits = true;
    for (std::size_t i = 0; fits && i < tuple.size(); ++i) fits = signature[i] < 2 || signature[i] - 2 == tuple[i];
    if (!fits) continue;
    any = true;
    std::vector<std::uint32_t> key;
    for (const std::size_t i : columns) key.push_back(tuple[i]);
    left.insert(std::move(key));
  }
  if (!any) return {};
  double cells = 1;
  for (const SortId s : sorts) cells *= static_cast<double>(m_.terms(s).size());
  if (static_cast<double>(left.size()) >= cells) return from;
  if (left.size() == 1 && keys.size() == 1)
    return then(from, ir::Compare{keys[0].expression, game_.symbol(t_.symbol((*left.begin())[0])), false});
  if (cells > kLargeTable)
    if (const NodeId tested = function_test(rows, signature, literal, sorts, keys, left, from); tested != from)
      return tested;
  ExprId& table = tables_[{&rows, signature}];
  if (!table.valid()) table = t_.bool_table(m_.name(literal.relation), sorts, left);
  ExprId cell = table;
  for (const Value& key : keys) cell = game_.access(cell, key.expression);
  return then(from, ir::Compare{cell, t_.one(), false});
}

// Where some columns are told by the others, a few small tables instead of a large one; `from` where none are.
NodeId Walks::function_test(const Rows& rows, std::vector<std::uint64_t> signature, const EngineLiteral& literal,
                            const std::vector<SortId>& sorts, const std::vector<Value>& keys,
                            const std::set<std::vector<std::uint32_t>>& tuples, NodeId from) {
  std::vector<std::size_t> telling(keys.size());
  std::iota(telling.begin(), telling.end(), std::size_t{0});
  const auto projected = [&](const std::vector<std::uint32_t>& tuple) {
    std::vector<std::uint32_t> key;
    for (const std::size_t i : telling) key.push_back(tuple[i]);
    return key;
  };
  std::vector<std::size_t> told;
  for (std::size_t c = keys.size(); c-- > 0;) {
    const std::vector<std::size_t> before = telling;
    std::erase(telling, c);
    std::set<std::vector<std::uint32_t>> different;
    for (const auto& tuple : tuples) different.insert(projected(tuple));
    if (different.size() == tuples.size()) {
      told.push_back(c);
    } else {
      telling = before;
    }
  }
  std::vector<SortId> from_sorts;
  for (const std::size_t i : telling) from_sorts.push_back(sorts[i]);
  signature.push_back(0);
  for (const std::size_t c : told) {
    signature.back() = ~std::uint64_t{c};  // no column, so that these tables are no others'
    ExprId& table = tables_[{&rows, signature}];
    if (!table.valid()) {
      std::map<std::vector<std::uint32_t>, std::uint32_t> function;
      std::vector<std::uint32_t> image;
      for (const auto& tuple : tuples) {
        function[projected(tuple)] = tuple[c];
        image.push_back(tuple[c]);
      }
      table = t_.function_table(m_.name(literal.relation) + "_told", from_sorts, m_.sort(image), function, false);
    }
    ExprId cell = table;
    for (const std::size_t i : telling) cell = game_.access(cell, keys[i].expression);
    from = then(from, ir::Compare{cell, keys[c].expression, false});
  }
  return from;
}

NodeId Walks::fixed(Frame& f, const EngineLiteral& literal, NodeId from) {
  const auto waits = [&](Pattern p) { return !known(f, p) && !lonely(f, p); };
  if (std::ranges::none_of(literal.arguments, waits)) return fixed_test(f, literal, from);
  const Rows& rows = rows_of(*f.rule, literal);
  std::vector<SortId> sorts;
  std::vector<Value> keys;
  std::vector<std::uint64_t> signature;
  std::vector<std::size_t> columns, results;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const Pattern p = literal.arguments[rows.columns[i]];
    const auto v = value(f, p);
    signature.push_back(!v ? 0 : v->constant ? 2 + std::uint64_t{v->constant->value} : 1);
    if (!v && waits(p)) results.push_back(i);
    if (!v || v->constant) continue;
    columns.push_back(i);
    sorts.push_back(f.rule->sorts[p.number()]);
    keys.push_back(*v);
  }
  double cells = 1;
  for (const SortId s : sorts) cells *= static_cast<double>(m_.terms(s).size());
  bool first = true;
  for (const std::size_t result : results) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> function;
    std::vector<std::uint32_t> image;
    for (const auto& tuple : rows.tuples) {
      bool fits = true;
      for (std::size_t i = 0; fits && i < tuple.size(); ++i) fits = signature[i] < 2 || signature[i] - 2 == tuple[i];
      if (!fits) continue;
      std::vector<std::uint32_t> key;
      for (const std::size_t i : columns) key.push_back(tuple[i]);
      function[key] = tuple[result];
      image.push_back(tuple[result]);
    }
    if (function.empty()) return {};
    const std::uint32_t variable = literal.arguments[rows.columns[result]].number();
    const SortId sort = m_.sort(image);
    if (m_.terms(sort).size() == 1 && static_cast<double>(function.size()) >= cells) {
      from = bind(f, variable, t_.constant(TermId(image[0])), from);
    } else {
      const bool total = static_cast<double>(function.size()) >= cells;
      std::vector<std::uint64_t> own = signature;
      own.push_back(result);
      ExprId& table = tables_[{&rows, own}];
      if (!table.valid()) {
        const std::string wish = fmt::format("{}_{}", m_.name(literal.relation),
                                             m_.program().symbols.str(f.rule->rule->source->variables[variable]));
        table = t_.function_table(wish, sorts, sort, function, total);
      }
      ExprId cell = table;
      for (const Value& key : keys) cell = game_.access(cell, key.expression);
      from = bind(f, variable, {{}, cell, sort, first && !total}, from);
    }
    if (!from.valid()) return from;
    first = false;
  }
  return from;
}

}  // namespace rgtrans::gdl::lifted
