// All values of a loop's variable at once. Behind `x = T(*)` everything is often a function of x that is known when the
// reasoner is generated: `y = up[x]`, the tags, which cells are asked. Then no value is followed alone. A walk is
// followed by the set of the values of x that can go it: a condition on `board[up[x]]` is a mask of the whole board,
// shifted by as many cells as `up` goes, and what comes to the end of a move is a set of moves, written in one go.
//
// The proof that a shift is right is made value by value: for each x that can come here, the cell that the condition
// reads and what that cell can ever hold (values.hpp) are evaluated. Cells that the walk itself has written are known.
// What is not understood is left to the ordinary loop.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/cpp/cell_predicate.hpp"
#include "backends/cpp/facts.hpp"

namespace rgtrans::cpp {

// Bits of one word of a set.
constexpr std::size_t kWord = 64;

// By code of x.
using Codes = std::vector<std::uint32_t>;

// For each x of `where`: bit x + `delta` of a set of cells, or bit `cell[x]` where they lie without order.
struct Shifted {
  std::size_t source = 0;  // index into SetWalks::sources
  std::int64_t delta = 0;
  Bits where;
  Codes cell;

  [[nodiscard]] std::size_t cell_of(std::size_t x) const {
    return cell.empty() ? static_cast<std::size_t>(static_cast<std::int64_t>(x) + delta) : cell[x];
  }
};

// The values of x for which a condition holds.
struct SetCondition {
  Bits sure;  // whatever the state is
  std::vector<Shifted> asked;
};

// One tag of a move: a function of x, or of a variable that was set before.
struct SetTag {
  Codes tags;
  VarId outer;
};

// What one walk has made of the state, for each x.
struct SetWay {
  std::map<std::uint32_t, Codes> values;  // of scalars
  struct Write {
    VarId map;
    Codes cell;
    std::optional<Codes> value;
    Bits possible;  // what it can be where it is no function of x
    ExprId outer;   // … but of scalars that were set before
    // A walk of one value can write it, too.
    [[nodiscard]] bool known() const { return value.has_value() || outer.valid(); }
  };
  std::vector<Write> writes;
  std::set<std::uint32_t> clobbered;  // maps of which no cell is known any more
  std::vector<SetTag> tags;
  Bits possible;
  std::size_t depth = 0;
  bool may_duplicate = false;  // the same labeling may be found elsewhere

  // The walk sets the variable, or writes to the map.
  [[nodiscard]] bool changes(VarId v) const;
  // Leaves out values for which the walk comes back to a node as it was there: they lead to nothing new.
  void drop_repeated(const SetWay& before);
};

// Sets of cells of one source. A check holds for a value where one of the sets lacks nothing, or nothing but the
// value's own cell, which the walk has filled.
struct FullSets {
  std::size_t source = 0;
  std::vector<std::uint64_t> sets;
  std::uint64_t own = 0;  // the cells that are values
};

// A condition on cells that lie elsewhere for each of eight ways, and what follows it there.
struct LaneItem {
  struct Lane {
    std::int64_t delta = 0;             // as Shifted
    std::uint64_t where = 0, sure = 0;  // as SetCondition; both empty where there is no such way
    bool goal = false;                  // the values for which it holds come to the goal
  };
  const Step* step = nullptr;
  std::size_t source = 0;  // index into SetWalks::sources
  std::array<Lane, 8> lanes;
  std::vector<LaneItem> inside;
};

// What is done with a set, as a tree.
struct SetItem {
  // scalarize: from a node on, one value after the other is followed; so are moves that another function continues.
  // loop_back: the walk returns to its start, with other values. check_deferrable: a check is evaluated at the node for
  // all values; a single value could continue from there without it.
  // lanes: several ways of a check at once.
  enum class Kind : std::uint8_t { narrow, when, check, moves, goal, scalarize, loop_back, check_deferrable, lanes };
  Kind kind = Kind::narrow;
  const Step* step = nullptr;
  std::vector<SetCondition> conditions;  // one of them holds
  bool constant = false;                 // … which the state does not decide
  bool negated = false;                  // of a check
  std::vector<SetItem> check, inside;
  std::optional<FullSets> full;  // the check, if it only compares sets of cells
  std::vector<SetTag> tags;      // of moves
  Bits possible;                 // the values that can come here
  // Of when: instead of the step's condition, that a variable that was set before has this value.
  std::optional<std::pair<VarId, std::uint32_t>> split;
  std::uint32_t node = 0;           // of scalarize
  std::uint32_t most_deferred = 0;  // moves behind a value, if values wait here to be drawn
  std::optional<SetWay> way;
  std::vector<Shifted> images;  // of loop_back: where bits of the new set come from
  std::vector<LaneItem> lanes;  // at most one
};

// Of values that can come here on the walk.
SetItem item_of(SetItem::Kind kind, const Step* step, const SetWay& way);

struct SetWalks {
  std::vector<SetItem> items;
  std::vector<CellPredicate> sources;  // masks, made when the walks begin
  std::size_t words = 1;               // 64 values of x, and as many cells, each
  std::size_t asked = 0;               // conditions that the state decides
  bool lists = false;                  // there are moves
  std::vector<AssumedCell> assumed;    // all this holds while they hold what they held at first
  bool shifts = true;                  // sets that come back, and all that is asked before, are shifted sets
};

// By source, the cells that something needs; none where it cannot be.
using Needed = std::vector<std::optional<std::vector<Bits>>>;
// By value, what is needed behind an item that narrows a set when so much was needed before; none where that is not one
// set of cells.
std::optional<Needed> needed_behind(const SetItem& item, const Needed& before);

// Where walks are followed from a node on: what holds already, what is walked elsewhere, where another function goes
// on.
struct WalkBounds {
  std::set<std::uint32_t> known, excluded;  // steps
  std::set<std::uint32_t> stops;            // nodes
  bool may_duplicate = false;               // the same labeling may be found elsewhere
  // Walks start behind the test whether the node was visited, and end where they come back to it.
  bool around = false;
  // Cells that are no value of the variable may be assumed to hold what they held at first.
  bool may_assume = false;
  // The result is queried for one value at a time, so it pays for few values, too.
  bool for_single_value = false;
};

// The walks from a node on, for all values that a variable can have there. `why`: the reason where there are none.
std::optional<SetWalks> find_set_walks(NumberedGame& model, const GameFacts& facts, const CodeContext& context,
                                       std::uint32_t node, VarId variable, WalkBounds bounds,
                                       std::string* why = nullptr);

// The walks behind a choice, or none when something in them is no function of its value.
std::optional<SetWalks> find_set_walks(NumberedGame& model, const GameFacts& facts, const CodeContext& context,
                                       const Step& any, WalkBounds bounds, std::string* why = nullptr);

// Sets are followed sooner than their values, one by one.
bool sets_pay(const NumberedGame& model, const SetWalks& walks);
// About how many instructions the items take.
std::size_t cost_of(const std::vector<SetItem>& items);

}  // namespace rgtrans::cpp
