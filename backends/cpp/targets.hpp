// A function of one variable, "all rays from this square", whose walks differ only in which cells must hold something
// and in what they show: for each value a list of targets, each with the cells that it needs. The walks are those of
// sets.hpp, read value by value. It is a function where ways meet, the start of a move, or what follows a choice; and
// behind each target such a function may follow again, as the arrow behind the way of an amazon.
//
// Behind a choice, a cycle may lead to the targets (reached.cpp): from each piece, all cells that jumps lead to.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "backends/cpp/planner.hpp"
#include "backends/cpp/rounds.hpp"
#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

struct TargetTable {
  VarId variable;
  std::uint32_t node = 0;
  SetWalks walks;
  Subsets targets{};
  std::size_t most = 0, padded = 0;  // of one value
  std::size_t needs_planes = 0;
  bool ends = false;                    // targets are moves
  std::optional<std::uint32_t> next{};  // … or another function follows
  std::vector<SetWay::Write> writes{};  // before it
  bool drawn = false;                   // where moves are drawn, without a test which targets are possible
};
using Targets = std::shared_ptr<const TargetTable>;

struct TargetCycle {
  std::uint32_t node = 0;
  VarId key;
  SetWalks walks{};
  Subsets rounds{};
  std::vector<std::vector<ShownBehind>> ends{};  // by value of the key
  std::vector<std::size_t> sources{};            // their numbers among those of the targets
  std::optional<SetWay> way{};                   // to the cycle
  Bits possible{};
};

// How one of the moves behind a choice is drawn without a list of them: candidates are counted, one is picked, and
// tested only then. If it is no move, another one is picked. Each move is one candidate, so all are equally probable.
//
// A candidate is a value with one of its targets, and is tested by the cells that it needs; behind a cycle, the cycle
// is then followed from this value. Without targets, it is a value with one of so many moves, and the rest of its walk
// is the test (waiting.cpp).
struct Sampling {
  std::uint32_t most = 0;
  Targets targets{};
  std::shared_ptr<const TargetCycle> cycle{};
};

// For one value: vectors that are compared, and conditions that a walk would test one by one.
double vectors_compared(const TargetTable& found);
double conditions_walked(const TargetTable& found);

// Sources of which nothing is needed.
void drop_sources(TargetTable& found);

class TargetPlanner : PlannerPart {
 public:
  explicit TargetPlanner(const PlanningPlace& at) : PlannerPart(at) {}
  // None where the walks from a node, or behind a choice, are no lists of targets.
  Targets choose(std::uint32_t node, const Where& where);
  Targets choose_behind(const Step& any, const Where& where);
  // None where the values of a choice have no targets, directly or behind a cycle, that can be drawn.
  std::optional<Sampling> choose_sample(const Step& any, const Where& where);
  // The function at a node where ways meet; it is handed the variable.
  Targets function(std::uint32_t node);
  [[nodiscard]] VarId parameter_of(std::uint32_t node) const { return facts_.parameters(context_, node)[0]; }
  // The last choice was none, and why.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  std::set<std::uint32_t> functions_behind(std::uint32_t node, const Where& where);
  Targets choose_behind(std::uint32_t node, VarId variable, const std::set<std::uint32_t>& stops, const Where& where);
  std::optional<Sampling> choose_reached(const Step& any, const Where& where);
  std::optional<TargetTable> find(std::uint32_t node, VarId variable, WalkBounds bounds);
  [[nodiscard]] std::optional<TargetTable> begin(std::uint32_t node, VarId variable, SetWalks walks);
  bool collect(const SetItem& item, const Needed& at, TargetTable& into);
  bool goes_on(const SetItem& item, TargetTable& into);
  [[nodiscard]] std::optional<CellPredicate> either(const CellPredicate& a, const CellPredicate& b) const;
  void join_alike(TargetTable& found) const;
  static bool join_alike(std::vector<Subset>& targets, std::size_t a, std::size_t b);
  bool is_unseen(const SetWay::Write& write, const SetItem& item);
  [[nodiscard]] std::optional<std::uint64_t> shown_by(const std::vector<SetTag>& tags, std::size_t x,
                                                      std::uint32_t passed) const;
  [[nodiscard]] std::uint32_t passed(std::uint32_t node) const;
  [[nodiscard]] std::optional<std::uint32_t> cycle_behind(std::uint32_t node) const;
  std::optional<TargetCycle> find_cycle(std::uint32_t node);
  std::optional<TargetTable> find_reached(const Step& any, TargetCycle& cycle, const Where& where);
  bool collect_reached(const SetItem& item, const Needed& at, TargetCycle& cycle, TargetTable& into);
  bool add_reached(std::size_t x, const std::vector<Bits>& needs, const TargetCycle& cycle, TargetTable& into);
  [[nodiscard]] bool knows_writes(const TargetCycle& cycle) const;

  std::map<std::uint32_t, Targets> functions_;
};

}  // namespace rgtrans::cpp
