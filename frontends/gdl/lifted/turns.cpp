#include "frontends/gdl/lifted/turns.hpp"

#include <algorithm>
#include <map>

namespace rgtrans::gdl::lifted {

namespace {

constexpr std::size_t kMaxValues = 64;

// One value a column.
using Row = std::vector<std::uint32_t>;

class TurnSearch {
 public:
  TurnSearch(Model& model, const Dependencies& dependencies)
      : m_(model), dependencies_(dependencies), refuter_(model, dependencies) {}

  Turns run(bool keep_forced) {
    Turns best = phases_of({}, keep_forced);
    std::size_t most = forced_count(best);
    for (const RelId fact : m_.facts()) {
      const auto found = dependencies_.find(fact);
      if (found == dependencies_.end() || !found->second.key.empty()) continue;
      if (!walks_alone(fact)) continue;
      Turns turns = phases_of(fact, keep_forced);
      const std::size_t count = forced_count(turns);
      if (count <= most) continue;
      most = count;
      best = std::move(turns);
    }
    return best;
  }

 private:
  [[nodiscard]] static std::size_t forced_count(const Turns& turns) {
    // Per value of the scalar, so that longer counters do not win by their length.
    std::size_t count = 0;
    std::size_t values = 0;
    for (const Turns::Phase& phase : turns.phases) {
      const std::size_t weight = std::max<std::size_t>(1, phase.values.size());
      values += weight;
      for (const auto& move : phase.forced) count += move ? weight : 0;
    }
    return 1000 * count / std::max<std::size_t>(1, values);
  }

  // What a body says when the scalar has the value and nothing else is known; variables as bound.
  Truth truth(const LiftedRule& rule, std::vector<std::optional<std::uint32_t>> bound, RelId scalar, const Row& value) {
    const auto get = [&](Pattern p) -> std::optional<std::uint32_t> {
      return p.is_ground() ? std::optional(p.term().value) : bound[p.number()];
    };
    for (std::size_t v = 0; v < rule.sorts.size(); ++v)
      if (m_.terms(rule.sorts[v]).size() == 1) bound[v] = m_.terms(rule.sorts[v])[0];
    for (const EngineLiteral& l : rule.rule->body) {
      if (l.negated || m_.kind(l) != LiteralKind::fact || l.relation != scalar) continue;
      for (std::size_t c = 0; c < value.size(); ++c) {
        if (get(l.arguments[c])) continue;
        if (!m_.contains(rule.sorts[l.arguments[c].number()], value[c])) return Truth::no;
        bound[l.arguments[c].number()] = value[c];
      }
    }
    Truth result = Truth::yes;
    for (const EngineLiteral& l : rule.rule->body) {
      const LiteralKind kind = m_.kind(l);
      Row tuple;
      for (const Pattern p : l.arguments)
        if (const auto t = get(p)) tuple.push_back(*t);
      const bool known = tuple.size() == l.arguments.size();
      bool holds = false;
      if (kind == LiteralKind::distinct && known) {
        holds = tuple[0] != tuple[1];
      } else if (kind == LiteralKind::fixed && known) {
        holds = (m_.info(l.relation).tuples->find(tuple.data()) != kNone) != l.negated;
      } else if (kind == LiteralKind::fact && l.relation == scalar && known) {
        holds = (tuple == value) != l.negated;
      } else {
        result = Truth::unknown;
        continue;
      }
      if (!holds) return Truth::no;
    }
    return result;
  }

  // All values that the scalar can have; none where they are too many.
  std::vector<Row> rows(RelId scalar) {
    std::vector<Row> result = {{}};
    for (std::uint32_t c = 0; c < m_.info(scalar).tuples->arity(); ++c) {
      std::vector<Row> longer;
      const auto& terms = m_.terms(m_.column(scalar, c));
      if (result.size() * terms.size() > kMaxValues) return {};
      for (const Row& row : result) {
        for (const std::uint32_t term : terms) {
          longer.push_back(row);
          longer.back().push_back(term);
        }
      }
      result = std::move(longer);
    }
    return result;
  }
  // The variables of a head that is to be the row; none where it cannot be.
  std::optional<std::vector<std::optional<std::uint32_t>>> bind(const LiftedRule& rule, const Row& row) {
    std::vector<std::optional<std::uint32_t>> bound(rule.sorts.size());
    for (std::size_t c = 0; c < row.size(); ++c) {
      const Pattern p = rule.rule->head.arguments[c];
      if (p.is_ground() ? p.term().value != row[c] : !m_.contains(rule.sorts[p.number()], row[c])) return std::nullopt;
      if (p.is_variable() && bound[p.number()].value_or(row[c]) != row[c]) return std::nullopt;
      if (p.is_variable()) bound[p.number()] = row[c];
    }
    return bound;
  }

  // Each value has exactly one next value, whatever else happens.
  bool walks_alone(RelId scalar) {
    if (m_.info(scalar).tuples->size() != 1) return false;
    const std::vector<Row> all = rows(scalar);
    return !all.empty() && std::ranges::all_of(all, [&](const Row& value) {
      std::size_t next = 0;
      for (const Row& choice : all) {
        Truth holds = Truth::no;
        for (const LiftedRule& rule : m_.rules({scalar, true})) {
          const auto bound = bind(rule, choice);
          const Truth t = bound ? truth(rule, *bound, scalar, value) : Truth::no;
          if (t == Truth::unknown) return false;
          if (t == Truth::yes) holds = t;
        }
        next += holds == Truth::yes ? 1 : 0;
      }
      return next == 1;
    });
  }

  // The move without arguments that is certainly legal for the role and the only one.
  std::optional<RelId> forced(std::uint32_t role, RelId scalar, const Row& value) {
    std::optional<RelId> only;
    bool certain = false;
    for (const RelId shape : m_.moves()) {
      for (const LiftedRule& rule : m_.rules({shape, true})) {
        const Pattern head = rule.rule->head.arguments[0];
        if (head.is_ground() ? head.term().value != role : !m_.contains(rule.sorts[head.number()], role)) continue;
        std::vector<std::optional<std::uint32_t>> bound(rule.sorts.size());
        if (head.is_variable()) bound[head.number()] = role;
        const Truth t = truth(rule, bound, scalar, value);
        if (t == Truth::no) continue;
        if (t == Truth::unknown && refuted(rule, role, scalar, value)) continue;
        if (m_.info(shape).tuples->arity() != 1 || (only && *only != shape)) return std::nullopt;
        only = shape;
        certain = certain || t == Truth::yes;
      }
    }
    return certain ? only : std::nullopt;
  }

  bool refuted(const LiftedRule& rule, std::uint32_t role, RelId scalar, const Row& value) {
    refuter_.clear();
    const auto variables = refuter_.add_body(rule);
    const Refuter::Term own = refuter_.term(rule.rule->head.arguments[0], variables);
    if (!refuter_.equal(own, Refuter::constant(role))) return true;
    std::vector<Refuter::Term> arguments;
    for (const std::uint32_t term : value) arguments.push_back(Refuter::constant(term));
    if (scalar.valid()) refuter_.add_fact(scalar, std::move(arguments));
    return refuter_.refuted();
  }

  Turns phases_of(RelId scalar, bool keep_forced) {
    Turns turns;
    turns.scalar = scalar;
    const std::vector<TermId>& roles = m_.program().roles;
    using Moves = std::vector<std::optional<RelId>>;
    const std::vector<Row> all = scalar.valid() ? rows(scalar) : std::vector<Row>{{}};
    std::vector<Moves> moves;
    for (const Row& value : all) {
      Moves& own = moves.emplace_back();
      for (const TermId role : roles) own.push_back(keep_forced ? std::nullopt : forced(role.value, scalar, value));
      turns.single = turns.single && std::ranges::count(own, std::optional<RelId>()) <= 1;
    }
    const auto told_by = [&](std::uint32_t column) {
      for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (all[i][column] == all[k][column] && moves[i] != moves[k]) return false;
      return true;
    };
    const auto columns = static_cast<std::uint32_t>(all[0].size());
    while (turns.column < columns && !told_by(turns.column)) ++turns.column;
    if (scalar.valid() && turns.column == columns) return {{}, 0, {{{}, Moves(roles.size())}}, roles.size() == 1};
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto phase = std::ranges::find(turns.phases, moves[i], &Turns::Phase::forced);
      if (phase == turns.phases.end()) phase = turns.phases.insert(phase, {{}, moves[i]});
      if (!scalar.valid()) continue;
      const std::uint32_t value = all[i][turns.column];
      if (std::ranges::find(phase->values, value) == phase->values.end()) phase->values.push_back(value);
    }
    return turns;
  }

  Model& m_;
  const Dependencies& dependencies_;
  Refuter refuter_;
};

// Whether moves of this kind are made by the role alone that the scalar holds, or by all others alone.
bool made_by(Model& model, Refuter& refuter, const Turns& turns, RelId shape, bool holder) {
  return std::ranges::all_of(model.rules({shape, true}), [&](const LiftedRule& rule) {
    refuter.clear();
    const auto variables = refuter.add_body(rule);
    std::vector<Refuter::Term> value;
    for (std::uint32_t c = 0; c < model.info(turns.scalar).tuples->arity(); ++c)
      value.push_back(refuter.add_variable(model.column(turns.scalar, c)));
    const Refuter::Term role = refuter.term(rule.rule->head.arguments[0], variables);
    if (holder)
      refuter.different(role, value[turns.column]);
    else if (!refuter.equal(role, value[turns.column]))
      return true;
    refuter.add_fact(turns.scalar, value);
    return refuter.refuted();
  });
}

}  // namespace

Turns find_turns(Model& model, const Dependencies& dependencies, bool keep_forced) {
  Turns turns = TurnSearch(model, dependencies).run(keep_forced);
  if (!turns.scalar.valid() || !turns.single) return turns;
  Refuter refuter(model, dependencies);
  std::vector<RelId> of_holder, possible;
  for (const RelId shape : model.moves()) {
    if (made_by(model, refuter, turns, shape, true)) of_holder.push_back(shape);
    if (!made_by(model, refuter, turns, shape, false)) possible.push_back(shape);
  }
  for (const RelId shape : of_holder)
    model.add_mover(shape, turns.scalar, turns.column, possible == std::vector{shape});
  return turns;
}

}  // namespace rgtrans::gdl::lifted
