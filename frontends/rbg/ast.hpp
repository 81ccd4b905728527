// A description after macro expansion: declarations, the board as a graph, and the rules as a regular expression.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

inline const Limit& kMaxNesting = limits::nesting;         // nested brackets
inline const Limit& kMaxActions = limits::actions;         // action occurrences in the expanded rules
inline const Limit& kMaxBoardEdges = limits::board_edges;  // labels times vertices

using ExprId = Id<struct RulesTag>;
using ArithId = Id<struct ArithTag>;

enum class Arith : std::uint8_t { number, variable, piece, add, subtract, multiply, divide };
struct ArithNode {
  Arith kind = Arith::number;
  std::int64_t value = 0;  // the number, or the index of the variable (players first) or piece
  ArithId left, right;
  bool operator==(const ArithNode&) const = default;
};

enum class Comparison : std::uint8_t { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

enum class Kind : std::uint8_t {
  shift,      // index: label
  on,         // index: set of pieces
  off,        // index: piece
  assign,     // index: variable (players first), left: value
  compare,    // left, right, relation
  pattern,    // one child, negated
  to_player,  // index: player
  to_keeper,
  noop,
  sum,     // children
  concat,  // children
  star,    // one child
};

struct ExprNode {
  Kind kind = Kind::noop;
  bool negated = false;
  Comparison relation = Comparison::equal;
  std::uint32_t index = 0;
  ArithId left, right;
  std::uint32_t first = 0, count = 0;  // range of children
  Range where;
  std::uint32_t shape = 0;    // equal for two nodes exactly if they are the same expression
  std::uint32_t actions = 0;  // number of action occurrences, saturated
};

inline bool is_switch(Kind kind) { return kind == Kind::to_player || kind == Kind::to_keeper; }

// The nodes of expressions. Nested sums and nested concatenations are flattened on creation.
class RuleExpressions {
 public:
  [[nodiscard]] const ExprNode& operator[](ExprId id) const { return nodes_[id.value]; }
  [[nodiscard]] std::span<const ExprId> children(ExprId id) const {
    const ExprNode& node = nodes_[id.value];
    return {children_.data() + node.first, node.count};
  }
  [[nodiscard]] ExprId child(ExprId id) const { return children_[nodes_[id.value].first]; }
  [[nodiscard]] const ArithNode& arith(ArithId id) const { return arith_[id.value]; }
  // The pieces of a set, sorted.
  [[nodiscard]] const std::vector<std::uint32_t>& pieces(std::uint32_t set) const { return sets_[set]; }

  ExprId leaf(ExprNode node);
  ExprId star(ExprId child, Range where);
  ExprId pattern(ExprId child, bool negated, Range where);
  // A sum or concatenation of at least one part.
  ExprId list(Kind kind, std::span<const ExprId> parts, Range where);
  ArithId arith(ArithNode node);
  std::uint32_t piece_set(std::vector<std::uint32_t> pieces);

  [[nodiscard]] std::size_t arith_count() const { return arith_.size(); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t child_count() const { return children_.size(); }
  [[nodiscard]] std::size_t shape_count() const { return shapes_; }

 private:
  ExprId add(ExprNode node);
  [[nodiscard]] bool same(const ExprNode& a, const ExprNode& b) const;

  std::vector<ExprNode> nodes_;
  std::vector<ExprId> children_;
  std::vector<ArithNode> arith_;
  std::vector<std::vector<std::uint32_t>> sets_;
  IndexSet shape_index_, arith_index_, set_index_;
  std::uint32_t shapes_ = 0;
  std::vector<std::uint32_t> shape_nodes_;  // by shape: its first node
};

struct Declared {
  SymbolId name;
  std::uint32_t bound = 0;
  Range where;
};

struct Vertex {
  SymbolId name;
  std::uint32_t piece = 0;
  Range where;
  // Position on a board made by a generator: drawing coordinates (y grows downwards), index in the row, row and layer.
  double x = 0, y = 0;
  std::uint32_t column = 0, row = 0, layer = 0;
};

enum class BoardShape : std::uint8_t { graph, rectangle, hexagon, cuboid };

struct Description {
  Symbols symbols;
  std::vector<Declared> players;
  std::vector<Declared> pieces;
  std::vector<Declared> variables;
  std::vector<Declared> labels;
  std::vector<Vertex> board;  // the cursor starts at the first vertex
  BoardShape shape = BoardShape::graph;
  std::vector<std::uint32_t> neighbours;  // label * board.size() + vertex -> vertex or kNone
  RuleExpressions expressions;
  ExprId rules;

  [[nodiscard]] std::uint32_t neighbour(std::uint32_t label, std::uint32_t vertex) const {
    return neighbours[label * board.size() + vertex];
  }
  // The variable with this index; players come first.
  [[nodiscard]] const Declared& variable(std::uint32_t index) const {
    return index < players.size() ? players[index] : variables[index - players.size()];
  }
  [[nodiscard]] std::size_t variable_count() const { return players.size() + variables.size(); }
};

}  // namespace rgtrans::rbg
