#include "frontends/gdl/syntax/columns.hpp"

#include <algorithm>

#include "core/support/sorted.hpp"
#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/predicate_graph.hpp"

namespace rgtrans::gdl {

ColumnContents::ColumnContents(Program& program) : p_(program) {
  find_dynamic();
  rules_.resize(p_.predicates.size());
  facts_.resize(p_.predicates.size());
  for (const Rule& rule : p_.rules) {
    rules_[rule.head.predicate.value].push_back(&rule);
    auto& body = bodies_[&rule];
    for (const Literal& literal : rule.body) body.push_back(&literal);
    std::stable_partition(body.begin(), body.end(), [&](const Literal* l) {
      return !l->negated && p_[l->predicate].keyword != Keyword::distinct;
    });
  }
  for (const Fact& fact : p_.facts) facts_[fact.predicate.value].push_back(&fact);
  for (const Fact& fact : p_.facts) {
    Literal literal{fact.predicate, false, {}, fact.where};
    for (const TermId term : p_.arguments(fact)) literal.arguments.push_back(Pattern::ground(term));
    take(literal, {});
  }
  bool grows = true;
  for (unsigned round = 0; grows; ++round) {
    grows = false;
    for (const Rule& rule : p_.rules) {
      const auto bindings = bindings_of(rule);
      if (bindings && take(rule.head, *bindings)) grows = true;
    }
    if (round < kListLimits.rounds) continue;
    for (auto& [key, columns] : columns_) std::ranges::fill(columns, std::nullopt);  // no fixpoint: all are unknown
    break;
  }
}

void ColumnContents::find_dynamic() {
  dynamic_ = PredicateGraph(p_).depending_on(
      [&](PredId p) { return p_[p].keyword == Keyword::fact || p_[p].keyword == Keyword::does; });
}

// The columns that a literal reads or a head writes; none for a fact or move that is a bare variable.
std::vector<ColumnContents::Place> ColumnContents::places(const Literal& literal) {
  std::vector<Place> result;
  const auto columns = [&](Space space, std::uint32_t id, std::size_t count) -> std::vector<Values>& {
    auto& all = columns_[{space, id, static_cast<std::uint32_t>(count)}];
    if (all.empty()) all.assign(count, std::vector<TermId>());
    return all;
  };
  const auto whole = [&](Space space, Pattern term) {
    if (term.is_variable()) return;
    const std::uint32_t arity = p_.patterns.arity(term);
    auto& all = columns(space, p_.patterns.symbol(term).value, arity);
    for (std::uint32_t i = 0; i < arity; ++i) result.push_back({p_.patterns.argument(term, i), &all[i]});
  };
  switch (p_[literal.predicate].keyword) {
    case Keyword::distinct:
      break;
    case Keyword::init:
    case Keyword::next:
    case Keyword::fact:
      whole(Space::fact, literal.arguments[0]);
      break;
    case Keyword::legal:
    case Keyword::does: {
      auto& roles = columns(Space::move, kNone, 1);
      result.push_back({literal.arguments[0], roles.data()});
      whole(Space::move, literal.arguments[1]);
      break;
    }
    default: {
      auto& all = columns(Space::relation, literal.predicate.value, literal.arguments.size());
      for (std::size_t i = 0; i < all.size(); ++i) result.push_back({literal.arguments[i], &all[i]});
    }
  }
  return result;
}

bool ColumnContents::match(Pattern pattern, TermId term, std::map<std::uint32_t, TermId>& found) const {
  if (pattern.is_ground()) return pattern.term() == term;
  if (pattern.is_variable()) return found.try_emplace(pattern.number(), term).first->second == term;
  const Terms& terms = p_.patterns.terms;
  if (terms.symbol(term) != p_.patterns.symbol(pattern) || terms.arity(term) != p_.patterns.arity(pattern))
    return false;
  for (std::uint32_t i = 0; i < terms.arity(term); ++i)
    if (!match(p_.patterns.argument(pattern, i), terms.arguments(term)[i], found)) return false;
  return true;
}

// Intersects the bounds of the variables in a pattern with the values of its column. False if the result is empty.
bool ColumnContents::narrow(const Place& place, Bindings& bindings, std::vector<bool>& bound) {
  if (!*place.values) return true;
  std::map<std::uint32_t, std::vector<TermId>> allowed;
  bool any = false;
  for (const TermId term : **place.values) {
    std::map<std::uint32_t, TermId> found;
    if (!match(place.pattern, term, found)) continue;
    any = true;
    for (const auto& [variable, value] : found) allowed[variable].push_back(value);
  }
  if (!any) return false;
  for (auto& [variable, values] : allowed) {
    sort_unique(values);
    if (bindings[variable]) {
      std::vector<TermId> both;
      std::ranges::set_intersection(*bindings[variable], values, std::back_inserter(both));
      values = std::move(both);
    }
    if (values.empty()) return false;
    bindings[variable] = std::move(values);
    bound[variable] = true;
  }
  return true;
}

// The bounds of a rule's variables; nullopt if the body can never hold.
std::optional<ColumnContents::Bindings> ColumnContents::bindings_of(const Rule& rule) {
  Bindings bindings(rule.variables.size());
  std::vector<bool> bound(rule.variables.size());
  for (const Literal& literal : rule.body) {
    if (literal.negated) continue;
    const Keyword k = p_[literal.predicate].keyword;
    if ((any_fact_ && k == Keyword::fact) || (any_move_ && k == Keyword::does)) continue;
    for (const Place& place : places(literal))
      if (!narrow(place, bindings, bound)) return std::nullopt;
    // A relation without columns bounds no variable.
  }
  return bindings;
}

ColumnContents::Values ColumnContents::values_of(Pattern pattern, const Bindings& bindings) {
  if (pattern.is_ground()) return std::vector{pattern.term()};
  if (pattern.is_variable()) return bindings[pattern.number()];
  std::vector<std::vector<TermId>> arguments(1);
  for (std::uint32_t i = 0; i < p_.patterns.arity(pattern); ++i) {
    const Values values = values_of(p_.patterns.argument(pattern, i), bindings);
    if (!values || values->size() * arguments.size() > kListLimits.values) return std::nullopt;
    std::vector<std::vector<TermId>> longer;
    for (const auto& begin : arguments) {
      for (const TermId value : *values) {
        longer.push_back(begin);
        longer.back().push_back(value);
      }
    }
    arguments = std::move(longer);
  }
  std::vector<TermId> result;
  for (const auto& list : arguments) {
    result.push_back(p_.patterns.terms.intern(p_.patterns.symbol(pattern), list));
    if (p_.patterns.terms.depth(result.back()) > kListLimits.depth) return std::nullopt;
  }
  sort_unique(result);
  return result;
}

bool ColumnContents::add(Values& to, const Values& more) {
  if (!to) return false;
  if (!more || to->size() + more->size() > kListLimits.values) {
    to = std::nullopt;
    return true;
  }
  const std::size_t before = to->size();
  to->insert(to->end(), more->begin(), more->end());
  sort_unique(*to);
  return to->size() > before;
}

bool ColumnContents::take(const Literal& head, const Bindings& bindings) {
  const Keyword k = p_[head.predicate].keyword;
  bool grows = false;
  if ((k == Keyword::next || k == Keyword::init) && head.arguments[0].is_variable() && !any_fact_)
    grows = any_fact_ = true;
  if (k == Keyword::legal && head.arguments[1].is_variable() && !any_move_) grows = any_move_ = true;
  for (const Place& place : places(head)) grows |= add(*place.values, values_of(place.pattern, bindings));
  return grows;
}

ColumnContents::Values ColumnContents::of_variable(const Rule& rule, std::uint32_t variable) {
  const auto bindings = bindings_of(rule);
  return bindings ? (*bindings)[variable] : Values(std::vector<TermId>());
}

// --- Proofs of single tuples. ---

bool ColumnContents::holds(PredId predicate, const Tuple& tuple) {
  if (!is_static(predicate)) return false;
  try {
    return solve(predicate, tuple, 0, [](const auto&) { return true; });
  } catch (const Unknown&) {
    return false;
  }
}

std::optional<TermId> ColumnContents::value(Pattern pattern, const Tuple& known) const {
  if (pattern.is_ground()) return pattern.term();
  if (pattern.is_variable()) return known[pattern.number()];
  throw Unknown();
}

// Enumerates the matching tuples until `found` returns true.
bool ColumnContents::solve(PredId predicate, const Tuple& tuple, unsigned depth, const Found& found) {
  if (depth > kListLimits.derivation) throw Unknown();
  const auto count = [&] {
    if (!effort_.spend()) throw Unknown();
  };
  for (const Fact* fact : facts_[predicate.value]) {
    count();
    const auto arguments = p_.arguments(*fact);
    bool fits = true;
    for (std::size_t i = 0; fits && i < tuple.size(); ++i) fits = !tuple[i] || *tuple[i] == arguments[i];
    if (fits && found({arguments.begin(), arguments.end()})) return true;
  }
  for (const Rule* rule : rules_[predicate.value]) {
    count();
    Tuple known(rule->variables.size());
    bool fits = true;
    for (std::size_t i = 0; fits && i < tuple.size(); ++i) {
      const Pattern p = rule->head.arguments[i];
      if (p.is_compound()) throw Unknown();
      if (!tuple[i]) continue;
      if (p.is_variable() && !known[p.number()]) known[p.number()] = tuple[i];
      fits = *value(p, known) == *tuple[i];
    }
    if (!fits) continue;
    const auto done = [&] {
      std::vector<TermId> result;
      for (const Pattern p : rule->head.arguments) {
        const auto term = value(p, known);
        if (!term) throw Unknown();
        result.push_back(*term);
      }
      return found(result);
    };
    if (solve_body(bodies_.at(rule), 0, known, depth, done)) return true;
  }
  return false;
}

bool ColumnContents::solve_body(const std::vector<const Literal*>& body, std::size_t literal, Tuple& known,
                                unsigned depth, const std::function<bool()>& done) {
  if (literal == body.size()) return done();
  const Literal& l = *body[literal];
  const auto next = [&] { return solve_body(body, literal + 1, known, depth, done); };
  Tuple asked;
  for (const Pattern p : l.arguments) asked.push_back(value(p, known));
  const bool complete = std::ranges::all_of(asked, [](const auto& a) { return a.has_value(); });
  if (p_[l.predicate].keyword == Keyword::distinct) {
    if (!complete) throw Unknown();
    return (*asked[0] != *asked[1]) != l.negated && next();
  }
  if (l.negated) {
    if (!complete) throw Unknown();
    return !solve(l.predicate, asked, depth + 1, [](const auto&) { return true; }) && next();
  }
  return solve(l.predicate, asked, depth + 1, [&](const std::vector<TermId>& tuple) {
    const Tuple before = known;
    bool fits = true;
    for (std::size_t i = 0; fits && i < tuple.size(); ++i) {
      const Pattern p = l.arguments[i];
      if (p.is_variable() && !known[p.number()]) known[p.number()] = tuple[i];
      fits = *value(p, known) == tuple[i];
    }
    const bool enough = fits && next();
    known = before;
    return enough;
  });
}

}  // namespace rgtrans::gdl
