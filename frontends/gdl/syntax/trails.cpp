// The condition. Let a *walk* be a relation with a list column. Each of its rules either starts the walk (it has no
// recursive literal) or makes one step from one of its tuples to another. A tuple without its list is a *node*. The
// columns that no step changes are *kept*; the others form the *place* of a node. The list is redundant if all of the
// following hold (ListedWalk tests them):
//
//   a. All elements of lists are the same injective function of a place.
//   b. Lists are passed in one direction: from starting rules to the heads of steps, or from the callers to the bodies
//      of steps. A step adds elements for the node that it leaves or reaches, or none. A list starts empty or with the
//      place of its own node, possibly with elements of kept columns.
//   c. Only queries in the walk's own rules read the list. Each is one literal about the list, or about the list with
//      the elements that this step adds.
//   d. A query compares the place that the step reaches; or the place that it leaves, if places enter the list only
//      when they are left; or it compares nothing.
//   e. If that place is not in the list, the query succeeds. A negated query does because its relation holds for
//      elements only. A positive one does by an induction over the list (ListRelations). The conditions of the
//      induction are part of the step, hold for all possible values, or follow from the query. In the last case they
//      stay in the step. The induction assumes a shape of elements, which all added elements have.
//   f. If lists start with elements of kept columns, the query fails for these, and `distinct` replaces it.
//   g. No rule in the recursive component of the walk without lists negates a relation of that component.
//
// The proof. 1. Without the queries the relation holds for no fewer nodes. All other conditions of a step stay, and
// none of them reads the list (c). Added conditions follow from queries (e) or express their meaning (f).
// 2. Let the relation hold for a node without lists. By (g) a derivation has ranks, and one of least rank is a chain,
// node 0 -> node 1 -> … -> node n, with growing ranks, so its nodes differ. They agree on kept columns, so their places
// differ, and so do the elements of their places (a). By induction along the chain, the relation holds for each node
// with a list that contains only places of earlier nodes, or of this one (b). In the step from node i to node i+1 the
// compared place is not in the list (d), so the queries succeed (e, f).
//
// If lists are passed to bodies, node 0 is the node of the query, and the chain is followed from there.
#include "frontends/gdl/syntax/trails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontends/gdl/limits.hpp"
#include "frontends/gdl/syntax/list_forms.hpp"
#include "frontends/gdl/syntax/listed_walk.hpp"
#include "frontends/gdl/syntax/predicate_graph.hpp"
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

// The walk without lists depends negatively on its own recursive component.
bool ListedWalk::depends_on_failure() const {
  const std::vector<std::uint32_t> component = p_.components();
  const auto among = [&](const Literal& l) { return component[l.predicate.value] == component[made_.value]; };
  return std::ranges::any_of(p_.rules, [&](const Rule& rule) {
    return among(rule.head) && std::ranges::any_of(rule.body, [&](const Literal& l) { return l.negated && among(l); });
  });
}

// The list of this literal is read elsewhere in the rule. If lists are passed to bodies: it is not an initial list.
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

// Steps to places that every list contains from the start are excluded by `distinct`.
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

// Removes the variables of lists from the numbering.
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
  return PredicateGraph(p_).needed_by([&](PredId p) {
    const Keyword k = p_[p].keyword;
    return k != Keyword::none && k != Keyword::auxiliary && k != Keyword::base && k != Keyword::input;
  });
}

// Drops the relations that nothing needs any more. False if something still needs the lists.
bool ListedWalk::drop_unneeded() {
  const std::vector<bool> needed = this->needed();
  if (needed[walk_.value]) return false;
  std::erase_if(p_.rules, [&](const Rule& rule) { return !needed[rule.head.predicate.value]; });
  std::erase_if(p_.facts, [&](const Fact& fact) { return !needed[fact.predicate.value]; });
  return true;
}

namespace {

// The recursive relations with the columns in which some rule builds longer terms.
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

// Some recursive rule builds longer terms. Few descriptions have one.
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

bool drop_one(Program& program) {
  std::vector<std::pair<Program, unsigned>> forms;
  forms.emplace_back(program, 0);
  for (std::size_t i = 0; i < forms.size() && i < kListLimits.forms; ++i) {
    for (const auto& [walk, column] : candidates(forms[i].first)) {
      Program trial = forms[i].first;
      if (!ListedWalk(trial, walk, column).drop()) continue;
      program = std::move(trial);
      return true;
    }
    if (forms[i].second == kListLimits.rewritings) continue;
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
