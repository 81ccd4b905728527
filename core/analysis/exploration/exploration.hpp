// Explorations: the parts of the automaton that an engine traverses for one purpose, such as listing a player's moves
// or evaluating one reachability check. Each exploration ends at different places. It therefore has its own subgraph,
// its own live variables, and its own set of variables that may have changed since its start.
//
// Engines represent labels differently. They describe each edge to this analysis as a deed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/analysis/worklist.hpp"
#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"
#include "core/support/components.hpp"

namespace rgtrans::analysis {

// The effect of an edge on a walk. An artificial tag is not part of a move.
enum class Deed : std::uint8_t {
  nothing,
  compare,
  assign,
  assign_any,
  check,
  tag,
  tag_variable,
  artificial_tag,
  end_move,  // an assignment to `player`, in explorations of moves
};
[[nodiscard]] constexpr bool writes(Deed deed) { return deed == Deed::assign || deed == Deed::assign_any; }
[[nodiscard]] constexpr bool shows(Deed deed) { return deed == Deed::tag || deed == Deed::tag_variable; }

// The deeds of all edges, each with a number.
class Deeds {
 public:
  struct Row {
    ir::EdgeId edge;
    std::uint32_t from = 0, to = 0;  // nodes
    Deed deed = Deed::nothing;
    bool ends_move = false;   // an assignment to `player`
    bool whole = false;       // the assignment replaces the whole variable
    ir::VarId written;        // the assigned variable
    std::uint32_t check = 0;  // the number that the engine gives to the check
  };

  // `nodes`: the bound of node numbers. A node's outgoing edges keep the order of insertion.
  explicit Deeds(std::size_t nodes) : nodes_(nodes) {}
  // `reads`: variables that a condition or tag reads; for an assignment, those in its value and its indices.
  void add(const Row& row, std::span<const ir::VarId> reads);
  // Call after the last add().
  void finish();

  [[nodiscard]] const Row& operator[](std::uint32_t number) const { return rows_[number]; }
  [[nodiscard]] std::span<const ir::VarId> reads(std::uint32_t number) const {
    return std::span(reads_).subspan(reads_begin_[number], reads_begin_[number + 1] - reads_begin_[number]);
  }
  [[nodiscard]] std::span<const std::uint32_t> out(std::uint32_t node) const { return out_[node]; }
  [[nodiscard]] std::size_t node_bound() const { return nodes_; }

 private:
  std::size_t nodes_;
  std::vector<Row> rows_;
  std::vector<ir::VarId> reads_;
  std::vector<std::size_t> reads_begin_{0};
  Grouped out_;
};

// The deeds of a game's labels. number(check) is the number of a check.
[[nodiscard]] Deeds deeds_of(const ir::Game& game, const std::function<std::uint32_t(const ir::Reachability&)>& number);

// The local numbers of nodes. Most explorations are much smaller than the game and use a hash table; large ones use an
// array, which is faster.
class NodeNumbers {
 public:
  // `bound`: the bound of the game's node numbers.
  void assign(const std::vector<std::uint32_t>& nodes, std::size_t bound);
  [[nodiscard]] std::uint32_t find(std::uint32_t node) const {
    if (!dense_.empty()) return dense_[node];
    const auto it = sparse_.find(node);
    return it == sparse_.end() ? kNone : it->second;
  }
  [[nodiscard]] bool contains(std::uint32_t node) const { return find(node) != kNone; }
  // The local number of a node that belongs to the exploration.
  [[nodiscard]] std::uint32_t at(std::uint32_t node) const { return dense_.empty() ? sparse_.at(node) : dense_[node]; }

 private:
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint32_t, std::uint32_t> sparse_;
};

struct Exploration {
  struct Edge {
    std::uint32_t source = 0;
    std::uint32_t target = kNone;  // kNone for an end of a move that leaves the exploration
    Deed deed = Deed::nothing;     // checks ignore tags
    std::uint32_t number = 0;      // number of the deed
    ir::EdgeId edge;
  };

  std::vector<std::uint32_t> nodes;   // node by local number
  NodeNumbers local;                  // local number by node
  std::vector<std::uint32_t> starts;  // local numbers
  std::uint32_t target = kNone;       // target of a check, if it is reachable
  std::vector<Edge> edges;            // sorted by source
  Grouped out, in;                    // by local node: positions in edges; ends of moves have no target
  std::vector<Bits> live;             // by local node: variables that may be read before they are overwritten
  std::vector<Bits> changed;          // by local node: variables that may have been assigned since the start

  // Call after changing the edges.
  void link();
};

// Parameters of explore().
struct Question {
  std::vector<std::uint32_t> starts = {};    // node numbers
  std::optional<std::uint32_t> target = {};  // target of a check; without one, moves are explored
  bool all_moves = false;                    // continue past the ends of moves
  bool pruned = true;        // drop nodes from which neither an end of a move nor the target is reachable
  bool keep_starts = false;  // keep the starts even when pruning
};

// The part of the automaton on walks from the starts to the target or to ends of moves. Nodes are numbered in the order
// of discovery.
[[nodiscard]] Exploration explore(const Deeds& deeds, const Question& question);

// How code outside the exploration reads the state.
struct Reading {
  std::size_t variables = 0;
  ir::VarId by_tags;  // variable read by every tag: `visible`, which decides who sees the tag, or none
  // The variables that a check may read before it overwrites them.
  std::function<const Bits&(std::uint32_t check)> by_check;
  // The variables that are live behind the end of a move that leaves the exploration. Without this function, the end
  // reads nothing.
  std::function<Bits(std::uint32_t number)> behind_move;
};

// Computes `live` (strong liveness): a read counts only if it can affect a condition, a tag or a value that is itself
// needed. The next player is always needed. If `live` is not empty, its variables count as live at their nodes.
void find_live(Exploration& exploration, const Deeds& deeds, const Reading& reading);

// By local node: variables that may have been assigned since the start, or since the last tag.
enum class Since : std::uint8_t { start, tag };
[[nodiscard]] std::vector<Bits> changed_since(Since since, const Exploration& exploration, const Deeds& deeds,
                                              std::size_t variables);

// By local node: the nodes reachable from the given ones, or the nodes that can reach them (including themselves).
[[nodiscard]] std::vector<bool> behind(const Exploration& exploration, std::span<const std::uint32_t> nodes);
[[nodiscard]] std::vector<bool> before(const Exploration& exploration, std::span<const std::uint32_t> nodes);

// A topological order of the local nodes, ignoring back edges; or its reverse.
[[nodiscard]] Order order_of(const Exploration& exploration, bool backward);

// The edges for which taken(edge) holds, as pairs of local nodes. Ends of moves are excluded.
template <class Taken>
[[nodiscard]] Arcs arcs_of(const Exploration& exploration, Taken&& taken) {
  Arcs arcs;
  for (const Exploration::Edge& edge : exploration.edges) {
    if (edge.deed != Deed::end_move && taken(edge)) arcs.emplace_back(edge.source, edge.target);
  }
  return arcs;
}

}  // namespace rgtrans::analysis
