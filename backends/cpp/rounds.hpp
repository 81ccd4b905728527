// Walks that come back to a node with other values of the only variable that tells visits apart (sets.hpp), value by
// value: which can come next, and what cells must hold for that.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "backends/cpp/sets.hpp"
#include "backends/cpp/subset.hpp"

namespace rgtrans::cpp {

// By value and source, no cells.
Needed nothing_needed(std::size_t sources, std::size_t words, std::size_t values);
// Calls end(item, needed) for each end of the walks, with the cells that are needed to come there. False where one of
// the calls is, or where a condition is no set of cells.
bool visit_ends(const std::vector<SetItem>& items, const Needed& at,
                const std::function<bool(const SetItem&, const Needed&)>& end);

// The items that come back to the start, or the others.
std::vector<SetItem> part_of(const std::vector<SetItem>& items, bool back);

// By value, those that can come next, each with the cells that it needs. None where that is not a list of cells.
std::optional<Subsets> rounds_of(const SetWalks& walks, VarId variable, std::size_t values);

// The rounds that lead to each value.
Subsets turned_rounds(const Subsets& rounds);

// Rounds in which a value leads to neighbours that hold the same. All neighbours of a set are found at once,
// and those that hold something lead on, or to the goal.
struct Spread {
  std::map<std::int64_t, Bits> neighbours;  // so far away, of these values
  std::vector<std::size_t> next, goal;      // sources of what leads on, and to the goal
  std::vector<SetItem> rest;                // other ends
};
std::optional<Spread> spread_of(const SetWalks& walks, VarId variable);

// By value, what the walks to the ends show, each with the cells that it needs. None where there is more to it.
struct ShownBehind {
  std::vector<Bits> needs;
  std::vector<SetTag> tags;
};
std::optional<std::vector<std::vector<ShownBehind>>> ends_of(const SetWalks& walks, std::size_t values);

// The values that can ever be reached from one, by value: the cells that each way there needs at last. Nothing is
// needed for what it begins with.
std::map<std::uint32_t, std::vector<Bits>> reached_from(const Subsets& rounds, std::uint32_t value);

}  // namespace rgtrans::cpp
