// See function_plan.hpp.
#include "backends/cpp/function_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rgtrans::cpp {

bool Planner::is_entry(std::uint32_t node) const {
  return std::ranges::find(context_.entries, node) != context_.entries.end();
}

void Planner::record_targets(const Where& where, std::string place, const TargetTable& found) const {
  record(where.node, std::move(place), found.next ? "targets before targets" : "targets",
         fmt::format("{} targets of a value at most, {} words decide each{}", found.most, found.needs_planes,
                     found.drawn ? "; one is drawn before it is tested" : ""),
         vectors_compared(found), {{"walk", "conditions one by one", conditions_walked(found)}});
}

FunctionPlan Planner::choose(const Where& where) {
  const std::uint32_t node = where.node;
  std::vector<Rejected> rejected;
  if (context_.purpose == Purpose::moves) {
    if (auto choice = targets.choose(node, where)) {
      record_targets(where, "", *choice);
      return choice;
    }
    rejected.push_back({"targets", targets.why()});
  }
  if (const Around* const around = sets.around(node)) {
    record(node, "", "rounds",
           around->rounds ? "one variable distinguishes visits; the next values are compared with a table"
                          : "one variable distinguishes visits; the next values are shifted sets",
           static_cast<double>(cost_of(around->walks.items) * around->walks.words), std::move(rejected));
    return around;
  }
  if (context_.purpose == Purpose::check && is_entry(node)) {
    CheckForm form = checks_.choose();
    if (form.patterns)
      record(node, "", "patterns",
             fmt::format("{} clauses about the cells of one board", form.patterns->clauses.size()), form.plan->least(),
             {{"walk", "conditions that are tested on average", form.plan->tested()}});
    else if (form.expression)
      record(node, "", "expression", "few comparisons without effects", 0, {{"patterns", checks_.why()}});
    if (form.patterns || form.expression) return form;
    rejected.push_back({"patterns", checks_.why()});
  }
  record(node, "", "walk", "", 0, std::move(rejected));
  return PlainWalk();
}

Targets Planner::choose_behind(const Step& step, const Where& where) {
  auto choice = targets.choose_behind(step, where);
  if (choice) record_targets(where, label_text(model_, step), *choice);
  return choice;
}

std::shared_ptr<const Guesses> Planner::choose_guesses(std::uint32_t node) {
  auto choice = find_guesses(place_, node);
  if (choice)
    record(node, "a move is drawn", "guess",
           fmt::format("one of {} possible moves is tested before the others", choice->total), 0, {});
  return choice;
}

}  // namespace rgtrans::cpp
