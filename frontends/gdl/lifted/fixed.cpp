// Static relations in the bodies of rules, as constant maps for tests and functions.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/support/coverage.hpp"
#include "core/support/sorted.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/lifted/walks.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

namespace {

constexpr double kLargeTable = 5'000;     // cells
constexpr double kMaxListedShare = 0.25;  // of the possible values of a variable

}  // namespace

std::vector<std::uint32_t> Walks::companions(const LiftedRule& rule, const EngineLiteral& literal) const {
  std::vector<std::uint32_t> result;
  const auto& body = rule.rule->body;
  const auto same = [&](const EngineLiteral& other) {
    return other.relation == literal.relation && !other.negated && other.arguments == literal.arguments;
  };
  if (literal.negated || std::ranges::none_of(body, same)) return result;
  const auto mentions = [&](Pattern p) {
    return p.is_ground() || std::ranges::find(literal.arguments, p) != literal.arguments.end();
  };
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    const LiteralKind kind = m_.kind(body[i]);
    if ((kind == LiteralKind::fixed || kind == LiteralKind::distinct) && !body[i].negated && !same(body[i]) &&
        std::ranges::all_of(body[i].arguments, mentions))
      result.push_back(i);
  }
  return result;
}

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
  const auto column = [&](Pattern p) { return std::ranges::find(literal.arguments, p) - literal.arguments.begin(); };
  const std::vector<std::uint32_t> others = companions(rule, literal);
  for (const std::uint32_t i : others) {
    signature.push_back((std::uint64_t{1} << 33U) + rule.rule->body[i].relation.value);
    for (const Pattern p : rule.rule->body[i].arguments)
      signature.push_back(p.is_ground() ? (std::uint64_t{1} << 32U) + p.term().value
                                        : static_cast<std::uint64_t>(column(p)));
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
  std::vector<bool> any(literal.arguments.size());  // the sort contains all values of the column
  for (std::uint32_t c = 0; c < any.size(); ++c) {
    const Pattern p = literal.arguments[c];
    any[c] = p.is_variable() && m_.subset(m_.column(literal.relation, c), rule.sorts[p.number()]);
  }
  for (std::uint32_t r = 0; r < tuples.size(); ++r) {
    const std::uint32_t* const row = tuples.row(r);
    bool fits = true;
    for (std::uint32_t c = 0; fits && c < literal.arguments.size(); ++c) {
      const Pattern p = literal.arguments[c];
      fits = any[c] || (p.is_ground() ? p.term().value == row[c] : m_.contains(rule.sorts[p.number()], row[c]));
      for (std::uint32_t d = 0; fits && d < c; ++d) fits = literal.arguments[d] != p || row[d] == row[c];
    }
    for (std::size_t i = 0; fits && i < others.size(); ++i) {
      const EngineLiteral& other = rule.rule->body[others[i]];
      Tuple values;
      for (const Pattern p : other.arguments) values.push_back(p.is_ground() ? p.term().value : row[column(p)]);
      fits = m_.kind(other) == LiteralKind::distinct ? values[0] != values[1]
                                                     : m_.info(other.relation).tuples->find(values.data()) != kNone;
    }
    if (!fits) continue;
    // rows.columns omits constants and repeated variables.
    for (const std::uint32_t c : rows.columns) rows.values.push_back(row[c]);
    ++rows.count;
  }
  return rows;
}

Walks::Signature Walks::signature(const BodyState& f, const EngineLiteral& literal, const Rows& rows) {
  Signature found;
  for (const std::uint32_t c : rows.columns) {
    const auto& v = f.values[literal.arguments[c].number()];
    found.push_back(!v ? kOpen : v->constant ? kConstant + v->constant->value : kKnown);
  }
  return found;
}

std::vector<Walks::Row> Walks::fitting(const Rows& rows, const Signature& signature) {
  std::vector<std::pair<std::size_t, std::uint32_t>> constants;
  for (std::size_t c = 0; c < signature.size(); ++c)
    if (signature[c] >= kConstant) constants.emplace_back(c, static_cast<std::uint32_t>(signature[c] - kConstant));
  std::vector<Row> found;
  for (std::size_t r = 0; r < rows.count; ++r) {
    const Row row = rows.values.data() + r * rows.columns.size();
    if (std::ranges::all_of(constants, [&](const auto& c) { return row[c.first] == c.second; })) found.push_back(row);
  }
  return found;
}

const std::vector<Walks::Tuple>& Walks::known_of(const BoundRows& asked) {
  const auto [it, fresh] = known_of_.try_emplace({&asked.rows, asked.signature});
  if (fresh) {
    for (const Row tuple : asked.tuples) it->second.push_back(projected(tuple, asked.columns));
    sort_unique(it->second);
  }
  return it->second;
}

Walks::BoundRows Walks::bound_rows(const BodyState& f, const EngineLiteral& literal) {
  const Rows& rows = rows_of(*f.rule, literal);
  Signature known = signature(f, literal, rows);
  std::vector<Row> tuples = fitting(rows, known);
  BoundRows asked{rows, std::move(known), std::move(tuples)};
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    if (asked.signature[i] != kKnown) continue;
    const std::uint32_t variable = literal.arguments[rows.columns[i]].number();
    asked.columns.push_back(i);
    asked.sorts.push_back(f.rule->sorts[variable]);
    asked.keys.push_back(*f.values[variable]);
    asked.cells *= static_cast<double>(m_.terms(asked.sorts.back()).size());
  }
  return asked;
}

// Tests the known columns; a value must exist for the others.
NodeId Walks::fixed_test(BodyState& f, const EngineLiteral& literal, NodeId from) {
  const BoundRows asked = bound_rows(f, literal);
  if (asked.tuples.empty()) return {};
  const std::vector<Tuple>& left = known_of(asked);
  if (static_cast<double>(left.size()) >= asked.cells) return from;
  if (left.size() == 1 && asked.keys.size() == 1)
    return test_equal(asked.keys[0], t_.constant(TermId(left[0][0])), from);
  if (asked.cells > kLargeTable)
    if (const NodeId tested = function_test(asked, m_.name(literal.relation), left, from); tested != from)
      return tested;
  ExprId& table = tables_[{&asked.rows, asked.signature}];
  if (!table.valid()) table = t_.bool_table(m_.name(literal.relation), asked.sorts, left);
  return then(from, ir::Compare{lookup(table, asked.keys), t_.one(), false});
}

NodeId Walks::test_with_none(const BodyState& f, const EngineLiteral& literal, NodeId from) {
  const BoundRows asked = bound_rows(f, literal);
  const std::vector<Tuple>& left = known_of(asked);
  if (left.empty() || static_cast<double>(left.size()) >= asked.cells || asked.cells > kLargeTable) return {};
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

// Splits the columns into a key and the columns that it determines.
const Walks::Split& Walks::split_of(const std::vector<Tuple>& tuples, std::size_t columns) {
  const auto [it, fresh] = splits_.try_emplace(&tuples);
  auto& [key, determined] = it->second;
  if (!fresh) return it->second;
  key.resize(columns);
  std::iota(key.begin(), key.end(), std::size_t{0});
  for (std::size_t c = columns; c-- > 0;) {
    std::vector<std::size_t> others = key;
    std::erase(others, c);
    if (!gdl::determines(tuples, others, {c})) continue;
    determined.push_back(c);
    key = std::move(others);
  }
  return it->second;
}

// If some columns determine the others, tests several small tables instead of a large one; returns `from` if there are
// none.
NodeId Walks::function_test(const BoundRows& asked, const std::string& name, const std::vector<Tuple>& tuples,
                            NodeId from) {
  const auto& [key, determined] = split_of(tuples, asked.keys.size());
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
  const auto waits = [&](Pattern p) { return !known(f, p) && !singleton(f, p); };
  if (std::ranges::none_of(literal.arguments, waits)) return fixed_test(f, literal, from);
  const BoundRows asked = bound_rows(f, literal);
  if (asked.tuples.empty()) return {};
  std::vector<std::size_t> results;
  for (std::size_t i = 0; i < asked.rows.columns.size(); ++i)
    if (waits(literal.arguments[asked.rows.columns[i]])) results.push_back(i);
  const bool total = static_cast<double>(known_of(asked).size()) >= asked.cells;
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

std::optional<Walks::Lister> Walks::lister(const BodyState& f, std::uint32_t variable) {
  std::optional<Lister> best;
  std::size_t least = kLiftedLimits.listed_values + 1;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::fixed) continue;
    const Pattern own = Pattern::variable(variable);
    const auto bound = [&](Pattern p) { return p == own || known(f, p); };
    if (!literal.mentions(own) || !std::ranges::all_of(literal.arguments, bound)) continue;
    if (std::ranges::all_of(literal.arguments, [&](Pattern p) { return p == own || p.is_ground(); })) continue;
    const std::size_t most = fan_out(f, literal);
    const auto all = static_cast<double>(m_.terms(f.rule->sorts[variable]).size());
    if (most >= least || most == 0 || static_cast<double>(most) > kMaxListedShare * all) continue;
    const BoundRows asked = bound_rows(f, literal);
    if (asked.cells > kLiftedLimits.lists) continue;
    least = most;
    best = Lister{i, static_cast<double>(asked.tuples.size()) / asked.cells};
  }
  return best;
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

ExprId Walks::lookup(ExprId table, const std::vector<Value>& keys) {
  for (const Value& key : keys) table = game_.access(table, t_.expression(key));
  return table;
}

}  // namespace rgtrans::gdl::lifted
