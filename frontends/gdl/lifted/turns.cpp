#include "frontends/gdl/lifted/turns.hpp"

#include <algorithm>
#include <set>

#include "core/support/coverage.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// one value per column
using Row = std::vector<std::uint32_t>;
using Scalars = std::vector<RelId>;

// The scalar that holds, and its value.
struct Held {
  RelId scalar;  // none if there are no scalars
  Row row;
};

class TurnSearch {
 public:
  TurnSearch(Model& model, const Dependencies& dependencies)
      : m_(model), dependencies_(dependencies), refuter_(model, dependencies, "proofs about turns") {}

  Turns run(bool keep_forced) {
    Turns best = phases_of({}, keep_forced);
    std::size_t most = forced_count(best);
    for (const RelId fact : m_.facts()) {
      const auto found = dependencies_.find(fact);
      if (found == dependencies_.end() || !found->second.key.empty()) continue;
      Scalars scalars = {fact};
      if (!walk_alone(scalars)) scalars = together(fact);
      if (scalars.empty() || scalars[0] != fact || !walk_alone(scalars)) continue;
      Turns turns = phases_of(scalars, keep_forced);
      const std::size_t count = forced_count(turns);
      if (count <= most) continue;
      most = count;
      best = std::move(turns);
    }
    return best;
  }

 private:
  [[nodiscard]] static std::size_t forced_count(const Turns& turns) {
    // Per value of the scalar, so that long counters have no advantage.
    std::size_t count = 0;
    std::size_t values = 0;
    for (const Turns::Phase& phase : turns.phases) {
      const std::size_t weight = std::max<std::size_t>(1, phase.values.size());
      values += weight;
      for (const auto& move : phase.forced) count += move ? weight : 0;
    }
    return 1000 * count / std::max<std::size_t>(1, values);
  }

  // The scalars on which the next values of a scalar depend, transitively.
  Scalars together(RelId fact) {
    std::set<RelId> all = {fact};
    std::vector<RelId> open = {fact};
    while (!open.empty() && all.size() <= kLiftedLimits.turn_scalars) {
      const RelId next = open.back();
      open.pop_back();
      for (const LiftedRule& rule : m_.rules({next, true})) {
        for (const EngineLiteral& l : rule.rule->body) {
          if (l.negated || m_.kind(l) != LiteralKind::fact) continue;
          const auto found = dependencies_.find(l.relation);
          if (found == dependencies_.end() || !found->second.key.empty()) return {};
          if (all.insert(l.relation).second) open.push_back(l.relation);
        }
      }
    }
    return all.size() > kLiftedLimits.turn_scalars ? Scalars() : Scalars(all.begin(), all.end());
  }

  // Evaluates a body under partial bindings, if one of the scalars has this value and the others do not hold;
  // everything else is unknown.
  Truth truth(const LiftedRule& rule, std::vector<std::optional<std::uint32_t>> bound, const Scalars& scalars,
              const Held& held) {
    const Row& value = held.row;
    const auto other = [&](const EngineLiteral& l) {
      return m_.kind(l) == LiteralKind::fact && l.relation != held.scalar &&
             std::ranges::find(scalars, l.relation) != scalars.end();
    };
    const auto get = [&](Pattern p) -> std::optional<std::uint32_t> {
      return p.is_ground() ? std::optional(p.term().value) : bound[p.number()];
    };
    for (std::size_t v = 0; v < rule.sorts.size(); ++v)
      if (m_.terms(rule.sorts[v]).size() == 1) bound[v] = m_.terms(rule.sorts[v])[0];
    for (const EngineLiteral& l : rule.rule->body) {
      if (!l.negated && other(l)) return Truth::no;
      if (l.negated || m_.kind(l) != LiteralKind::fact || l.relation != held.scalar) continue;
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
      } else if (kind == LiteralKind::fact && l.relation == held.scalar && known) {
        holds = (tuple == value) != l.negated;
      } else if (other(l)) {
        holds = true;
      } else {
        result = Truth::unknown;
        continue;
      }
      if (!holds) return Truth::no;
    }
    return result;
  }

  // All possible values of the scalars; empty if there are too many.
  std::vector<Held> values_of(const Scalars& scalars) {
    std::vector<Held> all;
    for (const RelId scalar : scalars) {
      std::vector<Row> rows = {{}};
      for (std::uint32_t c = 0; c < m_.info(scalar).tuples->arity(); ++c) {
        std::vector<Row> longer;
        const auto& terms = m_.terms(m_.column(scalar, c));
        if (rows.size() * terms.size() > kLiftedLimits.turn_values) return {};
        for (const Row& row : rows) {
          for (const std::uint32_t term : terms) {
            longer.push_back(row);
            longer.back().push_back(term);
          }
        }
        rows = std::move(longer);
      }
      for (Row& row : rows) all.push_back({scalar, std::move(row)});
    }
    return all;
  }
  // The bindings of a rule whose head equals the row; null if it cannot.
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

  // Exactly one of the scalars holds initially, and each value has exactly one successor in every state.
  bool walk_alone(const Scalars& scalars) {
    std::size_t first = 0;
    for (const RelId scalar : scalars) first += m_.info(scalar).tuples->size();
    if (first != 1) return false;
    const std::vector<Held> all = values_of(scalars);
    return !all.empty() && std::ranges::all_of(all, [&](const Held& held) {
      std::size_t next = 0;
      for (const Held& choice : all) {
        Truth holds = Truth::no;
        for (const LiftedRule& rule : m_.rules({choice.scalar, true})) {
          const auto bound = bind(rule, choice.row);
          const Truth t = bound ? truth(rule, *bound, scalars, held) : Truth::no;
          if (t == Truth::unknown) return false;
          if (t == Truth::yes) holds = t;
        }
        next += holds == Truth::yes ? 1 : 0;
      }
      return next == 1;
    });
  }

  // The only legal move of the role, if it has no arguments and is certainly legal.
  std::optional<RelId> forced(std::uint32_t role, const Scalars& scalars, const Held& held) {
    std::optional<RelId> only;
    bool certain = false;
    for (const RelId shape : m_.moves()) {
      for (const LiftedRule& rule : m_.rules({shape, true})) {
        const Pattern head = rule.rule->head.arguments[0];
        if (head.is_ground() ? head.term().value != role : !m_.contains(rule.sorts[head.number()], role)) continue;
        std::vector<std::optional<std::uint32_t>> bound(rule.sorts.size());
        if (head.is_variable()) bound[head.number()] = role;
        const Truth t = truth(rule, bound, scalars, held);
        if (t == Truth::no) continue;
        if (t == Truth::unknown && refuted(rule, role, held)) continue;
        if (m_.info(shape).tuples->arity() != 1 || (only && *only != shape)) return std::nullopt;
        only = shape;
        certain = certain || t == Truth::yes;
      }
    }
    return certain ? only : std::nullopt;
  }

  // The rules of `legal` that give the role no move under this value.
  std::set<const LiftedRule*> never(std::uint32_t role, const Scalars& scalars, const Held& held) {
    std::set<const LiftedRule*> result;
    for (const RelId shape : m_.moves()) {
      for (const LiftedRule& rule : m_.rules({shape, true})) {
        std::vector<std::optional<std::uint32_t>> bound(rule.sorts.size());
        const Pattern head = rule.rule->head.arguments[0];
        if (head.is_variable()) bound[head.number()] = role;
        if (truth(rule, bound, scalars, held) == Truth::no) result.insert(&rule);
      }
    }
    return result;
  }

  bool refuted(const LiftedRule& rule, std::uint32_t role, const Held& held) {
    refuter_.clear();
    const auto variables = refuter_.add_body(rule);
    const Refuter::Term own = refuter_.term(rule.rule->head.arguments[0], variables);
    if (!refuter_.equal(own, Refuter::constant(role))) return true;
    Refuter::Terms arguments;
    for (const std::uint32_t term : held.row) arguments.push_back(Refuter::constant(term));
    if (held.scalar.valid()) refuter_.add_fact(held.scalar, std::move(arguments));
    return refuter_.refuted();
  }

  Turns phases_of(const Scalars& scalars, bool keep_forced) {
    Turns turns;
    const std::vector<TermId>& roles = m_.program().roles;
    using Moves = std::vector<std::optional<RelId>>;
    const std::vector<Held> all = scalars.empty() ? std::vector<Held>(1) : values_of(scalars);
    std::vector<Moves> moves;
    for (const Held& held : all) {
      Moves& own = moves.emplace_back();
      for (const TermId role : roles) own.push_back(keep_forced ? std::nullopt : forced(role.value, scalars, held));
      turns.single = turns.single && std::ranges::count(own, std::optional<RelId>()) <= 1;
    }
    for (const RelId scalar : scalars) {
      const auto determined_by = [&](std::uint32_t column) {
        for (std::size_t i = 0; i < all.size(); ++i)
          for (std::size_t k = 0; k < i; ++k)
            if (all[i].scalar == scalar && all[k].scalar == scalar && all[i].row[column] == all[k].row[column] &&
                moves[i] != moves[k])
              return false;
        return true;
      };
      Turns::Scalar& own = turns.scalars.emplace_back(Turns::Scalar{scalar});
      const std::uint32_t columns = m_.info(scalar).tuples->arity();
      while (own.column < columns && !determined_by(own.column)) ++own.column;
      if (own.column == columns) return {{}, {{{}, Moves(roles.size())}}, roles.size() == 1};
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto which = static_cast<std::size_t>(std::ranges::find(scalars, all[i].scalar) - scalars.begin());
      auto phase = std::ranges::find_if(turns.phases, [&](const Turns::Phase& p) {
        return p.forced == moves[i] && (p.values.empty() || p.values[0].first == which);
      });
      const bool fresh = phase == turns.phases.end();
      if (fresh) phase = turns.phases.insert(phase, {{}, moves[i]});
      if (which == scalars.size()) continue;
      if (std::ranges::count(moves[i], std::optional<RelId>()) == 1) {
        const auto decider = std::ranges::find(moves[i], std::optional<RelId>()) - moves[i].begin();
        const auto never_here = never(roles[static_cast<std::size_t>(decider)].value, scalars, all[i]);
        if (fresh) phase->never = never_here;
        std::erase_if(phase->never, [&](const LiftedRule* rule) { return !never_here.contains(rule); });
      }
      const std::pair value(which, all[i].row[turns.scalars[which].column]);
      if (std::ranges::find(phase->values, value) == phase->values.end()) phase->values.push_back(value);
    }
    return turns;
  }

  Model& m_;
  const Dependencies& dependencies_;
  Refuter refuter_;
};

// Only the scalar's role makes moves of this shape; or, if not `holder`, only the others do.
bool made_by(Model& model, Refuter& refuter, const Turns::Scalar& scalar, RelId shape, bool holder) {
  return std::ranges::all_of(model.rules({shape, true}), [&](const LiftedRule& rule) {
    refuter.clear();
    const auto variables = refuter.add_body(rule);
    Refuter::Terms value;
    for (std::uint32_t c = 0; c < model.info(scalar.relation).tuples->arity(); ++c)
      value.push_back(refuter.add_variable(model.column(scalar.relation, c)));
    const Refuter::Term role = refuter.term(rule.rule->head.arguments[0], variables);
    if (holder)
      refuter.different({role}, {value[scalar.column]});
    else if (!refuter.equal(role, value[scalar.column]))
      return true;
    refuter.add_fact(scalar.relation, value);
    return refuter.refuted();
  });
}

// Moves of this shape require that the scalar holds.
bool says(const Model& model, RelId scalar, RelId shape) {
  return std::ranges::all_of(model.rules({shape, true}), [&](const LiftedRule& rule) {
    return std::ranges::any_of(rule.rule->body, [&](const EngineLiteral& l) {
      return !l.negated && l.relation == scalar && model.kind(l) == LiteralKind::fact;
    });
  });
}

}  // namespace

Turns find_turns(Model& model, const Dependencies& dependencies, bool keep_forced) {
  Turns turns = TurnSearch(model, dependencies).run(keep_forced);
  if (!turns.scalars.empty()) reached("lifted", turns.single ? "turns: one moves" : "turns: several move");
  if (turns.scalars.empty() || !turns.single) return turns;
  Refuter refuter(model, dependencies, "proofs about the moves of the mover");
  for (const Turns::Scalar& scalar : turns.scalars) {
    std::vector<RelId> of_holder, possible;
    for (const RelId shape : model.moves()) {
      const bool holds = turns.scalars.size() == 1 || says(model, scalar.relation, shape);
      if (holds && made_by(model, refuter, scalar, shape, true)) of_holder.push_back(shape);
      if (!made_by(model, refuter, scalar, shape, false)) possible.push_back(shape);
    }
    if (!of_holder.empty()) reached("lifted", "turns: the mover is told");
    for (const RelId shape : of_holder)
      model.add_mover(shape, scalar.relation, scalar.column, possible == std::vector{shape});
  }
  return turns;
}

std::size_t deciders(const Turns::Phase& phase) {
  return static_cast<std::size_t>(std::ranges::count_if(phase.forced, [](const auto& m) { return !m; }));
}

std::optional<std::size_t> free_decider(const Model& model, const Turns& turns, const Turns::Phase& phase) {
  const std::vector<TermId>& roles = model.program().roles;
  const auto decides = std::ranges::find(phase.forced, std::optional<RelId>());
  if (!turns.single || deciders(phase) != 1 || phase.values.size() != 1) return std::nullopt;
  const auto decider = static_cast<std::size_t>(decides - phase.forced.begin());
  const std::size_t which = phase.values[0].first;
  if (phase.values[0].second != roles[decider].value) return std::nullopt;
  const RelId scalar = turns.scalars[which].relation;
  for (const RelId shape : model.moves()) {
    for (const LiftedRule& rule : model.rules({shape, true})) {
      if (phase.never.contains(&rule)) continue;
      const Pattern own = rule.rule->head.arguments[0];
      const auto all_are = [&](const EngineLiteral& l) {
        return l.arguments.size() == 1 && model.kind(l) == LiteralKind::fixed && !l.negated &&
               std::ranges::all_of(roles,
                                   [&](TermId r) { return model.info(l.relation).tuples->find(&r.value) != kNone; });
      };
      const auto asks = [&](const EngineLiteral& l) {
        return !all_are(l) && std::ranges::find(l.arguments, own) != l.arguments.end() &&
               (l.negated || l.relation != scalar || model.kind(l) != LiteralKind::fact ||
                l.arguments[turns.scalars[which].column] != own);
      };
      if (!own.is_variable() || std::ranges::count(rule.rule->head.arguments, own) > 1 ||
          std::ranges::any_of(rule.rule->body, asks))
        return std::nullopt;
    }
  }
  return decider;
}

}  // namespace rgtrans::gdl::lifted
