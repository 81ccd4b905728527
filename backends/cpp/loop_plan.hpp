// How the values of a choice are looped over: `x = T(*)` and what follows. Conditions behind the choice are filters, a
// word of 64 values each; ways that part by such conditions get loops of their own.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "backends/cpp/set_plan.hpp"
#include "backends/cpp/targets.hpp"

namespace rgtrans::cpp {

// Of a set that has the values of a choice.
inline std::size_t words_of_values(const NumberedGame& model, const Step& any) {
  return model.member_codes(any.type).back() / kWord + 1;
}

// One of the steps holds, for these values.
struct LoopFilter {
  CellPredicate predicate;
  Comparisons steps;
};

// One value after the other, without filters.
struct EachMember {};
// The values that pass the filters, by the bits of a word.
struct EachBit {};
// A check begins with all values at once.
struct Flood {
  std::size_t words;        // of its sets
  std::uint32_t node;       // of the cycle
  VarId key;                // the variable that distinguishes its visits
  std::optional<Bits> all;  // the values that it starts with, where these are no values of the choice
};

struct Loop {
  std::set<std::uint32_t> excluded, on_way;  // as Where
  std::vector<LoopFilter> filters;
  std::uint32_t node = 0;  // where they end
  std::variant<EachMember, EachBit, Flood, Sampling, SetChoice> form;
};

class LoopPlanner : PlannerPart {
 public:
  LoopPlanner(const PlanningPlace& at, SetPlanner& sets, TargetPlanner& targets)
      : PlannerPart(at), sets_(sets), targets_(targets) {}
  // The loops of a choice, one after the other.
  std::vector<Loop> choose(const Step& any, const Where& where);
  // The values of a variable with which one of the comparisons holds, where masks may be used.
  [[nodiscard]] std::optional<CellPredicate> filter(VarId variable, const Comparisons& steps) const;

 private:
  std::vector<LoopFilter> find_filters(VarId variable, std::uint32_t& node, Where& where) const;
  Loop choose_loop(const Step& any, const Where& where, std::vector<LoopFilter> filters, std::uint32_t node);
  void choose_form(Loop& loop, const Step& any, const Where& where);
  [[nodiscard]] std::optional<Flood> choose_flood(const Loop& loop, const Step& any, const Where& where);
  [[nodiscard]] std::optional<Flood> choose_flood_of_image(std::uint32_t node, const Step& any, const Where& where);
  const Around* around_of(std::uint32_t node, const Where& where);
  void record_loop(const Loop& loop, const Step& any, const Where& where) const;

  SetPlanner& sets_;
  TargetPlanner& targets_;
  std::vector<Rejected> rejected_;  // for the loop that is chosen
};

}  // namespace rgtrans::cpp
