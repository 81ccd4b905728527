// The flow graph: the rules as an automaton whose edges carry steps in terms of the board game (move the cursor, test
// the piece below it, …). Everything that is worth knowing about boards and cursors is used on this graph; what remains
// is then written down in RG, step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/rbg/ast.hpp"
#include "frontends/rbg/board/relations.hpp"

namespace rgtrans::rbg {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;

enum class Do : std::uint8_t {
  skip,
  move,       // cursor = function[cursor], fails outside the board unless `unchecked`
  any,        // cursor = any member of set
  select,     // cursor = any member of relation(cursor)
  where,      // the cursor is in set (not: negated)
  on,         // the piece at function(cursor) is in pieces
  off,        // put a piece
  assign,     // variable = value
  compare,    // left relation right
  check,      // pattern
  among,      // the piece below the cursor, or variable `at`, is a key of the table
  code,       // variable = table of the piece below the cursor, or of variable `at`
  put,        // put the piece that the table gives for variable `at`
  forget,     // the scratch variable gets its first value
  to_player,  // end of a move
  to_keeper,
  to_end,
};

struct FlowStep {
  Do kind = Do::skip;
  bool negated = false;
  bool total = false;      // move: the direction exists wherever the cursor can be
  bool unchecked = false;  // move, select: the next test notices that the cursor left the board; on: such a test
  Comparison relation = Comparison::equal;
  std::uint32_t index = 0;      // function, set, relation, piece set, piece, variable, pattern or player
  std::uint32_t at = kNone;     // on: the function applied to the cursor, kNone for none
  std::uint32_t table = kNone;  // of `among`, `code`, `put`
  ArithId left = {};            // assign; compare
  ArithId right = {};           // compare
  std::uint32_t modifier = 0;   // its number when the step shows in the move, else 0
  Range where = {};
  bool operator==(const FlowStep&) const = default;
};

inline bool ends_move(Do kind) { return kind == Do::to_player || kind == Do::to_keeper || kind == Do::to_end; }
// Looks at the state and does not change it.
inline bool is_test(Do kind) {
  return kind == Do::skip || kind == Do::on || kind == Do::where || kind == Do::compare || kind == Do::check ||
         kind == Do::among;
}

class FlowGraph {
 public:
  struct Edge {
    NodeId from = 0, to = 0;
    FlowStep step;
    bool alive = true;
  };
  // A part of the graph that is only asked whether it can be walked from start to end.
  struct Pattern {
    NodeId start = 0, end = 0;
    bool alive = true;
  };

  NodeId add_node();
  EdgeId add_edge(NodeId from, NodeId to, FlowStep step);
  void remove_edge(EdgeId edge);
  void set_to(EdgeId edge, NodeId to);
  void set_from(EdgeId edge, NodeId from);
  // After many edges were marked as dead: nodes move to where `target` says, empty loops vanish, lists are made anew.
  void rebuild(const std::vector<NodeId>& target);
  void rebuild();
  // Forgets nodes and edges that are not used any more; the others get new numbers, in the same order.
  void compact();

  [[nodiscard]] std::size_t node_count() const { return out_.size(); }
  [[nodiscard]] std::size_t edge_count() const { return edges_.size(); }
  [[nodiscard]] Edge& edge(EdgeId id) { return edges_[id]; }
  [[nodiscard]] const Edge& edge(EdgeId id) const { return edges_[id]; }
  [[nodiscard]] const std::vector<EdgeId>& out(NodeId node) const { return out_[node]; }
  [[nodiscard]] const std::vector<EdgeId>& in(NodeId node) const { return in_[node]; }

  // Pairs of key and value, sorted by key; equal tables have one id.
  using Table = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  std::uint32_t add_table(const Table& table);
  [[nodiscard]] const Table& table(std::uint32_t id) const { return tables_[id]; }

  NodeId begin = 0;
  NodeId end = 0;  // of the play
  std::vector<Pattern> patterns;

 private:
  std::vector<Table> tables_;
  std::vector<Edge> edges_;
  std::vector<std::vector<EdgeId>> out_, in_;
};

}  // namespace rgtrans::rbg
