#include "frontends/gdl/lifted/chains.hpp"

#include "core/support/coverage.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

const std::optional<Chain>& Chains::of(RelKey relation) {
  const auto found = chains_.find(relation);
  return found != chains_.end() ? found->second : chains_.emplace(relation, find(relation)).first->second;
}

std::optional<Chain> Chains::find(RelKey relation) {
  const std::optional<Recursion> recursion = recursion_of(m_, relation);
  if (!recursion || recursion->steps.size() > 1 || recursion->first.size() > kLiftedLimits.chain_rules)
    return std::nullopt;
  const Recursion::Step& step = recursion->steps[0];
  if (!w_.planner.determines(*step.rule, step.recursive_literal, step.rule->rule->head.arguments) ||
      !ends(m_, *recursion))
    return std::nullopt;
  reached("lifted", "chains");
  return Chain{recursion->first, step.rule, step.recursive_literal, recursion->kept};
}

}  // namespace rgtrans::gdl::lifted
