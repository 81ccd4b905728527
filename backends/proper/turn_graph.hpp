// The automaton as a graph whose arcs say how the contents of variables can change: which symbol may replace which. A
// measure of the state that no arc raises, and that falls on every cycle through the end of a move, proves that plays
// end.
//
// A vertex is a node together with the values of tracked variables. A flow analysis over these vertices finds what is
// known of single cells: after `board[pos] == empty`, the assignment `board[pos] = x` can only replace empty.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/proper/known_game.hpp"

namespace rgtrans::proper {

// A part of the state that has a weight for each symbol: a variable, all cells of a map, or one cell.
struct MeasureSlot {
  ir::VarId variable;
  std::uint32_t cell = kNone;  // one cell; kNone for the sum over all cells
  auto operator<=>(const MeasureSlot&) const = default;
};

struct SymbolChange {
  MeasureSlot slot;
  SymbolId from, to;
  auto operator<=>(const SymbolChange&) const = default;
};

struct TurnArc {
  std::uint32_t from, to;             // vertices
  std::uint32_t moves = 0;            // most ends of moves on its walks
  bool idle = true;                   // it may leave all slots as they are
  std::vector<SymbolChange> changes;  // otherwise one of these happens; sorted
  ir::EdgeId edge;                    // one of its edges, for messages
};

struct TurnGraph {
  std::size_t vertices = 0;
  std::vector<TurnArc> arcs;
  std::vector<ir::VarId> replaced;  // maps that some edge replaces as a whole, or writes where no key is known
};

struct TurnGraphOptions {
  std::vector<ir::VarId> tracked;
  bool cells = false;  // give each cell of a map its own weights
  std::size_t most_vertices = 40'000;
};

// None if there are too many vertices.
[[nodiscard]] std::optional<TurnGraph> make_turn_graph(KnownGame& known, const TurnGraphOptions& options);
// Joins vertices between which nothing happens. Keeps every cycle through the end of a move.
void contract(TurnGraph& graph);

}  // namespace rgtrans::proper
