// The condition. Let a *walk* be a relation each of whose rules either begins (it does not ask the relation itself) or
// makes one step from one of its tuples to another one, and one of whose columns is a list. A tuple without its list is
// a *node*. Some columns are the same in both tuples of every step; the others together are the *place* of a node. The
// list goes if all of this is so (ListedWalk tests it):
//
//   a. An element of a list is a function of a place in one way, the same everywhere, and determines the place.
//   b. Lists are handed on in one direction: from the rules that begin to the heads of steps, or from those who ask for
//      the relation to the bodies of steps. A step adds elements for the node that it leaves or comes to, or none.
//      A list begins empty or with the place of its own node, and perhaps with columns that no step changes.
//   c. The list is read by nobody but questions in the walk's own rules, each a literal about the list, or about the
//   list
//      with the elements that this step adds.
//   d. A question compares the place to which the step leads, or, if places come into the list only when they are left,
//      the place that it leaves; or it compares nothing.
//   e. If that place is not in the list, the question is answered with yes: a negated one because its relation holds
//   for
//      elements only, another one by an induction over the list (ListRelations), whose conditions are part of the step,
//      or hold for all values that there can be, or follow from the question; in the last case they stay in the step.
//      The form of elements in that induction is the form of all elements that are ever added.
//   f. Where lists begin with kept columns, the question is answered with no for these, and `distinct` takes its place.
//   g. No rule that the walk without lists depends on, and that depends on it, negates one of these relations.
//
// The proof. 1. Without the questions the relation holds for no fewer nodes: all other conditions of a step stay, none
// of them reads the list (c), and conditions that were added follow from questions (e) or are what they meant (f).
// 2. Let it hold for a node without lists. By (g) everything is derived in ranks, and a derivation of least rank is a
// chain, node 0 -> node 1 -> … -> node n, with ranks that grow, so its nodes are different. They agree in what no step
// changes, so their places are different, and so are the elements of their places (a). By induction along the chain the
// relation holds for each node with a list of places of nodes before it, or of this one (b): in the step from node i to
// node i+1 the compared place is not in the list (d), so that the questions are answered with yes (e, f).
//
// In direction of bodies node 0 is the one that is asked for, and the chain is followed from there.
#include "frontends/gdl/syntax/trails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/support/reach.hpp"
#include "frontends/gdl/syntax/list_forms.hpp"
#include "frontends/gdl/syntax/listed_walk.hpp"
#include "frontends/gdl/syntax/trail_claims.hpp"

namespace rgtrans::gdl {

namespace {

std::size_t occurrences(const Program& program, const Rule& rule, std::uint32_t variable) {
  std::size_t count = 0;
  const auto look = [&](const Literal& literal) {
    for (const Pattern p : literal.arguments)
      program.patterns.for_each_variable(p, [&](std::uint32_t v) { count += v == variable ? 1 : 0; });
  };
  look(rule.head);
  std::ranges::for_each(rule.body, look);
  return count;
}

}  // namespace

bool ListedWalk::drop() {
  if (!find_steps() || !find_places() || !find_starts()) return false;
  for (Step& step : steps_)
    if (!find_questions(step)) return false;
  if (std::ranges::all_of(steps_, [](const Step& s) { return s.questions.empty(); })) return false;
  rewrite();
  ColumnContents columns(p_);
  columns_ = &columns;
  for (const Step& step : steps_)
    if (!settle(step)) return false;
  for (auto& [rule, literal] : more_) p_.rules[rule].body.push_back(std::move(literal));
  for (const Step& step : steps_)
    if (!bind(step)) return false;
  if (depends_on_failure()) return false;
  for (const Step& step : steps_) renumber(p_.rules[step.rule]);
  for (const std::size_t other : others_) renumber(p_.rules[other]);
  return drop_unneeded();
}

// Without lists, the walk still needs that some nodes are not reached, of itself or of others that depend on it.
bool ListedWalk::depends_on_failure() const {
  const std::vector<std::uint32_t> component = p_.components();
  const auto among = [&](const Literal& l) { return component[l.predicate.value] == component[made_.value]; };
  return std::ranges::any_of(p_.rules, [&](const Rule& rule) {
    return among(rule.head) && std::ranges::any_of(rule.body, [&](const Literal& l) { return l.negated && among(l); });
  });
}

// The list in this literal is one that nobody else looks at, or one with which a walk begins.
bool ListedWalk::reads_list(const Rule& rule, const Literal& literal) {
  const Pattern list = literal.arguments[column_];
  if (handed_ == Handed::to_bodies) return !parts(list).rest.is_ground();
  return literal.negated || !list.is_variable() || occurrences(p_, rule, list.number()) > 1;
}

void ListedWalk::rewrite() {
  std::string name = fmt::format("#{}_walk", p_.symbols.text(p_[walk_].name));
  while (p_.symbols.find(name).valid()) name += '#';
  made_ = p_.predicate(p_.symbols.intern(name), p_[walk_].arity - 1, Keyword::auxiliary, p_[walk_].where);
  p_.predicates[made_.value].defined = true;
  const auto shorten = [&](Literal& literal) {
    literal.predicate = made_;
    literal.arguments.erase(literal.arguments.begin() + column_);
  };
  for (Rule& rule : p_.rules) {
    if (rule.head.predicate == walk_) continue;
    bool shorter = false;
    for (Literal& literal : rule.body) {
      if (literal.predicate != walk_ || reads_list(rule, literal)) continue;
      shorten(literal);
      shorter = true;
    }
    if (shorter) others_.push_back(static_cast<std::size_t>(&rule - p_.rules.data()));
  }
  for (const Step& step : steps_) {
    Rule& rule = p_.rules[step.rule];
    shorten(rule.head);
    if (step.own) shorten(rule.body[*step.own]);
    for (auto i = step.asking.rbegin(); i != step.asking.rend(); ++i)
      rule.body.erase(rule.body.begin() + static_cast<std::ptrdiff_t>(*i));
    keep_apart(step, rule);
  }
}

// Places that are in every list from the beginning are not gone to.
void ListedWalk::keep_apart(const Step& step, Rule& rule) {
  const auto whole = [&](const Element& element) {
    return element.size() == 1 ? element[0] : p_.patterns.make(lists_.form.functor, element);
  };
  for (const Question& question : step.questions) {
    if (question.compared.empty() || !outside_) continue;
    for (const Element& other : *outside_) {
      Element element;
      for (const Pattern p : other)
        element.push_back(
            p_.patterns.substitute(p, [&](std::uint32_t c) { return rule.head.arguments[c > column_ ? c - 1 : c]; }));
      const PredId distinct = p_.predicate(p_.symbols.intern("distinct"), 2, Keyword::distinct, rule.where);
      rule.body.push_back({distinct, false, {whole(question.compared), whole(element)}, rule.where});
    }
  }
}

// Variables of lists are no variables any more.
void ListedWalk::renumber(Rule& rule) {
  std::vector<SymbolId> names;
  std::vector<std::uint32_t> number(rule.variables.size(), kNone);
  const auto renamed = [&](Literal& literal) {
    for (Pattern& p : literal.arguments)
      p = p_.patterns.substitute(p, [&](std::uint32_t v) {
        if (number[v] == kNone) {
          number[v] = static_cast<std::uint32_t>(names.size());
          names.push_back(rule.variables[v]);
        }
        return Pattern::variable(number[v]);
      });
  };
  renamed(rule.head);
  std::ranges::for_each(rule.body, renamed);
  rule.variables = std::move(names);
}

std::vector<bool> ListedWalk::needed() const {
  std::vector<std::vector<std::uint32_t>> bodies(p_.predicates.size());
  for (const Rule& rule : p_.rules)
    for (const Literal& literal : rule.body) bodies[rule.head.predicate.value].push_back(literal.predicate.value);
  std::vector<std::uint32_t> roots;
  for (std::uint32_t p = 0; p < bodies.size(); ++p) {
    const Keyword k = p_.predicates[p].keyword;
    if (k != Keyword::none && k != Keyword::auxiliary && k != Keyword::base && k != Keyword::input) roots.push_back(p);
  }
  return reached_from(bodies.size(), roots,
                      [&](std::uint32_t p, auto&& reach) { std::ranges::for_each(bodies[p], reach); });
}

// Nobody may need the lists any more.
bool ListedWalk::drop_unneeded() {
  const std::vector<bool> needed = this->needed();
  if (needed[walk_.value]) return false;
  std::erase_if(p_.rules, [&](const Rule& rule) { return !needed[rule.head.predicate.value]; });
  std::erase_if(p_.facts, [&](const Fact& fact) { return !needed[fact.predicate.value]; });
  return true;
}

namespace {

// Where a relation asks itself and some rule makes terms longer: the columns in which it does.
std::vector<std::pair<PredId, std::uint32_t>> candidates(const Program& program) {
  std::vector<std::pair<PredId, std::uint32_t>> result;
  for (const Rule& rule : program.rules) {
    const PredId head = rule.head.predicate;
    for (const Literal& literal : rule.body) {
      if (literal.predicate != head || program[head].keyword != Keyword::none) continue;
      for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
        const bool compound = rule.head.arguments[c].is_compound() || literal.arguments[c].is_compound();
        if (compound && std::ranges::find(result, std::pair(head, c)) == result.end()) result.emplace_back(head, c);
      }
    }
  }
  return result;
}

// Some rule that depends on what it derives makes terms longer. Few descriptions have one.
bool makes_lists(const Program& program) {
  const std::vector<std::uint32_t> component = program.components();
  const auto compound = [](const Literal& l) { return std::ranges::any_of(l.arguments, &Pattern::is_compound); };
  return std::ranges::any_of(program.rules, [&](const Rule& rule) {
    if (program[rule.head.predicate].keyword != Keyword::none) return false;
    return std::ranges::any_of(rule.body, [&](const Literal& l) {
      return component[l.predicate.value] == component[rule.head.predicate.value] &&
             (compound(rule.head) || compound(l));
    });
  });
}

constexpr std::size_t kMaxForms = 60;   // that are tried
constexpr unsigned kMaxRewritings = 3;  // one after the other

bool drop_one(Program& program) {
  std::vector<std::pair<Program, unsigned>> forms;
  forms.emplace_back(program, 0);
  for (std::size_t i = 0; i < forms.size() && i < kMaxForms; ++i) {
    for (const auto& [walk, column] : candidates(forms[i].first)) {
      Program trial = forms[i].first;
      if (!ListedWalk(trial, walk, column).drop()) continue;
      program = std::move(trial);
      return true;
    }
    if (forms[i].second == kMaxRewritings) continue;
    std::vector<Program> others = other_forms(forms[i].first);
    for (Program& other : others) forms.emplace_back(std::move(other), forms[i].second + 1);
  }
  return false;
}

}  // namespace

bool drop_trails(Program& program, ir::Claims* claims) {
  if (!makes_lists(program)) return false;
  const Program before = program;
  bool changed = false;
  while (makes_lists(program) && drop_one(program)) changed = true;
  if (changed && claims != nullptr && claims->wanted())
    for (ir::RuleClaim& claim : claims_about_lists(before, program))
      claims->add("lists of visited places", std::move(claim));
  return changed;
}

}  // namespace rgtrans::gdl
