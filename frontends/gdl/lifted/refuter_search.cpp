// The search of the Refuter: entailment of goals by a state, and case splits with backjumping.
#include <algorithm>

#include "core/support/progress.hpp"
#include "frontends/gdl/lifted/refuter.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

// --- Entailment. ---

// New local variables for a rule.
Refuter::Terms Refuter::fresh_locals(const LiftedRule& rule) {
  Terms variables;
  for (std::size_t v = 0; v < rule.sorts.size(); ++v) {
    variables.push_back(kFirstLocal + static_cast<Term>(locals_.size()));
    locals_.push_back(variables.back());
  }
  return variables;
}

bool Refuter::match(const State& s, Term goal, Term known) {
  goal = value(s, goal);
  known = value(s, known);
  if (goal == known) return true;
  if (goal < kFirstLocal) return false;
  locals_[static_cast<std::size_t>(goal - kFirstLocal)] = known;
  chosen_.push_back(goal);
  return true;
}

bool Refuter::match(const State& s, const Terms& goal, const Terms& known) {
  for (std::size_t c = 0; c < goal.size(); ++c)
    if (!match(s, goal[c], known[c])) return false;
  return true;
}

bool Refuter::follows(const State& s, const Atom& goal) {
  if (goal.kind != LiteralKind::distinct) return false;
  const Term a = value(s, goal.arguments[0]);
  const Term b = value(s, goal.arguments[1]);
  if (is_constant(a) && is_constant(b)) return a != b;
  if (a >= kFirstLocal || b >= kFirstLocal) return false;
  const auto sort = [&](Term t) { return is_constant(t) ? m_.single(TermId(constant_of(t))) : s.sort_of(t); };
  if (a != b && m_.disjoint(sort(a), sort(b))) {
    support_ |= s.why(a) | s.why(b);
    return true;
  }
  return std::ranges::any_of(s.atoms, [&](const Atom& atom) {
    if (atom.kind != LiteralKind::distinct || atom.arguments.size() > 2) return false;
    const Term x = s.resolve(atom.arguments[0]);
    const Term y = s.resolve(atom.arguments[1]);
    if ((x != a || y != b) && (x != b || y != a)) return false;
    support_ |= s.why(atom);
    return true;
  });
}

bool Refuter::entails(const State& s, Goals goals, unsigned depth) {
  ++effort_;
  if (spent_enough()) return false;
  if (goals.empty()) return true;
  // Disequalities wait until other goals have bound their variables.
  const auto waits = [&](const Atom* goal) {
    return goal->kind == LiteralKind::distinct &&
           std::ranges::any_of(goal->arguments, [&](Term t) { return value(s, t) >= kFirstLocal; });
  };
  const auto next = std::ranges::find_if_not(goals, waits);
  if (next == goals.end()) return false;
  const Atom& goal = **next;
  goals.erase(next);
  if (goal.kind == LiteralKind::distinct) return follows(s, goal) && entails(s, std::move(goals), depth);
  for (const Atom& atom : s.atoms) {
    if (atom.key != goal.key || atom.kind != goal.kind || atom.negated != goal.negated) continue;
    const Locals before(*this);
    if (!match(s, goal.arguments, atom.arguments) || !entails(s, goals, depth)) continue;
    support_ |= s.why(atom);
    return true;
  }
  look_at(goal.key);
  if (goal.kind == LiteralKind::fixed) return entails_fixed(s, goal, std::move(goals), depth);
  if (goal.kind != LiteralKind::derived || goal.negated || depth == 0) return false;
  for (const LiftedRule& rule : m_.rules(goal.key)) {
    const Locals before(*this);
    const Terms variables = fresh_locals(rule);
    bool fits = true;
    for (std::size_t c = 0; fits && c < goal.arguments.size(); ++c) {
      const Term head = term(rule.rule->head.arguments[c], variables);
      const Term own = value(s, goal.arguments[c]);
      fits = own >= kFirstLocal ? match(s, own, head) : match(s, head, own);
    }
    if (!fits) continue;
    const Body body = body_of(rule, variables, 0);
    Goals all = goals;
    std::ranges::copy(goals_of(body), std::back_inserter(all));
    if (entails(s, std::move(all), depth - 1)) return true;
  }
  return false;
}

// The case that the next goal is a static literal.
bool Refuter::entails_fixed(const State& s, const Atom& goal, Goals goals, unsigned depth) {
  Relation& tuples = *m_.info(goal.key.relation).tuples;
  if (tuples.size() > kLiftedLimits.refuter_rows) return false;
  Terms arguments;
  for (const Term t : goal.arguments) arguments.push_back(value(s, t));
  const bool open = std::ranges::any_of(arguments, [](Term t) { return t >= kFirstLocal; });
  const bool variable = std::ranges::any_of(arguments, [](Term t) { return t >= 0 && t < kFirstLocal; });
  if (variable && (open || arguments.size() > 1 || goal.negated)) return false;
  if (variable) {  // a unary relation with all values of the variable
    for (const std::uint32_t term : m_.terms(s.sort_of(arguments[0])))
      if (tuples.find(&term) == kNone) return false;
    if (!entails(s, std::move(goals), depth)) return false;
    support_ |= s.why(arguments[0]);
    return true;
  }
  std::vector<std::uint32_t> columns;
  std::vector<std::uint32_t> key;
  for (std::uint32_t c = 0; c < arguments.size(); ++c) {
    if (!is_constant(arguments[c])) continue;
    columns.push_back(c);
    key.push_back(constant_of(arguments[c]));
  }
  if (!open) return (tuples.find(key.data()) == kNone) == goal.negated && entails(s, std::move(goals), depth);
  if (goal.negated) return false;
  const Index* const index = columns.empty() ? nullptr : &tuples.index(columns);
  std::uint32_t r = index != nullptr ? index->find(key.data()) : 0;
  for (; r != kNone && r < tuples.size(); r = index != nullptr ? index->next(r) : r + 1) {
    const Locals before(*this);
    bool fits = true;
    for (std::size_t c = 0; fits && c < arguments.size(); ++c)
      fits = match(s, arguments[c], constant(tuples.row(r)[c]));
    if (fits && entails(s, goals, depth)) return true;
  }
  return false;
}

// --- Case splits. ---

template <class Alternatives, class Try>
bool Refuter::each_impossible(const Alternatives& alternatives, unsigned level, Why why, Try&& possible) {
  const Why own = Why{1} << std::min(level, kShared);
  for (const auto& alternative : alternatives) {
    if (possible(alternative, own)) return false;
    if (spent_enough()) return false;
    if ((conflict_ & own) == 0) return true;
    why |= level < kShared ? conflict_ & ~own : conflict_;
  }
  conflict_ = why;
  return true;
}

bool Refuter::search(State s, unsigned level) {
  check_wanted();
  if (!propagate(s)) return true;
  if (spent_enough()) return false;
  std::size_t best = s.atoms.size();
  std::pair least(true, kLiftedLimits.alternatives + 1);  // prefers the relation of the last successful split
  Why why = 0;
  for (std::size_t i = 0; i < s.atoms.size(); ++i) {
    const Atom& atom = s.atoms[i];
    if (atom.done || atom.negated || atom.kind != LiteralKind::derived || atom.depth >= depth_) continue;
    Why excluded = atom.why;
    const std::size_t cost = rules_for(s, atom, untraced(atom), excluded).size() + std::size_t{4} * atom.depth;
    const std::pair rank(atom.key != refuted_, cost);
    if (cost > kLiftedLimits.alternatives || rank >= least) continue;
    least = rank;
    best = i;
    why = excluded;
  }
  if (least.second > 3)
    if (const std::optional<bool> split = split_values(s, level)) return *split;
  if (best == s.atoms.size() || s.atoms.size() >= kLiftedLimits.atoms) {
    if (const std::optional<bool> split = split_tuples(s, level)) return *split;
    return split_joins(s, level);
  }
  const Origin* const traced = untraced(s.atoms[best]);
  const bool none =
      each_impossible(rules_for(s, s.atoms[best], traced, why), level, why, [&](const LiftedRule* rule, Why own) {
        State next = s;
        return unfold(next, best, *rule, traced, s.atoms[best].why | own) && !search(std::move(next), level + 1);
      });
  if (none) refuted_ = s.atoms[best].key;
  return none;
}

// Splits on the pair of terms in which two tuples differ.
std::optional<bool> Refuter::split_tuples(const State& s, unsigned level) {
  for (std::size_t i = 0; i < s.atoms.size(); ++i) {
    Atom tuples = s.atoms[i];
    if (tuples.done || tuples.kind != LiteralKind::distinct || tuples.arguments.size() <= 2) continue;
    const std::vector<std::size_t> pairs = may_differ(s, tuples);
    return !pairs.empty() && each_impossible(pairs, level, s.why(tuples), [&](std::size_t p, Why own) {
      State next = s;
      next.atoms[i].done = true;
      Atom one{{}, LiteralKind::distinct, false, false, 0, {tuples.arguments[p], tuples.arguments[p + 1]}};
      one.why = tuples.why | own;
      next.add(std::move(one));
      return !search(std::move(next), level + 1);
    });
  }
  return std::nullopt;
}

// Splits on a variable with few values that several static literals share, because propagation joins only two of them.
bool Refuter::split_joins(const State& s, unsigned level) {
  std::map<Term, std::size_t> literals;
  for (const Atom& atom : s.atoms) {
    if (atom.kind != LiteralKind::fixed || atom.negated || atom.done) continue;
    std::set<Term> variables;
    for (const Term t : atom.arguments) variables.insert(s.resolve(t));
    for (const Term t : variables)
      if (!is_constant(t) && m_.terms(s.sort_of(t)).size() <= kLiftedLimits.cases) ++literals[t];
  }
  std::erase_if(literals, [](const auto& entry) { return entry.second < 2; });
  if (literals.empty()) return false;
  const Term best = std::ranges::max_element(literals, {}, [](const auto& entry) { return entry.second; })->first;
  return split(s, best, level);
}

bool Refuter::split(const State& s, Term variable, unsigned level) {
  return each_impossible(m_.terms(s.sort_of(variable)), level, s.why(variable), [&](std::uint32_t term, Why own) {
    State next = s;
    return next.unify(variable, constant(term), own) && !search(std::move(next), level + 1);
  });
}

// Splits on an unknown role of a move, or on an argument of a fact if facts of its functor are negated.
std::optional<bool> Refuter::split_values(const State& s, unsigned level) {
  const auto denied = [&](const Atom& atom) {
    return std::ranges::any_of(s.atoms, [&](const Atom& other) { return other.negated && other.key == atom.key; });
  };
  Term best = -1;
  std::size_t fewest = kLiftedLimits.cases + 1;
  for (const Atom& atom : s.atoms) {
    if (atom.negated) continue;
    const bool move = atom.kind == LiteralKind::does;
    if (!move && (atom.kind != LiteralKind::fact || !denied(atom))) continue;
    for (std::size_t c = 0; c < (move ? 1 : atom.arguments.size()); ++c) {
      const Term t = s.resolve(atom.arguments[c]);
      if (is_constant(t)) continue;
      const std::size_t cases = m_.terms(s.sort_of(t)).size();
      if (cases >= fewest) continue;
      fewest = cases;
      best = t;
    }
  }
  if (best < 0) return std::nullopt;
  return split(s, best, level);
}

}  // namespace rgtrans::gdl::lifted
