// Straight code follows one way (straight.cpp). Where an automaton parts, something decides which way that is: the tag
// that comes next, a condition, a table; or all ways are tried.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "backends/cpp/loop_plan.hpp"

namespace rgtrans::cpp {

// A loop over values in their order that only looks for the next one with which something holds.
struct Lookout {
  VarId variable;
  CellPredicate word{};  // of the values
  bool reads_cells = false;
  std::size_t last = 0;         // value
  const Step* holds = nullptr;  // the condition
  std::uint32_t found = 0;      // where the loop goes with a value
  std::uint32_t none = 0;       // … and behind the last one
};
// One way under several conditions, one of which holds.
struct SoleWay {
  std::uint32_t to;
};
// Arms that compare one expression with constants.
struct SwitchedArms {
  std::vector<Arm> arms;
  CodePlan::Switch by;
};
// Conditions that exclude each other.
struct ExclusiveSteps {};
// All ways but the last are searched.
struct SearchedSteps {};

using StraightChoice = std::variant<SearchedSteps, Lookout, SoleWay, SwitchedArms, ExclusiveSteps, CodePlan::ByValue>;

class StraightPlanner : PlannerPart {
 public:
  StraightPlanner(const PlanningPlace& at, const LoopPlanner& loops) : PlannerPart(at), loops_(loops) {}
  StraightChoice choose(const std::vector<std::uint32_t>& steps);
  // The tag that comes next is all that matters.
  std::optional<CodePlan::ShownNext> choose_shown(std::uint32_t node);
  // The value that a choice has, by the next tag and another variable.
  std::optional<CodePlan::ChosenByTag> choose_by_tag(const Step& any);

 private:
  [[nodiscard]] std::optional<Lookout> choose_lookout(const std::vector<std::uint32_t>& steps) const;
  [[nodiscard]] std::optional<Lookout> lookout(std::uint32_t holding, std::uint32_t failing) const;
  [[nodiscard]] bool exclude_each_other(const std::vector<std::uint32_t>& steps) const;
  template <class Choice>
  StraightChoice chosen(std::uint32_t node, const char* strategy, std::string reason, Choice choice) {
    record(node, "", strategy, std::move(reason), 0, {});
    return choice;
  }

  const LoopPlanner& loops_;
};

}  // namespace rgtrans::cpp
