// Which walks behind a choice are followed with sets (sets.hpp), and which cycles go round by round with them.
#pragma once

#include <map>
#include <optional>

#include "backends/cpp/planner.hpp"
#include "backends/cpp/rounds.hpp"
#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

// The cell that is asked for each value, if it is the same one.
std::optional<std::size_t> sole_cell(const Shifted& asked);

struct SetChoice {
  const Step* any;
  SetWalks walks;
  Bits all;                // the values
  bool remembers = false;  // a value for which the check held is asked first
};

// Walks that return to a node with other values of the only variable that distinguishes visits: all values that a round
// reaches at once, until there are no new ones. Such a function of a check can begin with many values.
struct Around {
  VarId key;
  SetWalks walks;
  std::optional<Subsets> rounds;  // where shifts do not do
  std::optional<Spread> spread;   // where the neighbours of a set decide
};

class SetPlanner : PlannerPart {
 public:
  explicit SetPlanner(const PlanningPlace& at) : PlannerPart(at) {}
  // None where the walks behind a choice are no functions of the value.
  std::optional<SetChoice> choose(const Step& any, const Where& where);
  // Null where the cycle of a node does not go round by round.
  const Around* around(std::uint32_t node);
  // The last choice was none, and why.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  void plan_items(std::vector<SetItem>& items, std::size_t words, std::uint32_t choice) const;
  [[nodiscard]] std::optional<SetWalks> find_around(std::uint32_t node, VarId variable) const;
  [[nodiscard]] std::optional<Subsets> small_rounds(const SetWalks& walks, VarId variable) const;

  std::map<std::uint32_t, std::optional<Around>> around_;
};

}  // namespace rgtrans::cpp
