#include "frontends/gdl/lifted/refuter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <range/v3/view/indices.hpp>

#include "core/support/effort.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// Depths of unfolding, tried in turn: a shallow search finds simple proofs with few literals.
constexpr std::array<std::uint32_t, 2> kDepths{3, 6};

}  // namespace

std::uint64_t Refuter::effort() const { return effort_ + pairs_ / kLiftedLimits.pairs_at_once; }

bool Refuter::spent_enough() const { return effort() > most_of_query_ || total_ + effort() > most_; }

Refuter::Terms Refuter::fresh(State& s, const LiftedRule& rule) {
  Terms variables;
  for (const SortId sort : rule.sorts) variables.push_back(s.fresh(sort));
  return variables;
}

Refuter::Atom Refuter::instantiate(const EngineLiteral& literal, const Terms& variables, std::uint32_t depth) {
  Atom atom{Model::key(literal), m_.kind(literal), literal.negated, false, depth, {}};
  for (const Pattern p : literal.arguments) atom.arguments.push_back(term(p, variables));
  return atom;
}

Refuter::Body Refuter::body_of(const LiftedRule& rule, const Terms& variables, std::uint32_t depth) {
  Body body;
  for (const EngineLiteral& literal : rule.rule->body) body.push_back(instantiate(literal, variables, depth));
  return body;
}

Refuter::Goals Refuter::goals_of(const Body& body) {
  Goals goals;
  for (const Atom& goal : body) goals.push_back(&goal);
  return goals;
}

Refuter::Terms Refuter::add_body(const LiftedRule& rule) {
  Terms variables = fresh(query_, rule);
  for (Atom& atom : body_of(rule, variables, 0)) {
    atom.why = assumption(literals_++);
    query_.add(std::move(atom));
  }
  return variables;
}

bool Refuter::equal(Term a, Term b) { return query_.unify(a, b, assume(true, {a, b})); }

void Refuter::different(const Terms& a, const Terms& b) {
  Atom atom{{}, LiteralKind::distinct, false, false, 0, {}};
  for (std::size_t i = 0; i < a.size(); ++i) {
    atom.arguments.push_back(a[i]);
    atom.arguments.push_back(b[i]);
  }
  atom.why = assume(false, atom.arguments);
  query_.add(std::move(atom));
}

Refuter::Why Refuter::assume(bool equal, const Terms& terms) {
  if (proofs_ != nullptr && assumed_.empty()) bodies_ = query_fingerprint();
  assumed_.emplace_back(equal ? 1U : 2U);
  for (const Term t : terms) assumed_.back().add(static_cast<std::uint64_t>(t));
  return assumption(literals_ + assumed_.size() - 1);
}

void Refuter::add_fact(RelId fact, Terms arguments) {
  query_.add({{fact, false}, LiteralKind::fact, false, false, 0, std::move(arguments)});
}

// Tells once that the effort has ended.
bool Refuter::give_up() {
  unfinished_ = true;
  if (total_ > most_ && !purpose_.empty())
    tell_note(fmt::format("{}: the effort ended before the work did", std::exchange(purpose_, {})));
  return false;
}

bool Refuter::refuted() {
  unfinished_ = false;
  if (total_ > most_) return give_up();
  return proofs_ != nullptr ? answer() : searched();
}

bool Refuter::searched() {
  begin();
  const bool result = std::ranges::any_of(kDepths, [&](std::uint32_t depth) {
    depth_ = depth;
    return search(query_, 0);
  });
  const bool enough = spent_enough();
  total_ += effort();
  return result || (enough && give_up());
}

bool Refuter::derives_next(RelId fact, const std::map<std::uint32_t, Term>& arguments) {
  if (total_ > most_) return give_up();
  begin();
  depth_ = kDepths.back();
  State s = query_;
  const bool result = !propagate(s) || std::ranges::any_of(m_.rules({fact, true}), [&](const LiftedRule& rule) {
    const Locals before(*this);
    const Terms variables = fresh_locals(rule);
    const auto fits = [&](const auto& entry) {
      return match(s, term(rule.rule->head.arguments[entry.first], variables), s.resolve(entry.second));
    };
    if (!std::ranges::all_of(arguments, fits)) return false;
    const Body body = body_of(rule, variables, 0);
    return entails(s, goals_of(body), kLiftedLimits.entail_depth);
  });
  total_ += effort();
  return result;
}

bool Refuter::may_match(const State& s, const Atom& atom, const LiftedRule& rule, Why& excluded, const Origin* traced) {
  for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
    if (traced != nullptr && !traced->kept[c]) continue;
    const Term t = s.resolve(atom.arguments[c]);
    const Pattern p = rule.rule->head.arguments[c];
    const bool fits = p.is_ground() ? s.can_be(t, p.term().value)
                                    : !is_constant(t) || m_.contains(rule.sorts[p.number()], constant_of(t));
    if (fits) continue;
    excluded |= s.why(atom.arguments[c]);
    return false;
  }
  return true;
}

// The rules that can derive the atom.
std::vector<const LiftedRule*> Refuter::rules_for(const State& s, const Atom& atom, const Origin* traced,
                                                  Why& excluded) {
  std::vector<const LiftedRule*> result;
  const auto add = [&](const LiftedRule& rule) {
    if (may_match(s, atom, rule, excluded, traced)) result.push_back(&rule);
  };
  if (traced != nullptr) {
    for (const LiftedRule* rule : traced->rules) add(*rule);
  } else {
    for (const LiftedRule& rule : m_.rules(atom.key)) add(rule);
  }
  return result;
}

// Adds the body of the rule.
bool Refuter::unfold(State& s, std::size_t i, const LiftedRule& rule, const Origin* traced, Why why) {
  (traced != nullptr ? s.atoms[i].traced : s.atoms[i].done) = true;
  if (traced != nullptr) s.atoms[i].made = s.tick();  // its other rules are tried again
  const Terms variables = fresh(s, rule);
  const Atom atom = s.atoms[i];
  for (std::size_t c = 0; c < atom.arguments.size(); ++c)
    if ((traced == nullptr || traced->kept[c]) &&
        !s.unify(atom.arguments[c], term(rule.rule->head.arguments[c], variables), why))
      return false;
  for (Atom& made : body_of(rule, variables, atom.depth + 1)) {
    made.why = why;
    made.traced = traced == nullptr && atom.traced && made.key == atom.key;
    s.add(std::move(made));
  }
  return true;
}

// --- Recursion. ---

const Refuter::Origin* Refuter::origin(RelKey relation) {
  const auto [it, fresh] = origins_.try_emplace(relation);
  Origin& o = it->second;
  if (!fresh || !m_.recursive(relation)) return o.rules.empty() ? nullptr : &o;
  o.kept.assign(m_.info(relation.relation).tuples->arity(), true);
  for (const LiftedRule& rule : m_.rules(relation)) {
    const EngineLiteral* call = nullptr;
    std::size_t calls = 0;
    for (const EngineLiteral& literal : rule.rule->body) {
      if (m_.kind(literal) != LiteralKind::derived || !m_.same_component(relation, Model::key(literal))) continue;
      call = &literal;
      calls += !literal.negated && Model::key(literal) == relation ? 1 : 2;
    }
    if (calls == 0) o.rules.push_back(&rule);
    for (std::size_t c = 0; c < o.kept.size() && calls > 0; ++c)
      o.kept[c] = o.kept[c] && calls == 1 && rule.rule->head.arguments[c] == call->arguments[c];
  }
  if (std::ranges::find(o.kept, true) == o.kept.end()) o.rules.clear();
  return o.rules.empty() ? nullptr : &o;
}

const Refuter::Origin* Refuter::untraced(const Atom& atom) {
  if (atom.kind != LiteralKind::derived || atom.negated || atom.traced || atom.done) return nullptr;
  return origin(atom.key);
}

// --- Propagation. False: the state is contradictory. ---

// Propagates to a fixpoint. A literal or pair is revisited after a change. Negated derived literals, the most expensive
// ones, wait until nothing else changes.
bool Refuter::propagate(State& s) {
  while (s.clock() != s.settled) {
    const std::uint32_t since = std::exchange(s.settled, s.clock());
    std::vector<bool> fresh;
    for (std::size_t i = 0; i < s.atoms.size(); ++i) {
      fresh.push_back(s.changed(s.atoms[i]) > since);
      if (fresh[i]) {
        ++effort_;
        look_at(s.atoms[i].key);
        if (!is_negated_derived(s.atoms[i]) && !propagate_atom(s, i)) return false;
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (!fresh[i] && !fresh[j]) continue;
        ++pairs_;
        if (!propagate_pair(s, i, j)) return false;
      }
    }
    for (std::size_t i = 0; s.clock() == s.settled && i < s.atoms.size(); ++i) {
      if (!is_negated_derived(s.atoms[i]) || !concerned(s, s.atoms[i])) continue;
      s.atoms[i].asked = s.clock();
      if (!propagate_negation(s, i)) return false;
    }
    if (spent_enough()) return true;
  }
  return true;
}

// Something on which the rules for the negated atom depend has changed since its last test.
bool Refuter::concerned(const State& s, const Atom& denied) {
  if (s.changed(denied) > denied.asked) return true;
  const std::set<RelKey>& reached = reached_by(denied.key);
  return std::ranges::any_of(s.atoms, [&](const Atom& atom) {
    return (atom.kind == LiteralKind::distinct || reached.contains(atom.key)) && s.changed(atom) > denied.asked;
  });
}

const std::set<RelKey>& Refuter::reached_by(RelKey relation) {
  const auto [it, fresh] = reached_.try_emplace(relation);
  std::vector<RelKey> left;
  if (fresh) left.push_back(relation);
  while (!left.empty()) {
    const RelKey next = left.back();
    left.pop_back();
    for (const LiftedRule& rule : m_.rules(next)) {
      for (const EngineLiteral& literal : rule.rule->body)
        if (const RelKey key = Model::key(literal); it->second.insert(key).second) left.push_back(key);
    }
  }
  return it->second;
}

bool Refuter::propagate_atom(State& s, std::size_t i) {
  if (s.atoms[i].done) return true;
  if (s.atoms[i].kind == LiteralKind::distinct) {
    const std::vector<std::size_t> left = may_differ(s, s.atoms[i]);
    const Terms& terms = s.atoms[i].arguments;
    if (left.empty()) return s.atoms[i].done || impossible(s.why(s.atoms[i]));
    return left.size() > 1 || part(s, terms[left[0]], terms[left[0] + 1], s.why(s.atoms[i]));
  }
  if (s.atoms[i].kind == LiteralKind::fixed) return propagate_fixed(s, i);
  if (s.atoms[i].kind == LiteralKind::does && !s.atoms[i].negated && s.atoms.size() < kLiftedLimits.atoms) {
    Atom legal = s.atoms[i];
    legal.kind = LiteralKind::derived;
    legal.key.derived = true;
    const bool known = std::ranges::any_of(s.atoms, [&](const Atom& atom) {
      return atom.key == legal.key && atom.kind == legal.kind && atom.arguments == legal.arguments && !atom.negated;
    });
    if (!known) s.add(std::move(legal));
    return true;
  }
  if (s.atoms[i].kind == LiteralKind::fact && !s.atoms[i].negated && !s.atoms[i].traced) imply(s, i);
  if (s.atoms[i].kind != LiteralKind::derived) return true;
  const bool enough = s.atoms[i].depth >= depth_ || s.atoms.size() >= kLiftedLimits.atoms;
  for (const Origin* traced = untraced(s.atoms[i]);; traced = nullptr) {
    Why why = s.atoms[i].why;
    const std::vector<const LiftedRule*> rules = rules_for(s, s.atoms[i], traced, why);
    if (rules.empty()) return impossible(why);
    if (rules.size() == 1 && !enough) return unfold(s, i, *rules[0], traced, why);
    if (traced == nullptr) return true;
  }
}

// The pairs of terms in which the two tuples may differ. Empty and done if some pair surely differs.
std::vector<std::size_t> Refuter::may_differ(const State& s, Atom& atom) {
  std::vector<std::size_t> result;
  for (std::size_t p = 0; p < atom.arguments.size(); p += 2) {
    const Term a = s.resolve(atom.arguments[p]);
    const Term b = s.resolve(atom.arguments[p + 1]);
    if (a == b) continue;
    if (is_constant(a) && is_constant(b)) {
      atom.done = true;
      return {};
    }
    result.push_back(p);
  }
  return result;
}

// Adds the facts that an inclusion dependency implies.
void Refuter::imply(State& s, std::size_t i) {
  const Atom atom = s.atoms[i];
  s.atoms[i].traced = true;
  const auto found = dependencies_.find(atom.key.relation);
  if (found == dependencies_.end() || s.atoms.size() >= kLiftedLimits.atoms) return;
  for (const Dependency::Inclusion& inclusion : found->second.implies) {
    Atom other{{inclusion.in, false}, LiteralKind::fact, false, false, atom.depth, {}};
    other.why = atom.why;
    other.traced = true;
    for (std::uint32_t c = 0; c < m_.info(inclusion.in).tuples->arity(); ++c) {
      const auto same = inclusion.columns.find(c);
      other.arguments.push_back(same != inclusion.columns.end() ? atom.arguments[same->second]
                                                                : s.fresh(m_.column(inclusion.in, c)));
    }
    s.add(std::move(other));
    used_.insert(atom.key.relation);
  }
}

bool Refuter::propagate_fixed(State& s, std::size_t i) {
  const Relation& tuples = *m_.info(s.atoms[i].key.relation).tuples;
  Terms arguments;
  for (const Term t : s.atoms[i].arguments) arguments.push_back(s.resolve(t));
  const Why all = s.why(s.atoms[i]);
  if (std::ranges::all_of(arguments, is_constant)) {
    std::vector<std::uint32_t> tuple;
    for (const Term t : arguments) tuple.push_back(constant_of(t));
    s.atoms[i].done = true;
    return (tuples.find(tuple.data()) != kNone) != s.atoms[i].negated || impossible(all);
  }
  if (s.atoms[i].negated) return true;
  if (tuples.size() > kLiftedLimits.refuter_rows) return propagate_alike(s, s.atoms[i]);
  const std::vector<SortId>& left = tables_.values(s, s.atoms[i].key.relation, arguments);
  for (std::size_t c = 0; c < arguments.size(); ++c) {
    if (is_constant(arguments[c])) continue;
    if (m_.terms(left[c]).empty()) return impossible(all);
    if (!is_constant(s.resolve(arguments[c])) && !s.narrow(arguments[c], left[c], all)) return false;
  }
  return true;
}

// For a large static relation, tests the equality pattern of the arguments only: some tuple must have it.
bool Refuter::propagate_alike(const State& s, const Atom& atom) {
  Terms first;  // for each argument the first equal one
  Why why = atom.why;
  for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
    const auto same = [&](Term t) { return s.resolve(t) == s.resolve(atom.arguments[c]); };
    first.push_back(std::ranges::find_if(atom.arguments, same) - atom.arguments.begin());
    const auto other = static_cast<std::size_t>(first.back());
    if (other != c) why |= s.why_same(atom.arguments[other], atom.arguments[c]);
  }
  bool alike = false;
  for (std::size_t c = 0; c < first.size(); ++c) alike = alike || first[c] != static_cast<Term>(c);
  return !alike || tables_.has_pattern(atom.key.relation, first) || impossible(why);
}

// A negated literal comes second.
bool Refuter::fit_together(const State& s, const Atom& a, const Atom& b) {
  if (a.negated) return fit_together(s, b, a);
  return tables_.fit_together(s, {a.key.relation, a.arguments}, {b.key.relation, b.arguments, b.negated}) ||
         impossible(s.why(a) | s.why(b));
}

bool Refuter::propagate_pair(State& s, std::size_t i, std::size_t j) {
  const Atom& a = s.atoms[i];
  const Atom& b = s.atoms[j];
  if (a.kind != b.kind || a.kind == LiteralKind::distinct) return true;
  const auto same = [&](std::size_t c) { return s.resolve(a.arguments[c]) == s.resolve(b.arguments[c]); };
  const Why both = a.why | b.why;
  // The justification for the equality of these columns, where they are equal.
  const auto why_same = [&](const auto& columns) {
    Why result = both;
    for (const std::size_t c : columns)
      if (same(c)) result |= s.why_same(a.arguments[c], b.arguments[c]);
    return result;
  };
  const auto columns = ranges::views::indices(a.arguments.size());
  const auto join = [&](std::size_t c, Why why) { return s.unify(a.arguments[c], b.arguments[c], why); };
  // Two facts with equal key columns agree on the columns that the key determines.
  const auto propagate_dependency = [&](const Dependency& d) {
    if (!std::ranges::all_of(d.key, same)) return true;
    const Why why = why_same(d.key);
    return std::ranges::all_of(d.values, [&](std::uint32_t c) { return join(c, why); });
  };
  if (a.kind == LiteralKind::does && !a.negated && !b.negated && same(0)) {
    const Why role = why_same(std::array{std::size_t{0}});
    if (a.key.relation != b.key.relation) return impossible(role);
    for (std::size_t c = 1; c < a.arguments.size(); ++c)
      if (!join(c, role)) return false;
    return true;
  }
  if (a.key != b.key) {
    if (a.negated || b.negated) return true;
    if (a.kind == LiteralKind::fixed) return fit_together(s, a, b);
    return a.kind != LiteralKind::fact ||
           !(excludes(a.key.relation, b.key.relation) || excludes(b.key.relation, a.key.relation)) || impossible(both);
  }
  std::size_t differ = 0;
  std::size_t other = 0;
  for (std::size_t c = 0; c < a.arguments.size(); ++c) {
    if (same(c)) continue;
    ++differ;
    other = c;
  }
  if (differ == 0) return a.negated == b.negated || impossible(why_same(columns));
  if (a.negated != b.negated && differ == 1) return part(s, a.arguments[other], b.arguments[other], why_same(columns));
  if (a.negated || b.negated) return a.kind != LiteralKind::fixed || a.negated == b.negated || fit_together(s, a, b);
  if (a.kind == LiteralKind::fixed) {
    std::uint64_t mask = 0;
    for (std::size_t c = 0; c < a.arguments.size() && c < 64; ++c) mask |= same(c) ? std::uint64_t{1} << c : 0;
    for (std::size_t c = 0; mask != 0 && c < a.arguments.size(); ++c)
      if (!same(c) && tables_.determines(a.key.relation, mask, c) && !join(c, why_same(columns))) return false;
    return true;
  }
  if (a.kind == LiteralKind::derived) {
    const auto known = learned_.find(a.key);
    return known == learned_.end() || std::ranges::all_of(known->second, propagate_dependency);
  }
  if (a.kind != LiteralKind::fact) return true;
  const auto found = dependencies_.find(a.key.relation);
  if (found == dependencies_.end() || !std::ranges::all_of(found->second.key, same)) return true;
  used_.insert(a.key.relation);
  return propagate_dependency(found->second);
}

bool Refuter::excludes(RelId fact, RelId other) {
  const auto found = dependencies_.find(fact);
  if (found == dependencies_.end()) return false;
  const std::vector<RelId>& list = found->second.excludes;
  if (std::ranges::find(list, other) == list.end()) return false;
  used_.insert(fact);
  return true;
}

bool Refuter::part(State& s, Term a, Term b, Why why) {
  const Why all = why | s.why(a) | s.why(b);
  a = s.resolve(a);
  b = s.resolve(b);
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(a) || !is_constant(b)) return a != b || impossible(all);
  const SortId sort = s.sort_of(a);
  if (!m_.contains(sort, constant_of(b)) || m_.terms(sort).size() > kLiftedLimits.parted_values) return true;
  return s.narrow(a, m_.without(sort, constant_of(b)), all);
}

// A negated atom must not be derivable. If all body literals of a rule for it but one are entailed, the remaining
// literal is false.
bool Refuter::propagate_negation(State& s, std::size_t i) {
  const Atom atom = s.atoms[i];
  const Why own = s.why(atom);
  bool settled = true;
  for (const LiftedRule& rule : m_.rules(atom.key)) {
    if (Why excluded = 0; !may_match(s, atom, rule, excluded)) continue;
    settled = false;
    const Locals before(*this);
    const Terms variables = fresh_locals(rule);
    if (!match(s, instantiate(rule.rule->head, variables, 0).arguments, atom.arguments)) continue;
    const Body body = body_of(rule, variables, 0);
    const Goals goals = goals_of(body);
    support_ = 0;
    if (entails(s, goals, kLiftedLimits.entail_depth)) return impossible(own | support_);
    if (atom.depth >= depth_ || s.atoms.size() >= kLiftedLimits.atoms) continue;
    for (std::size_t g = 0; g < goals.size(); ++g) {
      if (goals[g]->kind == LiteralKind::distinct) continue;
      Atom last = *goals[g];
      bool bound = true;
      for (Term& t : last.arguments) {
        t = value(s, t);
        bound = bound && t < kFirstLocal;
      }
      if (!bound) continue;
      last.negated = !last.negated;
      last.depth = atom.depth + 1;
      const bool known = std::ranges::any_of(s.atoms, [&](const Atom& other) {
        return other.key == last.key && other.kind == last.kind && other.negated == last.negated &&
               std::ranges::equal(other.arguments, last.arguments, {}, [&](Term t) { return s.resolve(t); });
      });
      if (known) break;
      Goals others = goals;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(g));
      support_ = 0;
      if (!entails(s, others, kLiftedLimits.entail_depth - 1)) continue;
      last.why = own | support_;
      s.add(std::move(last));
      break;
    }
  }
  if (settled) s.atoms[i].done = true;
  return true;
}

}  // namespace rgtrans::gdl::lifted
