// Explorations: what an engine looks at for one purpose, such as listing the moves of a player or answering a
// reachability check. Each ends at another place, so each has its own part of the automaton, its own live variables and
// its own variables that may have changed since it began.
//
// The engines read labels in their own ways; what they tell this room about an edge is a deed.
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

// What an edge does to a walk that takes it. An artificial tag is no part of a move.
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

// The deeds of all edges, each under a number.
class Deeds {
 public:
  struct Row {
    ir::EdgeId edge;
    std::uint32_t from = 0, to = 0;  // nodes
    Deed deed = Deed::nothing;
    bool ends_move = false;   // an assignment to `player`
    bool whole = false;       // it writes the whole variable
    ir::VarId written;        // by an assignment
    std::uint32_t check = 0;  // which one, as the engine numbers them
  };

  // `nodes`: bound of the nodes. The ways on from a node have the order in which they are added.
  explicit Deeds(std::size_t nodes) : nodes_(nodes) {}
  // `reads`: what a condition or a tag reads; of an assignment, what its value and its place depend on.
  void add(const Row& row, std::span<const ir::VarId> reads);
  // When all are added.
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

// As the labels of a game say. number(check): which check it is.
[[nodiscard]] Deeds deeds_of(const ir::Game& game, const std::function<std::uint32_t(const ir::Reachability&)>& number);

// The nodes of an exploration by number. Few explorations are nearly as large as the game; there an array is quicker
// than a table.
class NodeNumbers {
 public:
  // `bound`: of the nodes of the game.
  void assign(const std::vector<std::uint32_t>& nodes, std::size_t bound);
  [[nodiscard]] std::uint32_t find(std::uint32_t node) const {
    if (!dense_.empty()) return dense_[node];
    const auto it = sparse_.find(node);
    return it == sparse_.end() ? kNone : it->second;
  }
  [[nodiscard]] bool contains(std::uint32_t node) const { return find(node) != kNone; }
  // Of a node of the exploration.
  [[nodiscard]] std::uint32_t at(std::uint32_t node) const { return dense_.empty() ? sparse_.at(node) : dense_[node]; }

 private:
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint32_t, std::uint32_t> sparse_;
};

struct Exploration {
  struct Edge {
    std::uint32_t source = 0;
    std::uint32_t target = kNone;  // kNone for the end of a move that leaves the exploration
    Deed deed = Deed::nothing;     // tags do nothing in a check
    std::uint32_t number = 0;      // of the deed
    ir::EdgeId edge;
  };

  std::vector<std::uint32_t> nodes;   // by local number
  NodeNumbers local;                  // the other way round
  std::vector<std::uint32_t> starts;  // local numbers
  std::uint32_t target = kNone;       // of a check, where it can be reached
  std::vector<Edge> edges;            // by source
  Grouped out, in;                    // of local nodes: positions in edges; ends of moves lead into no node
  std::vector<Bits> live;             // by local node: variables read later, before they are overwritten
  std::vector<Bits> changed;          // by local node: variables that may have been assigned since the start

  // After a change of the edges.
  void link();
};

// What is asked.
struct Question {
  std::vector<std::uint32_t> starts = {};    // nodes
  std::optional<std::uint32_t> target = {};  // of a check; without one, moves are explored
  bool all_moves = false;                    // walks go on behind the end of a move
  bool pruned = true;                        // without what leads to no end and to no target
  bool keep_starts = false;                  // … but with the starts
};

// The part of the automaton on walks from the starts to the target or to ends of moves. The nodes are numbered in the
// order in which they are found.
[[nodiscard]] Exploration explore(const Deeds& deeds, const Question& question);

// How what follows reads the state.
struct Reading {
  std::size_t variables = 0;
  ir::VarId by_tags;  // who sees a tag is decided when it is passed: `visible`, or none
  // What the walks of a check read before they overwrite it.
  std::function<const Bits&(std::uint32_t check)> by_check;
  // What is live behind the end of a move that leaves the exploration; where there is no such function, the end reads
  // nothing.
  std::function<Bits(std::uint32_t number)> behind_move;
};

// Finds `live`, which may hold what is live at a node in any case. It is the strong form: reading a variable only to
// compute another one that is itself never needed does not count. Who moves next is always needed.
void find_live(Exploration& exploration, const Deeds& deeds, const Reading& reading);

// By local node: variables that may have been assigned since the start, or since the last tag.
enum class Since : std::uint8_t { start, tag };
[[nodiscard]] std::vector<Bits> changed_since(Since since, const Exploration& exploration, const Deeds& deeds,
                                              std::size_t variables);

// By local node: these nodes and all that walks come to from them; or all from which walks come to them.
[[nodiscard]] std::vector<bool> behind(const Exploration& exploration, std::span<const std::uint32_t> nodes);
[[nodiscard]] std::vector<bool> before(const Exploration& exploration, std::span<const std::uint32_t> nodes);

// The local nodes so that, but for cycles, each comes before those that it leads to; or the other way round.
[[nodiscard]] Order order_of(const Exploration& exploration, bool backward);

// The edges inside of an exploration for which taken(edge) holds, from node to node.
template <class Taken>
[[nodiscard]] Arcs arcs_of(const Exploration& exploration, Taken&& taken) {
  Arcs arcs;
  for (const Exploration::Edge& edge : exploration.edges) {
    if (edge.deed != Deed::end_move && taken(edge)) arcs.emplace_back(edge.source, edge.target);
  }
  return arcs;
}

}  // namespace rgtrans::analysis
