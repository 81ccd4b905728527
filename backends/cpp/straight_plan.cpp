// See straight_plan.hpp.
#include "backends/cpp/straight_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cpp/cost_model.hpp"

namespace rgtrans::cpp {

// The loop goes on with the value behind the variable's where `fails` leads, until the variable has the last value.
std::optional<Lookout> StraightPlanner::lookout(std::uint32_t holding, std::uint32_t failing) const {
  const Step& holds = model_.steps[holding];
  const Step& fails = model_.steps[failing];
  if (!context_.contains(fails.to)) return std::nullopt;
  const std::vector<std::uint32_t>& ways = context_.at(fails.to).out;
  if (ways.size() != 2 || !facts_.complementary(model_.steps[ways[0]], model_.steps[ways[1]])) return std::nullopt;
  const bool first_ends = !model_.steps[ways[0]].negated;
  const Step& ends = model_.steps[ways[first_ends ? 0 : 1]];
  const Step& goes_on = model_.steps[ways[first_ends ? 1 : 0]];
  if (ends.kind != Deed::compare || !context_.contains(goes_on.to)) return std::nullopt;
  const std::vector<std::uint32_t>& back = context_.at(goes_on.to).out;
  if (back.size() != 1) return std::nullopt;
  const Step& next = model_.steps[back[0]];
  if (next.kind != Deed::assign || next.ends_move || next.to != holds.from) return std::nullopt;
  const VarId variable = next.variable;
  const ExprId x = model_.game.variable_ref(variable);
  if (next.lhs != x || !facts_.scratch(variable)) return std::nullopt;
  if (ends.lhs != x && ends.rhs != x) return std::nullopt;
  const Folded last = model_.fold(ends.lhs == x ? ends.rhs : ends.lhs);
  if (!last.symbol.valid()) return std::nullopt;
  const std::vector<SymbolId>& values = model_.universe(variable).symbols;
  Lookout result{.variable = variable, .found = holds.to, .none = ends.to};
  while (result.last < values.size() && values[result.last] != last.symbol) {
    if (result.last + 1 == values.size()) return std::nullopt;
    if (model_.fold(next.rhs, {{x, values[result.last]}}).symbol != values[result.last + 1]) return std::nullopt;
    ++result.last;
  }
  // Nobody comes with a value behind the last one: the way from there to the others is none in their order.
  for (std::size_t beyond = result.last + 1; beyond < values.size(); ++beyond)
    if (model_.values->may_hold(holds.from, variable, static_cast<std::uint32_t>(beyond))) return std::nullopt;
  for (const ExprId side : {holds.lhs, holds.rhs})
    model_.for_each_atom(side, [&](ExprId atom) { result.reads_cells = result.reads_cells || model_.is_cell(atom); });
  if (result.reads_cells && result.last < kCosts.lookout_least) return std::nullopt;
  auto word = loops_.filter(variable, {holding});
  if (!word) return std::nullopt;
  result.word = std::move(*word);
  return result;
}

std::optional<Lookout> StraightPlanner::choose_lookout(const std::vector<std::uint32_t>& steps) const {
  if (steps.size() != 2 || context_.purpose != Purpose::system) return std::nullopt;
  const Step& a = model_.steps[steps[0]];
  const Step& b = model_.steps[steps[1]];
  if (a.kind != Deed::compare || !facts_.complementary(a, b)) return std::nullopt;
  std::optional<Lookout> found = lookout(steps[0], steps[1]);
  if (!found) found = lookout(steps[1], steps[0]);
  if (found) found->holds = found->found == a.to ? &a : &b;
  return found;
}

bool StraightPlanner::exclude_each_other(const std::vector<std::uint32_t>& steps) const {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t k = i + 1; k < steps.size(); ++k) {
      const Step& a = model_.steps[steps[i]];
      const Step& b = model_.steps[steps[k]];
      if (a.to != b.to && !facts_.conditions_exclude(a, b)) return false;
    }
  }
  return true;
}

std::optional<CodePlan::ShownNext> StraightPlanner::choose_shown(std::uint32_t node) {
  auto shown = context_.purpose == Purpose::apply ? plan_.shown_next(node) : std::nullopt;
  if (!shown) return shown;
  const std::size_t tags = shown->variables.size();
  record(node, "", "tag",
         tags == 1 ? "the tag that comes next is all that matters"
                   : fmt::format("the {} tags that come next are all that matters", tags),
         0, {});
  return shown;
}

std::optional<CodePlan::ChosenByTag> StraightPlanner::choose_by_tag(const Step& any) {
  if (context_.purpose != Purpose::apply || !form_.techniques.use(Technique::tables)) return std::nullopt;
  auto chosen = plan_.chosen_by_tag(any);
  if (chosen)
    record(any.from, "", "table", fmt::format("the next tag and {} decide", model_.identifiers[chosen->base.value]), 0,
           {});
  return chosen;
}

StraightChoice StraightPlanner::choose(const std::vector<std::uint32_t>& steps) {
  const Step& first = model_.steps[steps[0]];
  const std::uint32_t node = first.from;
  if (auto lookout = choose_lookout(steps))
    return chosen(node, "next value", "a loop only looks for the next value with which a condition holds",
                  std::move(*lookout));
  const bool applying = context_.purpose == Purpose::apply;
  const bool guarded = std::ranges::all_of(steps, [&](std::uint32_t s) { return is_condition(model_.steps[s]); });
  const bool one_way = std::ranges::all_of(steps, [&](std::uint32_t s) { return model_.steps[s].to == first.to; });
  if (applying && guarded && one_way) return SoleWay{first.to};
  if (guarded && steps.size() > kCosts.compared_ways) {
    std::vector<Arm> arms = plan_.arms_of(steps);
    if (auto by = plan_.switch_on(arms)) {
      const std::size_t count = arms.size();
      return chosen(node, "switch", fmt::format("{} ways compare one expression", count),
                    SwitchedArms{std::move(arms), std::move(*by)});
    }
  }
  if (guarded && steps.size() <= kCosts.compared_ways && exclude_each_other(steps)) return ExclusiveSteps();
  if (applying && form_.techniques.use(Technique::tables)) {
    if (auto ways = plan_.by_value(steps)) {
      const VarId base = ways->base;
      return chosen(node, "table", fmt::format("the next tag and {} decide", model_.identifiers[base.value]),
                    std::move(*ways));
    }
  }
  if (steps.size() == 1) return SearchedSteps();
  return chosen(node, "search", fmt::format("{} ways are tried one after the other", steps.size()), SearchedSteps());
}

}  // namespace rgtrans::cpp
