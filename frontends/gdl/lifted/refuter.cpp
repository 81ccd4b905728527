#include "frontends/gdl/lifted/refuter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <range/v3/algorithm/all_of.hpp>
#include <range/v3/algorithm/any_of.hpp>
#include <range/v3/range/primitives.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/indices.hpp>
#include <range/v3/view/map.hpp>
#include <span>

#include "core/support/effort.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/datalog/functional.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

// Depths of unfolding, tried in turn: a shallow search finds simple proofs with few literals.
constexpr std::array<std::uint32_t, 2> kDepths{3, 6};

bool is_constant(Refuter::Term t) { return t < 0; }
std::uint32_t constant_of(Refuter::Term t) { return static_cast<std::uint32_t>(~t); }

}  // namespace

// Calls f with each variable on the union-find path of a term.
template <class F>
void Refuter::for_each_bound(const State& s, Term t, F&& f) {
  while (t >= 0 && t < kFirstLocal) {
    const auto v = static_cast<std::size_t>(t);
    f(v);
    if (s.bound[v] == t) break;
    t = s.bound[v];
  }
}

Refuter::Why Refuter::why(const State& s, Term t) {
  Why result = 0;
  for_each_bound(s, t, [&](std::size_t v) { result |= s.why[v]; });
  return result;
}

Refuter::Why Refuter::why(const State& s, const Terms& terms) {
  Why result = 0;
  for (const Term t : terms) result |= why(s, t);
  return result;
}

// The justification of a term's path to its root, without the knowledge about the root.
Refuter::Why Refuter::why_bound(const State& s, Term t) {
  Why result = 0;
  for_each_bound(s, t, [&](std::size_t v) { result |= s.bound[v] == static_cast<Term>(v) ? 0 : s.why[v]; });
  return result;
}

// The justification that two terms are equal: their paths up to the first common variable.
Refuter::Why Refuter::why_same(const State& s, Term a, Term b) {
  boost::container::small_vector<std::size_t, 8> way;
  for_each_bound(s, a, [&](std::size_t v) { way.push_back(v); });
  auto met = way.end();
  Why result = 0;
  for_each_bound(s, b, [&](std::size_t v) {
    if (met == way.end()) met = std::ranges::find(way, v);
    if (met == way.end()) result |= s.why[v];
  });
  for (auto v = way.begin(); v != met; ++v) result |= s.why[*v];
  return result;
}

std::uint64_t Refuter::effort() const { return effort_ + pairs_ / kLiftedLimits.pairs_at_once; }

bool Refuter::spent_enough() const { return effort() > most_of_query_ || total_ + effort() > most_; }

std::uint32_t Refuter::changed(const State& s, const Atom& atom) {
  std::uint32_t result = atom.made;
  for (const Term t : atom.arguments)
    for_each_bound(s, t, [&](std::size_t v) { result = std::max(result, s.touched[v]); });
  return result;
}

bool Refuter::narrow(State& s, Term variable, SortId to, Why why) {
  SortId& sort = sort_of(s, variable);
  const SortId before = std::exchange(sort, m_.intersect(sort, to));
  if (sort == before) return true;
  touch(s, variable);
  Why& all = s.why[static_cast<std::size_t>(variable)] |= why;
  const auto& terms = m_.terms(sort);
  if (terms.empty()) return impossible(all);
  if (terms.size() == 1) s.bound[static_cast<std::size_t>(variable)] = constant(terms[0]);
  return true;
}

bool Refuter::unify(State& s, Term a, Term b, Why why) {
  const Why all = why | Refuter::why(s, a) | Refuter::why(s, b);
  const Why bound = why | why_bound(s, a) | why_bound(s, b);
  a = resolve(s, a);
  b = resolve(s, b);
  if (a == b) return true;
  // Binds the newer variable to the older one, so that older equalities never depend on it.
  if (is_constant(a) || (!is_constant(b) && a < b)) std::swap(a, b);
  if (is_constant(a) || (is_constant(b) && !can_be(s, a, constant_of(b)))) return impossible(all);
  touch(s, a);
  s.bound[static_cast<std::size_t>(a)] = b;
  s.why[static_cast<std::size_t>(a)] = bound;
  return is_constant(b) || narrow(s, b, sort_of(s, a), all);
}

bool Refuter::can_be(const State& s, Term t, std::uint32_t value) const {
  return is_constant(t) ? constant_of(t) == value : m_.contains(sort_of(s, t), value);
}

Refuter::Term Refuter::fresh(State& s, SortId sort) {
  const auto t = static_cast<Term>(s.bound.size());
  const auto& terms = m_.terms(sort);
  s.bound.push_back(terms.size() == 1 ? constant(terms[0]) : t);
  s.sorts.push_back(sort);
  s.why.push_back(0);
  s.touched.push_back(++s.clock);
  return t;
}

Refuter::Terms Refuter::fresh(State& s, const LiftedRule& rule) {
  Terms variables;
  for (const SortId sort : rule.sorts) variables.push_back(fresh(s, sort));
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
    add(query_, std::move(atom));
  }
  return variables;
}

bool Refuter::equal(Term a, Term b) { return unify(query_, a, b, assume(true, {a, b})); }

void Refuter::different(const Terms& a, const Terms& b) {
  Atom atom{{}, LiteralKind::distinct, false, false, 0, {}};
  for (std::size_t i = 0; i < a.size(); ++i) {
    atom.arguments.push_back(a[i]);
    atom.arguments.push_back(b[i]);
  }
  atom.why = assume(false, atom.arguments);
  add(query_, std::move(atom));
}

Refuter::Why Refuter::assume(bool equal, const Terms& terms) {
  if (proofs_ != nullptr && assumed_.empty()) bodies_ = query_fingerprint();
  assumed_.emplace_back(equal ? 1U : 2U);
  for (const Term t : terms) assumed_.back().add(static_cast<std::uint64_t>(t));
  return assumption(literals_ + assumed_.size() - 1);
}

void Refuter::add_fact(RelId fact, Terms arguments) {
  add(query_, {{fact, false}, LiteralKind::fact, false, false, 0, std::move(arguments)});
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

// --- Cached answers. ---

// A refutation stays valid under more assumptions, and a failure under fewer.
bool Refuter::answer() {
  if (assumed_.empty()) bodies_ = query_fingerprint();
  std::vector<Proofs::Answer>& answers = proofs_->of(bodies_);
  std::vector<Proofs::Fingerprint> sorted = assumed_;
  std::ranges::sort(sorted);
  const auto known = std::ranges::find_if(answers, [&](const Proofs::Answer& a) {
    const auto same_rules = [&](const auto& entry) { return fingerprint(entry.first) == entry.second; };
    const auto same_known = [&](const auto& entry) { return known_fingerprint(entry.first) == entry.second; };
    return (a.refuted ? std::ranges::includes(sorted, a.assumed) : std::ranges::includes(a.assumed, sorted)) &&
           std::ranges::all_of(a.relations, same_rules) && std::ranges::all_of(a.known, same_known);
  });
  if (known != answers.end()) {
    used_.insert(known->used.begin(), known->used.end());
    conflict_ = known->core;
    unfinished_ = known->unfinished;
    return known->refuted;
  }
  looked_at_.clear();
  std::set<RelId> others = std::exchange(used_, {});
  Proofs::Answer found;
  found.refuted = searched();
  found.unfinished = unfinished_;
  if (total_ <= most_) {
    for (std::size_t n = 0; n < assumed_.size(); ++n)
      if (!found.refuted || needed(literals_ + n)) found.assumed.push_back(assumed_[n]);
    std::ranges::sort(found.assumed);
    found.used = used_;
    found.core = conflict_;
    for (std::uint32_t place = 0; place < looked_at_.size(); ++place) {
      const RelKey relation{RelId(place / 2), place % 2 != 0};
      if (!looked_at_[place]) continue;
      found.relations.emplace_back(relation, fingerprint(relation));
      if (!found.refuted || relation.derived || used_.contains(relation.relation))
        found.known.emplace_back(relation, known_fingerprint(relation));
    }
    answers.push_back(found);
  }
  used_.merge(others);
  return found.refuted;
}

std::vector<Proofs::Fingerprint> Refuter::query_fingerprint() {
  std::vector<Proofs::Fingerprint> result;
  for (const Term t : query_.bound) result.emplace_back(static_cast<std::uint64_t>(t));
  for (const SortId sort : query_.sorts) result.push_back(fingerprint(sort));
  for (const Atom& atom : query_.atoms) {
    result.emplace_back(4 * std::uint64_t{atom.key.relation.value} + (atom.key.derived ? 1U : 0U) +
                        (atom.negated ? 2U : 0U));
    result.emplace_back(static_cast<std::uint64_t>(atom.kind));
    for (const Term t : atom.arguments) result.emplace_back(static_cast<std::uint64_t>(t));
  }
  return result;
}

Proofs::Fingerprint Refuter::fingerprint(SortId sort) {
  const auto [it, fresh] = sort_fingerprints_.try_emplace(sort);
  if (fresh)
    for (const std::uint32_t term : m_.terms(sort)) it->second.add(term);
  return it->second;
}

Proofs::Fingerprint Refuter::fingerprint(const Dependency& dependency) {
  Proofs::Fingerprint result(dependency.key.size());
  for (const auto* columns : {&dependency.key, &dependency.values})
    for (const std::uint32_t c : *columns) result.add(c);
  for (const RelId other : dependency.excludes) result.add(other.value);
  for (const Dependency::Inclusion& inclusion : dependency.implies) {
    result.add(inclusion.in.value);
    for (const auto& [other, own] : inclusion.columns) result.add(std::uint64_t{other} << 32U | own);
    for (std::uint32_t c = 0; c < m_.info(inclusion.in).tuples->arity(); ++c)
      result.add(fingerprint(m_.column(inclusion.in, c)));
  }
  return result;
}

// The rules of a relation.
Proofs::Fingerprint Refuter::fingerprint(RelKey relation) {
  const auto [it, fresh] = rules_fingerprints_.try_emplace(relation);
  if (fresh) it->second = rules_fingerprint(relation);
  return it->second;
}

// The current knowledge about a relation.
Proofs::Fingerprint Refuter::known_fingerprint(RelKey relation) {
  if (!relation.derived) {
    const auto found = dependencies_.find(relation.relation);
    return found == dependencies_.end() ? Proofs::Fingerprint() : fingerprint(found->second);
  }
  Proofs::Fingerprint result;
  if (const auto found = learned_.find(relation); found != learned_.end())
    for (const Dependency& dependency : found->second) result.add(fingerprint(dependency));
  return result;
}

Proofs::Fingerprint Refuter::rules_fingerprint(RelKey relation) {
  Proofs::Fingerprint result(m_.recursive(relation) ? 1U : 2U);
  if (relation.relation.valid()) result.add(m_.info(relation.relation).tuples->size());
  for (const LiftedRule& rule : m_.rules(relation)) {
    for (const SortId sort : rule.sorts) result.add(fingerprint(sort));
    for (const Pattern p : rule.rule->head.arguments) result.add(p.bits);
    for (const EngineLiteral& literal : rule.rule->body) {
      const RelKey key = Model::key(literal);
      const LiteralKind kind = m_.kind(literal);
      const bool within = kind == LiteralKind::derived && m_.same_component(relation, key);
      result.add(key.relation.value);
      result.add(8 * static_cast<std::uint64_t>(kind) + (key.derived ? 4U : 0U) + (literal.negated ? 2U : 0U) +
                 (within ? 1U : 0U));
      for (const Pattern p : literal.arguments) result.add(p.bits);
    }
    result.add(0);
  }
  return result;
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
      return match(s, term(rule.rule->head.arguments[entry.first], variables), resolve(s, entry.second));
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
    const Term t = resolve(s, atom.arguments[c]);
    const Pattern p = rule.rule->head.arguments[c];
    const bool fits = p.is_ground() ? can_be(s, t, p.term().value)
                                    : !is_constant(t) || m_.contains(rule.sorts[p.number()], constant_of(t));
    if (fits) continue;
    excluded |= why(s, atom.arguments[c]);
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
  if (traced != nullptr) s.atoms[i].made = ++s.clock;  // its other rules are tried again
  const Terms variables = fresh(s, rule);
  const Atom atom = s.atoms[i];
  for (std::size_t c = 0; c < atom.arguments.size(); ++c)
    if ((traced == nullptr || traced->kept[c]) &&
        !unify(s, atom.arguments[c], term(rule.rule->head.arguments[c], variables), why))
      return false;
  for (Atom& made : body_of(rule, variables, atom.depth + 1)) {
    made.why = why;
    made.traced = traced == nullptr && atom.traced && made.key == atom.key;
    add(s, std::move(made));
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
  while (s.clock != s.settled) {
    const std::uint32_t since = std::exchange(s.settled, s.clock);
    std::vector<bool> fresh;
    for (std::size_t i = 0; i < s.atoms.size(); ++i) {
      fresh.push_back(changed(s, s.atoms[i]) > since);
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
    for (std::size_t i = 0; s.clock == s.settled && i < s.atoms.size(); ++i) {
      if (!is_negated_derived(s.atoms[i]) || !concerned(s, s.atoms[i])) continue;
      s.atoms[i].asked = s.clock;
      if (!propagate_negation(s, i)) return false;
    }
    if (spent_enough()) return true;
  }
  return true;
}

// Something on which the rules for the negated atom depend has changed since its last test.
bool Refuter::concerned(const State& s, const Atom& denied) {
  if (changed(s, denied) > denied.asked) return true;
  const std::set<RelKey>& reached = reached_by(denied.key);
  return std::ranges::any_of(s.atoms, [&](const Atom& atom) {
    return (atom.kind == LiteralKind::distinct || reached.contains(atom.key)) && changed(s, atom) > denied.asked;
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
    if (left.empty()) return s.atoms[i].done || impossible(why(s, s.atoms[i]));
    return left.size() > 1 || part(s, terms[left[0]], terms[left[0] + 1], why(s, s.atoms[i]));
  }
  if (s.atoms[i].kind == LiteralKind::fixed) return propagate_fixed(s, i);
  if (s.atoms[i].kind == LiteralKind::does && !s.atoms[i].negated && s.atoms.size() < kLiftedLimits.atoms) {
    Atom legal = s.atoms[i];
    legal.kind = LiteralKind::derived;
    legal.key.derived = true;
    const bool known = std::ranges::any_of(s.atoms, [&](const Atom& atom) {
      return atom.key == legal.key && atom.kind == legal.kind && atom.arguments == legal.arguments && !atom.negated;
    });
    if (!known) add(s, std::move(legal));
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
    const Term a = resolve(s, atom.arguments[p]);
    const Term b = resolve(s, atom.arguments[p + 1]);
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
                                                                : fresh(s, m_.column(inclusion.in, c)));
    }
    add(s, std::move(other));
    used_.insert(atom.key.relation);
  }
}

bool Refuter::propagate_fixed(State& s, std::size_t i) {
  const Relation& tuples = *m_.info(s.atoms[i].key.relation).tuples;
  Terms arguments;
  for (const Term t : s.atoms[i].arguments) arguments.push_back(resolve(s, t));
  const Why all = why(s, s.atoms[i]);
  if (std::ranges::all_of(arguments, is_constant)) {
    std::vector<std::uint32_t> tuple;
    for (const Term t : arguments) tuple.push_back(constant_of(t));
    s.atoms[i].done = true;
    return (tuples.find(tuple.data()) != kNone) != s.atoms[i].negated || impossible(all);
  }
  if (s.atoms[i].negated) return true;
  if (tuples.size() > kLiftedLimits.refuter_rows) return propagate_alike(s, s.atoms[i]);
  const std::vector<SortId>& left = left_of(s, s.atoms[i].key.relation, arguments);
  for (std::size_t c = 0; c < arguments.size(); ++c) {
    if (is_constant(arguments[c])) continue;
    if (m_.terms(left[c]).empty()) return impossible(all);
    if (!is_constant(resolve(s, arguments[c])) && !narrow(s, arguments[c], left[c], all)) return false;
  }
  return true;
}

// For a large static relation, tests the equality pattern of the arguments only: some tuple must have it.
bool Refuter::propagate_alike(const State& s, const Atom& atom) {
  Question asked{atom.key.relation.value};  // and for each argument the first equal one
  Why why = atom.why;
  bool alike = false;
  for (std::size_t c = 0; c < atom.arguments.size(); ++c) {
    const auto same = [&](Term t) { return resolve(s, t) == resolve(s, atom.arguments[c]); };
    const auto found = std::ranges::find_if(atom.arguments, same);
    asked.push_back(found - atom.arguments.begin());
    if (found == atom.arguments.begin() + static_cast<std::ptrdiff_t>(c)) continue;
    alike = true;
    why |= why_same(s, *found, atom.arguments[c]);
  }
  if (!alike) return true;
  const auto [it, fresh] = alike_.try_emplace(asked);
  if (fresh) {
    const Relation& tuples = *m_.info(atom.key.relation).tuples;
    effort_ += tuples.size() / kLiftedLimits.rows_at_once;
    const auto pattern = std::span(asked).subspan(1);
    it->second = !ranges::empty(matching_rows(tuples, pattern, [](std::size_t, std::uint32_t) { return true; }));
  }
  return it->second || impossible(why);
}

// The values of each argument in the matching tuples of a static relation (arc consistency). They depend on the sorts
// of the variables and on equalities between them, which form the cache key.
const std::vector<SortId>& Refuter::left_of(const State& s, RelId relation, const Terms& arguments) {
  Question asked{relation.value};
  for (std::size_t c = 0; c < arguments.size(); ++c) {
    const auto first = std::ranges::find(arguments, arguments[c]) - arguments.begin();
    asked.push_back(is_constant(arguments[c]) ? arguments[c] : sort_of(s, arguments[c]).value);
    asked.push_back(first);
  }
  const auto [it, fresh] = left_.try_emplace(std::move(asked));
  if (!fresh) return it->second;
  const Relation& tuples = *m_.info(relation).tuples;
  effort_ += tuples.size() / kLiftedLimits.rows_at_once;
  std::vector<std::set<std::uint32_t>> kept(arguments.size());
  const auto fits = [&](std::size_t c, std::uint32_t value) { return can_be(s, arguments[c], value); };
  for (const std::uint32_t* const row : matching_rows(tuples, arguments, fits))
    for (std::size_t c = 0; c < arguments.size(); ++c) kept[c].insert(row[c]);
  for (const auto& terms : kept) it->second.push_back(m_.sort({terms.begin(), terms.end()}));
  return it->second;
}

bool Refuter::propagate_pair(State& s, std::size_t i, std::size_t j) {
  const Atom& a = s.atoms[i];
  const Atom& b = s.atoms[j];
  if (a.kind != b.kind || a.kind == LiteralKind::distinct) return true;
  const auto same = [&](std::size_t c) { return resolve(s, a.arguments[c]) == resolve(s, b.arguments[c]); };
  const Why both = a.why | b.why;
  // The justification for the equality of these columns, where they are equal.
  const auto why_same = [&](const auto& columns) {
    Why result = both;
    for (const std::size_t c : columns)
      if (same(c)) result |= Refuter::why_same(s, a.arguments[c], b.arguments[c]);
    return result;
  };
  const auto columns = ranges::views::indices(a.arguments.size());
  const auto join = [&](std::size_t c, Why why) { return unify(s, a.arguments[c], b.arguments[c], why); };
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
      if (!same(c) && determines(a.key.relation, mask, c) && !join(c, why_same(columns))) return false;
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
  const Why all = why | Refuter::why(s, a) | Refuter::why(s, b);
  a = resolve(s, a);
  b = resolve(s, b);
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(a) || !is_constant(b)) return a != b || impossible(all);
  const SortId sort = sort_of(s, a);
  if (!m_.contains(sort, constant_of(b)) || m_.terms(sort).size() > kLiftedLimits.parted_values) return true;
  return narrow(s, a, m_.without(sort, constant_of(b)), all);
}

// Two positive literals are joined on their shared variables. A negated one is tested if it contains only these and
// constants.
bool Refuter::fit_together(State& s, const Atom& a, const Atom& b) {
  if (a.negated) return fit_together(s, b, a);
  boost::container::small_vector<std::pair<std::size_t, std::size_t>, 8> shared;
  std::size_t covered = 0;
  for (std::size_t k = 0; k < b.arguments.size(); ++k) {
    const Term t = resolve(s, b.arguments[k]);
    const std::size_t before = shared.size();
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
      if (!is_constant(t) && t == resolve(s, a.arguments[i])) shared.emplace_back(i, k);
    covered += is_constant(t) || shared.size() > before ? 1 : 0;
  }
  if (b.negated ? shared.empty() || covered < b.arguments.size() : shared.size() < 2) return true;
  const Relation& x = *m_.info(a.key.relation).tuples;
  const Relation& y = *m_.info(b.key.relation).tuples;
  if (x.size() > kLiftedLimits.refuter_rows || y.size() > kLiftedLimits.refuter_rows) return true;
  Question asked{b.negated ? 1 : 0};
  for (const Atom* atom : {&a, &b}) {
    asked.push_back(atom->key.relation.value);
    for (const Term t : atom->arguments) {
      const Term now = resolve(s, t);
      asked.push_back(is_constant(now) ? now : sort_of(s, now).value);
    }
  }
  for (const auto& [i, k] : shared) asked.push_back(static_cast<Term>(a.arguments.size() * k + i));
  const auto [it, fresh] = together_.try_emplace(std::move(asked), false);
  const Why all = why(s, a) | why(s, b);
  if (!fresh) return it->second || impossible(all);
  effort_ += (x.size() + y.size()) / kLiftedLimits.rows_at_once;
  // Ignores equal arguments, which are no part of the question.
  const auto rows = [&](const Relation& tuples, const Atom& atom) {
    return rows_of(tuples) | ranges::views::filter([&](const std::uint32_t* row) {
             return ranges::all_of(ranges::views::indices(atom.arguments.size()),
                                   [&](std::size_t c) { return can_be(s, resolve(s, atom.arguments[c]), row[c]); });
           });
  };
  if (b.negated) {
    std::vector<std::uint32_t> denied;
    for (const Term t : b.arguments) denied.push_back(is_constant(resolve(s, t)) ? constant_of(resolve(s, t)) : 0);
    it->second = ranges::any_of(rows(x, a), [&](const std::uint32_t* row) {
      for (const auto& [i, k] : shared) denied[k] = row[i];
      return y.find(denied.data()) == kNone;
    });
  } else {  // a semijoin
    const auto own = shared | ranges::views::keys;
    const auto other = shared | ranges::views::values;
    std::set<std::vector<std::uint32_t>> allowed;
    for (const std::uint32_t* const row : rows(x, a)) allowed.insert(projected(row, own));
    it->second =
        ranges::any_of(rows(y, b), [&](const std::uint32_t* row) { return allowed.contains(projected(row, other)); });
  }
  return it->second || impossible(all);
}

bool Refuter::determines(RelId relation, std::uint64_t mask, std::size_t column) {
  const auto [it, fresh] = determined_.try_emplace({relation, mask, column});
  if (!fresh) return it->second;
  const Relation& tuples = *m_.info(relation).tuples;
  std::vector<std::uint32_t> key;
  for (std::uint32_t c = 0; c < tuples.arity() && c < 64; ++c)
    if ((mask >> c & 1U) != 0) key.push_back(c);
  return it->second = gdl::determines(rows_of(tuples), key, {static_cast<std::uint32_t>(column)});
}

// A negated atom must not be derivable. If all body literals of a rule for it but one are entailed, the remaining
// literal is false.
bool Refuter::propagate_negation(State& s, std::size_t i) {
  const Atom atom = s.atoms[i];
  const Why own = why(s, atom);
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
               std::ranges::equal(other.arguments, last.arguments, {}, [&](Term t) { return resolve(s, t); });
      });
      if (known) break;
      Goals others = goals;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(g));
      support_ = 0;
      if (!entails(s, others, kLiftedLimits.entail_depth - 1)) continue;
      last.why = own | support_;
      add(s, std::move(last));
      break;
    }
  }
  if (settled) s.atoms[i].done = true;
  return true;
}

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
  const auto sort = [&](Term t) { return is_constant(t) ? m_.single(TermId(constant_of(t))) : sort_of(s, t); };
  if (a != b && m_.disjoint(sort(a), sort(b))) {
    support_ |= why(s, a) | why(s, b);
    return true;
  }
  return std::ranges::any_of(s.atoms, [&](const Atom& atom) {
    if (atom.kind != LiteralKind::distinct || atom.arguments.size() > 2) return false;
    const Term x = resolve(s, atom.arguments[0]);
    const Term y = resolve(s, atom.arguments[1]);
    if ((x != a || y != b) && (x != b || y != a)) return false;
    support_ |= why(s, atom);
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
    support_ |= why(s, atom);
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
    for (const std::uint32_t term : m_.terms(sort_of(s, arguments[0])))
      if (tuples.find(&term) == kNone) return false;
    if (!entails(s, std::move(goals), depth)) return false;
    support_ |= why(s, arguments[0]);
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
    return !pairs.empty() && each_impossible(pairs, level, why(s, tuples), [&](std::size_t p, Why own) {
      State next = s;
      next.atoms[i].done = true;
      Atom one{{}, LiteralKind::distinct, false, false, 0, {tuples.arguments[p], tuples.arguments[p + 1]}};
      one.why = tuples.why | own;
      add(next, std::move(one));
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
    for (const Term t : atom.arguments) variables.insert(resolve(s, t));
    for (const Term t : variables)
      if (!is_constant(t) && m_.terms(sort_of(s, t)).size() <= kLiftedLimits.cases) ++literals[t];
  }
  std::erase_if(literals, [](const auto& entry) { return entry.second < 2; });
  if (literals.empty()) return false;
  const Term best = std::ranges::max_element(literals, {}, [](const auto& entry) { return entry.second; })->first;
  return split(s, best, level);
}

bool Refuter::split(const State& s, Term variable, unsigned level) {
  return each_impossible(m_.terms(sort_of(s, variable)), level, why(s, variable), [&](std::uint32_t term, Why own) {
    State next = s;
    return unify(next, variable, constant(term), own) && !search(std::move(next), level + 1);
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
      const Term t = resolve(s, atom.arguments[c]);
      if (is_constant(t)) continue;
      const std::size_t cases = m_.terms(sort_of(s, t)).size();
      if (cases >= fewest) continue;
      fewest = cases;
      best = t;
    }
  }
  if (best < 0) return std::nullopt;
  return split(s, best, level);
}

}  // namespace rgtrans::gdl::lifted
