// Static relations as bodies of rules read them.
#include "frontends/gdl/lifted/static_tables.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/support/sorted.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

constexpr std::size_t kMaxSparsity = 8;  // up to this ratio of bound to count, numbers are counted without renumbering

// The projections of tuples to some columns, encoded as numbers below a bound.
struct Numbers {
  std::vector<std::uint64_t> of;  // by tuple
  std::uint64_t bound = 1;

  // Renumbers densely, in the same order.
  void renumber() {
    std::vector<std::uint64_t> known = of;
    sort_unique(known);
    for (std::uint64_t& number : of)
      number = static_cast<std::uint64_t>(std::ranges::lower_bound(known, number) - known.begin());
    bound = known.size();
  }
  [[nodiscard]] bool has_room_for(std::uint64_t range) const {
    return bound <= std::numeric_limits<std::uint64_t>::max() / range;
  }
};

Numbers numbers_of(const std::vector<const std::uint32_t*>& tuples, const std::vector<std::size_t>& columns) {
  Numbers numbers{std::vector<std::uint64_t>(tuples.size())};
  for (const std::size_t c : columns) {
    std::uint64_t range = 1;
    for (const std::uint32_t* const row : tuples) range = std::max(range, std::uint64_t{row[c]} + 1);
    if (!numbers.has_room_for(range)) numbers.renumber();
    for (std::size_t i = 0; i < tuples.size(); ++i) numbers.of[i] = numbers.of[i] * range + tuples[i][c];
    numbers.bound *= range;
  }
  return numbers;
}

// The first components of all different pairs (numbers, others).
Numbers different(Numbers numbers, Numbers others) {
  if (!numbers.has_room_for(others.bound)) {
    numbers.renumber();
    others.renumber();
  }
  for (std::size_t i = 0; i < others.of.size(); ++i) others.of[i] += numbers.of[i] * others.bound;
  sort_unique(others.of);
  numbers.of.clear();
  for (const std::uint64_t both : others.of) numbers.of.push_back(both / others.bound);
  return numbers;
}

// The frequency of the most frequent number.
std::size_t most_frequent(Numbers numbers) {
  if (numbers.bound > kMaxSparsity * numbers.of.size()) numbers.renumber();
  std::vector<std::size_t> times(numbers.bound);
  for (const std::uint64_t number : numbers.of) ++times[number];
  return times.empty() ? 0 : std::ranges::max(times);
}

}  // namespace

std::vector<std::uint32_t> StaticTables::companions(const LiftedRule& rule, const EngineLiteral& literal) const {
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

const StaticTables::Rows& StaticTables::rows_of(const LiftedRule& rule, const EngineLiteral& literal) {
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
  const auto fits = [&](std::size_t c, std::uint32_t value) {
    const Pattern p = literal.arguments[c];
    return any[c] || (p.is_ground() ? p.term().value == value : m_.contains(rule.sorts[p.number()], value));
  };
  for (const std::uint32_t* const row : matching_rows(tuples, literal.arguments, fits)) {
    const auto holds = [&](std::uint32_t i) {
      const EngineLiteral& other = rule.rule->body[i];
      Tuple values;
      for (const Pattern p : other.arguments) values.push_back(p.is_ground() ? p.term().value : row[column(p)]);
      return m_.kind(other) == LiteralKind::distinct ? values[0] != values[1]
                                                     : m_.info(other.relation).tuples->find(values.data()) != kNone;
    };
    if (!std::ranges::all_of(others, holds)) continue;
    // rows.columns omits constants and repeated variables.
    for (const std::uint32_t c : rows.columns) rows.values.push_back(row[c]);
    ++rows.count;
  }
  return rows;
}

StaticTables::Signature StaticTables::signature(const BodyState& f, const EngineLiteral& literal, const Rows& rows) {
  Signature found;
  for (const std::uint32_t c : rows.columns) {
    const auto& v = f.values[literal.arguments[c].number()];
    found.push_back(!v ? kOpen : v->constant ? kConstant + v->constant->value : kKnown);
  }
  return found;
}

std::vector<StaticTables::Row> StaticTables::fitting(const Rows& rows, const Signature& signature) {
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

const std::vector<StaticTables::Tuple>& StaticTables::known_of(const BoundRows& asked) {
  const auto [it, fresh] = known_of_.try_emplace({&asked.rows, asked.signature});
  if (fresh) {
    for (const Row tuple : asked.tuples) it->second.push_back(projected(tuple, asked.columns));
    sort_unique(it->second);
  }
  return it->second;
}

StaticTables::BoundRows StaticTables::bound_rows(const BodyState& f, const EngineLiteral& literal) {
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

// Splits the columns into a key and the columns that it determines.
const StaticTables::Split& StaticTables::split_of(const std::vector<Tuple>& tuples, std::size_t columns) {
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

std::optional<StaticTables::Lister> StaticTables::lister(const BodyState& f, std::uint32_t variable) {
  std::optional<Lister> best;
  std::size_t least = kLiftedLimits.listed_values + 1;
  for (const std::uint32_t i : f.open) {
    const EngineLiteral& literal = f.rule->rule->body[i];
    if (literal.negated || m_.kind(literal) != LiteralKind::fixed) continue;
    const Pattern own = Pattern::variable(variable);
    const auto bound = [&](Pattern p) { return p == own || f.known(p); };
    if (!literal.mentions(own) || !std::ranges::all_of(literal.arguments, bound)) continue;
    if (std::ranges::all_of(literal.arguments, [&](Pattern p) { return p == own || p.is_ground(); })) continue;
    const std::size_t most = fan_out(f, literal);
    const auto all = static_cast<double>(m_.terms(f.rule->sorts[variable]).size());
    if (most >= least || most == 0 || static_cast<double>(most) > kPlanCosts.listed * all) continue;
    const BoundRows asked = bound_rows(f, literal);
    if (asked.cells > kLiftedLimits.lists) continue;
    least = most;
    best = Lister{i, static_cast<double>(asked.tuples.size()) / asked.cells};
  }
  return best;
}

void StaticTables::finish(BodyState& f, std::uint32_t index) const {
  const EngineLiteral& literal = f.rule->rule->body[index];
  std::erase(f.open, index);
  if (m_.kind(literal) != LiteralKind::fixed) return;
  for (const std::uint32_t other : companions(*f.rule, literal)) std::erase(f.open, other);
}

// The selectivity: the share of the combinations of bound values that occur in the relation.
double StaticTables::presence(const BodyState& f, const EngineLiteral& literal) {
  const Rows& rows = rows_of(*f.rule, literal);
  if (rows.count > kLiftedLimits.counted_rows) return 1;
  const Signature known = signature(f, literal, rows);
  const auto [it, fresh] = presences_.try_emplace({&rows, known});
  if (!fresh) return it->second;
  const BoundRows asked = bound_rows(f, literal);
  std::vector<std::uint64_t> tuples = numbers_of(asked.tuples, asked.columns).of;
  sort_unique(tuples);
  // Bounded below, so that an empty relation does not dominate the estimates.
  return it->second = std::max(1e-6, static_cast<double>(tuples.size()) / asked.cells);
}

// The maximal number of results per combination of bound values.
std::size_t StaticTables::fan_out(const BodyState& f, const EngineLiteral& literal) {
  const Rows& rows = rows_of(*f.rule, literal);
  const Signature known = signature(f, literal, rows);
  std::vector<std::size_t> keys, results;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] == kKnown) keys.push_back(i);
    if (known[i] == kOpen && !f.singleton(literal.arguments[rows.columns[i]])) results.push_back(i);
  }
  Signature asked = known;
  asked.insert(asked.end(), results.begin(), results.end());
  const auto [it, fresh] = fan_outs_.try_emplace({&rows, asked});
  if (!fresh) return it->second;
  const std::vector<Row> tuples = fitting(rows, known);
  Numbers key = numbers_of(tuples, keys);
  // Without an ignored column, all tuples differ in the bound values and results.
  if (std::ranges::count(known, kOpen) != static_cast<std::ptrdiff_t>(results.size()))
    key = different(std::move(key), numbers_of(tuples, results));
  return it->second = most_frequent(std::move(key));
}

}  // namespace rgtrans::gdl::lifted
