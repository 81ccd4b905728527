// The choice for each function that searches, and all planners of one exploration together.
#pragma once

#include <variant>

#include "backends/cpp/guesses.hpp"
#include "backends/cpp/loop_plan.hpp"
#include "backends/cpp/pattern_plan.hpp"
#include "backends/cpp/straight_plan.hpp"

namespace rgtrans::cpp {

// Steps are taken as the automaton has them.
struct PlainWalk {};
using FunctionPlan = std::variant<PlainWalk, Targets, const Around*, CheckForm>;

class Planner : PlannerPart {
 public:
  explicit Planner(const PlanningPlace& at)
      : PlannerPart(at),
        sets(at),
        targets(at),
        loops(at, sets, targets),
        straight(at, loops),
        place_(at),
        checks_(at) {}
  // What becomes of the function of a node.
  FunctionPlan choose(const Where& where);
  // What follows a choice of a value or an assignment of one, if that is a list of targets.
  Targets choose_behind(const Step& step, const Where& where);
  // All moves of a node as guesses.
  std::shared_ptr<const Guesses> choose_guesses(std::uint32_t node);

  SetPlanner sets;
  TargetPlanner targets;
  LoopPlanner loops;
  StraightPlanner straight;

 private:
  void record_targets(const Where& where, std::string place, const TargetTable& found) const;
  [[nodiscard]] bool is_entry(std::uint32_t node) const;

  PlanningPlace place_;
  CheckPlanner checks_;
};

}  // namespace rgtrans::cpp
