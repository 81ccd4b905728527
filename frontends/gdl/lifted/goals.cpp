#include "frontends/gdl/lifted/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "frontends/gdl/lifted/answers.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl::lifted {

using ir::ExprId;
using ir::NodeId;

void Goals::find() {
  goal_ = m_.keyword(Keyword::goal);
  if (!goal_.valid()) return;
  for (const std::uint32_t term : m_.terms(m_.column(goal_, 1))) {
    const std::optional<int> value = goal_number(m_.text(TermId(term)));
    if (!value) throw NotLifted{"a goal is no number"};
    scores_.emplace_back(*value, TermId(term));
  }
  std::ranges::sort(scores_, std::greater<>(), [](const auto& s) { return s.first; });
}

NodeId Goals::emit(NodeId at) {
  at = emit_answers(at);
  for (std::size_t r = 0; r < roles().size(); ++r) at = emit(r, at);
  w_.take_answers({});
  return at;
}

// Evaluates the conditions that several goals share, before the goals.
NodeId Goals::emit_answers(NodeId at) {
  if (scores_.empty()) return at;
  Walks::Answers answers;
  for (const GoalQuestion& question : shared_conditions(m_, goal_, scores_.back().second)) {
    const RelKey key = question.key;
    const ExprId flag = t_.flag(fmt::format("answer_{}", answers.size() + 1));
    const std::vector<TermId> arguments(question.arguments.begin(), question.arguments.end());
    const NodeId yes = w_.node();
    const NodeId no = w_.node();
    w_.branch_shared(key, arguments, at, yes, no);
    at = w_.node();
    w_.edge(yes, at, ir::Assign{flag, t_.one()});
    w_.edge(no, at, ir::Assign{flag, t_.zero()});
    answers.emplace(std::pair(key, question.arguments), flag);
  }
  w_.take_answers(std::move(answers));
  return at;
}

// The rule determines the score of the role without any choice.
bool Goals::determines_score(const LiftedRule& rule, std::size_t r) {
  const std::vector<Pattern>& head = rule.rule->head.arguments;
  if (!head[1].is_variable()) return false;
  BodyState f = w_.body_state(rule, w_.new_region());
  f.wanted[head[1].number()] = true;
  NodeId at = w_.unify(f, rule.rule->head, {t_.constant(roles()[r])}, w_.node());
  if (at.valid()) at = w_.run_certain(f, at);
  return at.valid() && w_.value(f, head[1]);
}

// Writes the goal of a role. If the role determines its score and rules compute it, one query replaces a test per
// score.
NodeId Goals::emit(std::size_t r, NodeId at) {
  const ExprId cell = game_.access(game_.variable_ref(game_.goals()), game_.symbol(t_.symbol(roles()[r].value)));
  const NodeId out = w_.node();
  std::set<const LiftedRule*> determining;
  const bool plain = std::ranges::all_of(
      scores_, [&](const auto& s) { return t_.symbol(s.second.value) == t_.symbol(std::to_string(s.first)); });
  if (goal_.valid() && plain && scores_.size() > 2)
    for (const LiftedRule& rule : m_.rules({goal_, true}))
      if (determines_score(rule, r)) determining.insert(&rule);
  if (!determining.empty() && !w_.planner.determines({goal_, true}, {0}, {1})) determining.clear();
  for (const LiftedRule* rule : determining) {
    const Pattern score = rule->rule->head.arguments[1];
    BodyState f = w_.body_state(*rule, w_.new_region());
    f.wanted[score.number()] = true;
    const NodeId otherwise = w_.node();
    const NodeId begin = w_.unify(f, rule->rule->head, {t_.constant(roles()[r])}, at);
    solutions_.each(f, begin, otherwise, [&](BodyState& g, NodeId from, NodeId) {
      w_.edge(from, out, ir::Assign{cell, t_.expression(*w_.value(g, score))});
    });
    at = otherwise;
  }
  for (const auto& [value, term] : scores_) {
    const NodeId yes = w_.node();
    const NodeId no = w_.node();
    const auto asked = [&](const LiftedRule& rule) { return !determining.contains(&rule); };
    w_.branch({goal_, true}, {t_.constant(roles()[r]), t_.constant(term)}, at, yes, no, asked);
    if (game_.graph.in_degree(yes) > 0)
      w_.edge(yes, out, ir::Assign{cell, game_.symbol(t_.symbol(std::to_string(value)))});
    at = no;
  }
  w_.edge(at, out, ir::Assign{cell, t_.zero()});
  return out;
}

}  // namespace rgtrans::gdl::lifted
