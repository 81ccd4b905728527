// The flow graph: the rules as an automaton whose edges carry steps in terms of the board game (move the cursor, test
// the piece at the cursor, …). Optimizations that depend on boards and cursors work on this graph; the emitter then
// translates it to RG step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/id_vector.hpp"
#include "frontends/rbg/ast.hpp"
#include "frontends/rbg/board/relations.hpp"

namespace rgtrans::rbg {

using NodeId = Id<struct FlowNodeTag>;
using EdgeId = Id<struct FlowEdgeTag>;
using PatternId = Id<struct FlowPatternTag>;
using TableId = Id<struct FlowTableTag>;
template <class T>
using ByNode = IdVector<NodeId, T>;

enum class Do : std::uint8_t {
  skip,
  move,       // cursor = function[cursor]; fails outside the board unless `unchecked`
  any,        // cursor = any member of set
  select,     // cursor = any member of relation(cursor)
  where,      // the cursor is in set (negated: is not)
  on,         // the piece at function(cursor) is in pieces
  off,        // put a piece
  assign,     // variable = value
  compare,    // left relation right
  check,      // a pattern
  among,      // the piece at the cursor, or variable `at`, is a key of the table
  code,       // variable = table entry for the piece at the cursor, or for variable `at`
  put,        // put the piece in the table entry for variable `at`
  forget,     // reset the scratch variable to its initial value
  to_player,  // end of a move
  to_keeper,
  to_end,
};

struct FlowStep {
  Do kind = Do::skip;
  bool negated = false;
  bool total = false;      // move: the direction exists wherever the cursor can be
  bool unchecked = false;  // move, select: the next test detects that the cursor left the board; on: such a test
  Comparison relation = Comparison::equal;
  std::uint32_t index = 0;     // function, set, relation, piece set, piece, variable, pattern or player
  std::uint32_t at = kNone;    // on: the function applied to the cursor; kNone for none
  TableId table = {};          // table of `among`, `code`, `put`
  ArithId left = {};           // assign; compare
  ArithId right = {};          // compare
  std::uint32_t modifier = 0;  // its number if the step appears in the move, else 0
  Range where = {};
  bool operator==(const FlowStep&) const = default;
};

inline bool ends_move(Do kind) { return kind == Do::to_player || kind == Do::to_keeper || kind == Do::to_end; }
// Whether the step reads the state without changing it.
inline bool is_test(Do kind) {
  return kind == Do::skip || kind == Do::on || kind == Do::where || kind == Do::compare || kind == Do::check ||
         kind == Do::among;
}

class FlowGraph {
 public:
  struct Edge {
    NodeId from, to;
    FlowStep step;
    bool alive = true;
  };
  // A part of the graph that is used only to test whether some walk leads from start to end.
  struct Pattern {
    NodeId start, end;
    bool alive = true;
  };

  NodeId add_node();
  EdgeId add_edge(NodeId from, NodeId to, FlowStep step);
  void remove_edge(EdgeId edge);
  void set_to(EdgeId edge, NodeId to);
  void set_from(EdgeId edge, NodeId from);
  // Call after marking many edges as dead: moves nodes to `target`, removes empty loops, rebuilds the lists.
  void rebuild(const ByNode<NodeId>& target);
  void rebuild();
  // The identity mapping for rebuild().
  [[nodiscard]] ByNode<NodeId> same_nodes() const;
  // Removes unused nodes and edges. The others get new numbers in the same order.
  void compact();

  [[nodiscard]] std::size_t node_count() const { return out_.size(); }
  [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
  // Ordered by id; additions during iteration are not visited.
  [[nodiscard]] auto nodes() const { return out_.ids(); }
  [[nodiscard]] auto living_edges() const {
    return ids_below<EdgeId>(edges_.size(), [this](EdgeId id) { return edges_[id].alive; });
  }
  [[nodiscard]] Edge& edge(EdgeId id) { return edges_[id]; }
  [[nodiscard]] const Edge& edge(EdgeId id) const { return edges_[id]; }
  [[nodiscard]] const std::vector<EdgeId>& out(NodeId node) const { return out_[node]; }
  [[nodiscard]] const std::vector<EdgeId>& in(NodeId node) const { return in_[node]; }

  // Pairs of key and value, sorted by key. Equal tables have the same id.
  using Table = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  TableId add_table(const Table& table);
  [[nodiscard]] const Table& table(TableId id) const { return tables_[id]; }

  // The pattern that a check tests.
  [[nodiscard]] const Pattern& pattern(const FlowStep& check) const { return patterns[PatternId(check.index)]; }

  NodeId begin;
  NodeId end;  // end of the play
  IdVector<PatternId, Pattern> patterns;

 private:
  IdVector<TableId, Table> tables_;
  IdVector<EdgeId, Edge> edges_;
  ByNode<std::vector<EdgeId>> out_, in_;
};

}  // namespace rgtrans::rbg
