// What sets decide for all values of a choice (sets.hpp) is decided for one of them. That costs a look at one cell, not
// at a board that was just written to, for which a processor waits. For example, a stone is put on an empty cell: a
// cell is picked among all cells, and read; most often it is empty.
#pragma once

#include <memory>
#include <vector>

#include "backends/cpp/planner.hpp"
#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

inline bool is_end(const SetItem& item) {
  return item.kind == SetItem::Kind::moves || item.kind == SetItem::Kind::goal;
}
// One look at one cell may spare looks at several whole vectors.
bool one_look_pays(const NumberedGame& model, const SetWalks& walks);

// One of some values of a choice, which is a move if conditions hold.
struct Guess {
  const SetWalks* walks = nullptr;
  std::vector<const SetItem*> way;  // the conditions
  std::vector<SetTag> tags;         // before the choice
  const SetItem* end = nullptr;
  std::uint32_t count = 0;  // of values
};

// All moves that there might be at a node: one of them is picked before it is known whether it is a move.
struct Guesses {
  std::vector<std::unique_ptr<SetWalks>> walks;
  std::vector<Guess> guesses;
  std::uint32_t total = 0;
};

// None where a look at some cells does not decide that.
std::shared_ptr<const Guesses> find_guesses(const PlanningPlace& at, std::uint32_t node);

}  // namespace rgtrans::cpp
