// Computes supersets of the facts whose frame axioms fail.
//
// Example: the frame (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (distinct ?x 3)) fails for
// facts with ?x = 3.
#include <algorithm>
#include <range/v3/range/conversion.hpp>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/lifted/step.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

std::vector<LiftedStep::Frames> LiftedStep::frames_of(RelId fact) {
  std::vector<Frames> result;
  for (const LiftedRule& rule : m_.rules({fact, true})) {
    const auto own = Model::frame_literal(rule);
    if (!own) continue;
    const std::vector<Pattern>& head = rule.rule->head.arguments;
    Frames frames;
    frames.rules = {&rule};
    std::vector<const EngineLiteral*> prefix;
    std::set<std::uint32_t> given;
    const auto mentions_head = [&](const EngineLiteral& l) {
      return std::ranges::any_of(
          l.arguments, [&](Pattern p) { return p.is_variable() && std::ranges::find(head, p) != head.end(); });
    };
    for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i) {
      if (i == own || mentions_head(rule.rule->body[i])) continue;
      frames.prefix.push_back(i);
      prefix.push_back(&rule.rule->body[i]);
      given.merge(rule.rule->body[i].variables());
    }
    for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i) {
      if (i == own || !mentions_head(rule.rule->body[i])) continue;
      FactSets parts = failing(rule, rule.rule->body[i], head);
      if (std::ranges::any_of(parts, &FactSet::whole)) parts = {cheapest_failure(rule, i, given)};
      frames.failing = either(frames.failing, parts);
    }
    for (std::uint32_t c = 0; c < head.size(); ++c) {
      const SortId column = t_.stored_of(fact).columns[c];
      if (head[c].is_ground()) {
        FactSet part;
        part.unequal.insert({c, head[c].term().value});
        frames.failing = either(frames.failing, {part});
      } else if (!m_.subset(column, rule.sorts[head[c].number()])) {
        frames.failing = {FactSet()};
      }
      for (std::uint32_t d = 0; d < c; ++d)
        if (head[c] == head[d] && head[c].is_variable()) frames.failing = {FactSet()};
    }
    // Before the loop reads a fact, only the prefix has bound variables.
    const auto unbound = [&](const auto& entry) {
      const auto& p = entry.second.pattern;
      return p && p->is_variable() && std::ranges::none_of(prefix, [&](const EngineLiteral* l) {
               return std::ranges::find(l->arguments, *p) != l->arguments.end();
             });
    };
    for (FactSet& part : frames.failing)
      if (std::erase_if(part.equal, [&](const auto& entry) { return unbound(entry); }) > 0) part.certain = false;
    // Groups rules with equal prefixes, because the rest of a body may depend on the prefix's variables.
    const auto same = [&](const Frames& group) {
      const LiftedRule& other = *group.rules[0];
      return std::ranges::equal(frames.prefix, group.prefix, [&](std::uint32_t i, std::uint32_t k) {
        const EngineLiteral& a = rule.rule->body[i];
        const EngineLiteral& b = other.rule->body[k];
        return a.relation == b.relation && a.kind == b.kind && a.negated == b.negated && a.derived == b.derived &&
               a.arguments == b.arguments && std::ranges::all_of(a.arguments, [&](Pattern p) {
                 return p.is_ground() || rule.sorts[p.number()] == other.sorts[p.number()];
               });
      });
    };
    const auto known = std::ranges::find_if(result, same);
    if (known == result.end()) {
      result.push_back(std::move(frames));
      continue;
    }
    Frames& group = *known;
    group.rules.push_back(&rule);
    group.failing = both(group.failing, frames.failing);
  }
  return result;
}

// If a literal can fail for any fact, the cheapest of three plans is used. They test it in the loop over all keys, test
// a guard in the loop over some keys, or walk through the complement of the literal.
LiftedStep::FactSet LiftedStep::cheapest_failure(const LiftedRule& frame, std::uint32_t literal,
                                                 const std::set<std::uint32_t>& given) {
  FactSet part;
  if (can_guard(frame, literal)) part.guards.emplace(&frame, literal);
  const std::optional<EngineLiteral> complement = complement_of(frame, frame.rule->body[literal]);
  if (!complement) return part;
  const LiftedRule* const found = unfolder_.where_fails(frame, *Model::frame_literal(frame), *complement, given);
  if (steps_finding(*found, given) >= kPlanCosts.alternative * steps_testing(frame, literal, given)) return part;
  part.guards.clear();
  part.found = found;
  part.given = given;
  const auto bound = [&](Pattern p) {
    return p.is_ground() || given.contains(p.number()) ||
           std::ranges::find(found->rule->head.arguments, p) != found->rule->head.arguments.end();
  };
  part.certain = std::ranges::all_of(frame.rule->body[literal].arguments, bound);
  return part;
}

// The complement of a literal, as a literal.
std::optional<EngineLiteral> LiftedStep::complement_of(const LiftedRule& frame, const EngineLiteral& literal) {
  if (literal.negated) {
    EngineLiteral complement = literal;
    complement.negated = false;
    return complement;
  }
  if (m_.kind(literal) != LiteralKind::fixed) return std::nullopt;
  StaticJoins::Tuple variables;
  std::set<StaticJoins::Tuple> tuples = {{}};
  for (const Pattern p : literal.arguments) {
    if (!p.is_variable() || std::ranges::find(variables, p.number()) != variables.end()) return std::nullopt;
    variables.push_back(p.number());
    std::set<StaticJoins::Tuple> longer;
    for (const StaticJoins::Tuple& tuple : tuples) {
      for (const std::uint32_t term : m_.terms(frame.sorts[p.number()])) {
        StaticJoins::Tuple next = tuple;
        next.push_back(term);
        longer.insert(std::move(next));
      }
    }
    if (longer.size() > kLiftedLimits.complement_tuples) return std::nullopt;
    tuples = std::move(longer);
  }
  std::erase_if(tuples, [&](const StaticJoins::Tuple& tuple) {
    return m_.info(literal.relation).tuples->find(tuple.data()) != kNone;
  });
  return m_.relate(variables, tuples, "no_" + m_.name(literal.relation));
}

double LiftedStep::steps_finding(const LiftedRule& found, const std::set<std::uint32_t>& given) {
  double steps = 0;
  for (const LiftedRule* part : split_rule(found, given)) steps += steps_of(*part, given);
  return steps;
}

// Estimates the cost of testing the whole frame at all keys. With a guard: the guard at some keys, and the frame at all
// keys at which the guard fails, presumably one.
double LiftedStep::steps_testing(const LiftedRule& frame, std::uint32_t literal, const std::set<std::uint32_t>& given) {
  const Stored& s = t_.stored_of(fact_);
  const std::set<std::uint32_t> keys = keys_of(frame, literal);
  BodyState f = w_.body_state(frame, 0);
  for (const std::uint32_t v : given) w_.planner.suppose(f, Pattern::variable(v));
  double all = 1;
  double some = 1;
  for (std::uint32_t k = 0; k < s.key.size(); ++k) {
    w_.planner.suppose(f, frame.rule->head.arguments[s.key[k]]);
    (keys.contains(k) ? some : all) *= static_cast<double>(m_.terms(keys_[k].sort).size());
  }
  const double asking = w_.planner.expected(f).steps;
  if (!can_guard(frame, literal)) return some * all * asking;
  f.open = {literal};
  return some * w_.planner.expected(f).steps + all * asking;
}

// At these facts the bodies of the group fail, so the proof assumes only the prefix, the fact and the
// conditions of the set.
bool LiftedStep::excludes_others(const Frames& group, const FactSet& part) {
  const LiftedRule& frame = *group.rules[0];
  const LiftedRule& begin = part.found != nullptr ? *part.found : frame;
  std::vector<EngineLiteral> body = {frame.rule->body[*Model::frame_literal(frame)]};
  if (part.found != nullptr) body = part.found->rule->body;
  for (const std::uint32_t i : group.prefix) body.push_back(frame.rule->body[i]);
  const LiftedRule& there = *unfolder_.with_body(begin, std::move(body));
  return std::ranges::all_of(m_.rules({fact_, true}), [&](const LiftedRule& other) {
    if (!Model::frame_literal(other) || std::ranges::find(group.rules, &other) != group.rules.end()) return true;
    refuter_.clear();
    const auto x = refuter_.add_body(there);
    const auto y = refuter_.add_body(other);
    const auto of_fact = [&](std::size_t c) { return refuter_.term(there.rule->head.arguments[c], x); };
    const auto& head = other.rule->head.arguments;
    for (std::size_t c = 0; c < head.size(); ++c)
      if (!refuter_.equal(of_fact(c), refuter_.term(head[c], y))) return true;
    for (const auto& [c, term] : part.equal)
      if (term.pattern && !refuter_.equal(of_fact(c), refuter_.term(*term.pattern, x))) return true;
    return refuter_.refuted();
  });
}

bool LiftedStep::overwritten(const Frames& group, const FactSet& part) {
  const LiftedRule& frame = *group.rules[0];
  const Stored& s = t_.stored_of(fact_);
  std::vector<const EngineLiteral*> known;
  for (const std::uint32_t i : group.prefix) known.push_back(&frame.rule->body[i]);
  std::vector<Pattern> key;
  for (const std::uint32_t c : s.key) {
    const auto column_value = part.equal.find(c);
    if (column_value != part.equal.end() && !column_value->second.pattern) return false;
    if (column_value == part.equal.end() && part.found == nullptr) return false;
    key.push_back(column_value != part.equal.end() ? *column_value->second.pattern : frame.rule->head.arguments[c]);
  }
  if (part.found != nullptr && part.found->rule->source != frame.rule->source) return false;
  if (part.found != nullptr)
    for (const EngineLiteral& l : part.found->rule->body) known.push_back(&l);
  return std::ranges::any_of(m_.rules({fact_, true}), [&](const LiftedRule& cause) {
    if (Model::frame_literal(cause)) return false;
    std::vector<std::optional<Pattern>> is(cause.sorts.size());
    for (std::size_t k = 0; k < key.size(); ++k) {
      const Pattern p = cause.rule->head.arguments[s.key[k]];
      if (p.is_ground() ? p != key[k] : is[p.number()] && *is[p.number()] != key[k]) return false;
      if (p.is_variable()) is[p.number()] = key[k];
    }
    return follows(cause, std::move(is), 0, known);
  });
}

// The known literals entail the body of the cause from `literal` on. Sorts need no test, because only values of its
// sort satisfy a body.
bool LiftedStep::follows(const LiftedRule& cause, std::vector<std::optional<Pattern>> is, std::size_t literal,
                         const std::vector<const EngineLiteral*>& known) {
  if (literal == cause.rule->body.size()) return true;
  const EngineLiteral& asked = cause.rule->body[literal];
  return std::ranges::any_of(known, [&](const EngineLiteral* there) {
    if (there->relation != asked.relation || there->kind != asked.kind || there->negated != asked.negated ||
        there->derived != asked.derived || there->arguments.size() != asked.arguments.size())
      return false;
    auto next = is;
    for (std::size_t c = 0; c < asked.arguments.size(); ++c) {
      const Pattern p = asked.arguments[c];
      const Pattern q = there->arguments[c];
      if (p.is_ground() || next[p.number()]) {
        if ((p.is_ground() ? p : *next[p.number()]) != q) return false;
        continue;
      }
      if (asked.negated) return false;
      next[p.number()] = q;
    }
    return follows(cause, std::move(next), literal + 1, known);
  });
}

LiftedStep::FactSets LiftedStep::either(const FactSets& a, const FactSets& b) {
  const auto everything = [](const FactSet& part) { return part == FactSet(); };
  if (std::ranges::any_of(a, everything) || std::ranges::any_of(b, everything)) return {FactSet()};
  FactSets result = a;
  for (const FactSet& part : b)
    if (std::ranges::find(result, part) == result.end()) result.push_back(part);
  if (result.size() > kLiftedLimits.frame_parts) return {FactSet()};
  return result;
}

// The intersection of two sets. If both determine a column, or both have a walk, the result keeps only one of the
// conditions; determined columns take precedence over a walk. So it can be a superset.
LiftedStep::FactSets LiftedStep::both(const FactSets& a, const FactSets& b) {
  FactSets result;
  for (const FactSet& x : a) {
    for (const FactSet& y : b) {
      FactSet part = x;
      part.certain = x.certain && y.certain;
      bool possible = true;
      for (const auto& [c, term] : y.equal) {
        const auto [it, fresh] = part.equal.try_emplace(c, term);
        const auto& other = it->second;
        if (!fresh && other.pattern && term.pattern && other.pattern->is_ground() && term.pattern->is_ground())
          possible = possible && other == term;
        part.certain = part.certain && other == term;
      }
      part.unequal.insert(y.unequal.begin(), y.unequal.end());
      part.guards.insert(y.guards.begin(), y.guards.end());
      if (part.found == nullptr) {
        part.found = y.found;
        part.given = y.given;
      } else if (y.found != nullptr) {
        part.certain = false;
      }
      if (part.found != nullptr && !part.equal.empty()) part.certain = false;
      for (const auto& [c, constant] : part.unequal) {
        const auto column_value = part.equal.find(c);
        if (column_value == part.equal.end() || !column_value->second.pattern ||
            !column_value->second.pattern->is_ground())
          continue;
        possible = possible && column_value->second.pattern->term().value != constant;
      }
      if (possible) result = either(result, {part});
    }
  }
  return result;
}

LiftedStep::FactSets LiftedStep::failing(const LiftedRule& frame, const EngineLiteral& literal,
                                         const std::vector<Pattern>& head) {
  return fails(frame, literal, literal.arguments, head, kLiftedLimits.frame_unfolding);
}

// A static relation usually fails nowhere, or exactly where columns of the fact equal other arguments, as for "these
// cells are distinct". Counts decide: all failures, and the failures with two equal arguments.
LiftedStep::FactSets LiftedStep::fixed_fails(const LiftedRule& frame, const EngineLiteral& literal,
                                             const std::vector<Pattern>& arguments, const std::vector<Pattern>& head) {
  const Relation& tuples = *m_.info(literal.relation).tuples;
  const std::size_t arity = arguments.size();
  const auto size = [&](SortId sort) { return static_cast<double>(m_.terms(sort).size()); };
  double all = 1;
  for (std::size_t c = 0; c < arity; ++c) {
    for (std::size_t d = 0; d < c; ++d)
      if (arguments[c].is_variable() && arguments[c] == arguments[d]) return {FactSet()};
    all *= size(sort_of(frame, arguments[c]));
  }
  const auto rows = matching_rows(tuples, arguments,
                                  [&](std::size_t c, std::uint32_t value) {
                                    return m_.contains(sort_of(frame, arguments[c]), value);
                                  }) |
                    ranges::to<std::vector>();
  const auto there = static_cast<double>(rows.size());
  const double failing = literal.negated ? there : all - there;
  if (failing == 0) return {};
  const auto column = [&](Pattern p) { return std::ranges::find(head, p) - head.begin(); };
  const auto outside = [&](Pattern p) { return p.is_ground() || std::ranges::find(head, p) == head.end(); };
  FactSet part;
  for (std::size_t h = 0; h < arity; ++h) {
    if (outside(arguments[h])) continue;
    for (std::size_t k = 0; k < arity; ++k) {
      if (!outside(arguments[k])) continue;
      const SortId own = sort_of(frame, arguments[h]);
      const SortId other = sort_of(frame, arguments[k]);
      const double equal = all / size(own) / size(other) * size(m_.intersect(own, other));
      const auto found =
          static_cast<double>(std::ranges::count_if(rows, [&](const std::uint32_t* row) { return row[h] == row[k]; }));
      if ((literal.negated ? found : equal - found) != failing) continue;
      part.equal.emplace(static_cast<std::uint32_t>(column(arguments[h])), ColumnTerm{arguments[k], {}, 0, other});
      break;
    }
  }
  return {part};
}

// The facts for which a literal can be false, in variables of the frame.
LiftedStep::FactSets LiftedStep::fails(const LiftedRule& frame, const EngineLiteral& literal,
                                       const std::vector<Pattern>& arguments, const std::vector<Pattern>& head,
                                       unsigned depth) {
  const auto column = [&](Pattern p) {
    return p.is_variable() ? static_cast<std::size_t>(std::ranges::find(head, p) - head.begin()) : head.size();
  };
  const auto term = [&](Pattern p) { return ColumnTerm{p, {}, 0, sort_of(frame, p)}; };
  switch (m_.kind(literal)) {
    case LiteralKind::distinct: {
      const std::size_t a = column(arguments[0]);
      const std::size_t b = column(arguments[1]);
      if (m_.disjoint(sort_of(frame, arguments[0]), sort_of(frame, arguments[1]))) return {};
      if (a == head.size() && b == head.size()) return {FactSet()};
      if (a != head.size() && b != head.size()) return {FactSet()};
      FactSet part;
      if (a != head.size()) {
        part.equal.emplace(static_cast<std::uint32_t>(a), term(arguments[1]));
      } else {
        part.equal.emplace(static_cast<std::uint32_t>(b), term(arguments[0]));
      }
      const std::vector<std::uint32_t>& key = t_.stored_of(fact_).key;
      part.certain = std::ranges::find(key, part.equal.begin()->first) != key.end();
      return {part};
    }
    case LiteralKind::fixed:
      return fixed_fails(frame, literal, arguments, head);
    case LiteralKind::does: {
      if (!literal.negated || !arguments[0].is_ground()) return {FactSet()};
      if (m_.rules({literal.relation, true}).empty()) return {};
      if (std::ranges::find(m_.program().roles, arguments[0].term()) == m_.program().roles.end()) return {};
      FactSet part;
      for (std::uint32_t c = 1; c < arguments.size(); ++c)
        if (const std::size_t own = column(arguments[c]); own != head.size())
          part.equal.emplace(
              static_cast<std::uint32_t>(own),
              ColumnTerm{{}, arguments[0], w_.does.place(literal.relation, c), m_.column(literal.relation, c)});
      return {part};
    }
    case LiteralKind::fact:
      return {FactSet()};
    case LiteralKind::derived: {
      if (literal.negated || depth == 0 || m_.recursive(Model::key(literal))) return {FactSet()};
      FactSets all = {FactSet()};
      for (const LiftedRule& rule : m_.rules(Model::key(literal)))
        all = both(all, fails_rule(frame, rule, arguments, head, depth - 1));
      return all;
    }
  }
  return {FactSet()};
}

LiftedStep::FactSets LiftedStep::fails_rule(const LiftedRule& frame, const LiftedRule& rule,
                                            const std::vector<Pattern>& arguments, const std::vector<Pattern>& head,
                                            unsigned depth) {
  std::vector<std::optional<Pattern>> values(rule.sorts.size());
  for (std::size_t c = 0; c < arguments.size(); ++c) {
    const Pattern p = rule.rule->head.arguments[c];
    if (p.is_ground()) {
      if (p != arguments[c]) return {FactSet()};
      continue;
    }
    if (values[p.number()] && *values[p.number()] != arguments[c]) return {FactSet()};
    if (!m_.subset(sort_of(frame, arguments[c]), rule.sorts[p.number()])) return {FactSet()};
    values[p.number()] = arguments[c];
  }
  FactSets any;
  for (const EngineLiteral& literal : rule.rule->body) {
    std::vector<Pattern> own;
    for (const Pattern p : literal.arguments) {
      if (p.is_variable() && !values[p.number()]) return {FactSet()};
      own.push_back(p.is_ground() ? p : *values[p.number()]);
    }
    any = either(any, fails(frame, literal, own, head, depth));
  }
  return any;
}

}  // namespace rgtrans::gdl::lifted
