#include "frontends/gdl/lifted/answers.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/support/coverage.hpp"

namespace rgtrans::gdl::lifted {

namespace {

bool needs_recursion(const Model& model, RelKey key, std::set<RelKey>& seen) {
  if (!seen.insert(key).second) return false;
  if (model.recursive(key)) return true;
  return std::ranges::any_of(model.rules(key), [&](const LiftedRule& rule) {
    return std::ranges::any_of(rule.rule->body, [&](const EngineLiteral& l) {
      return model.kind(l) == LiteralKind::derived && needs_recursion(model, Model::key(l), seen);
    });
  });
}

}  // namespace

std::vector<GoalQuestion> shared_conditions(Model& model, RelId goal, TermId least) {
  std::map<GoalQuestion, std::size_t> times;
  for (const LiftedRule& rule : model.rules({goal, true})) {
    if (rule.rule->head.arguments[1] == Pattern::ground(least)) continue;
    const Pattern who = rule.rule->head.arguments[0];
    const std::vector<std::uint32_t> roles =
        who.is_ground() ? std::vector{who.term().value} : model.terms(rule.sorts[who.number()]);
    for (const EngineLiteral& literal : rule.rule->body) {
      const auto bound = [&](Pattern p) { return p.is_ground() || p == who; };
      if (model.kind(literal) != LiteralKind::derived || !std::ranges::all_of(literal.arguments, bound)) continue;
      std::set<RelKey> seen;
      if (!needs_recursion(model, Model::key(literal), seen)) continue;
      for (const std::uint32_t role : roles) {
        GoalQuestion question{Model::key(literal), {}};
        for (const Pattern p : literal.arguments) question.arguments.push_back(p.is_ground() ? p.term().value : role);
        ++times[question];
      }
    }
  }
  std::vector<GoalQuestion> result;
  for (const auto& [question, count] : times)
    if (count > 1) result.push_back(question);

  if (!result.empty()) reached("lifted", "answers");
  return result;
}

}  // namespace rgtrans::gdl::lifted
