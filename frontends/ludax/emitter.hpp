// Emits the edges for conditions, masks and numbers. A question begins at a node and leads to one of two nodes, "yes"
// and "no". If one of them is none, a walk with that answer ends.
//
// Comparisons become parallel edges. A search (for a line, a chain, or a cell with a property) becomes a separate path,
// used by a check `? start -> found`.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "core/ir/ir.hpp"
#include "frontends/ludax/plan.hpp"
#include "frontends/ludax/tables.hpp"

namespace rgtrans::ludax {

// The facts about a player's last placement that are known when a turn is lowered.
struct Last {
  enum class Known : std::uint8_t { nowhere, somewhere, perhaps };
  Known known = Known::nowhere;
  ir::ExprId place;             // unless nowhere
  std::optional<Player> piece;  // the piece that is certainly there
};

// The known facts when a question is evaluated.
struct Context {
  std::array<Last, 2> last;
  std::array<Truth, 2> passed{Truth::unknown, Truth::unknown};  // unknown: read the flag
  ir::ExprId board;
  bool trial = false;  // a piece is placed on trial, and the placement may still be rejected

  [[nodiscard]] const Last& last_of(Player player) const { return last[static_cast<std::size_t>(player)]; }
};

// The place at which a mask is evaluated.
struct Spot {
  ir::ExprId place;
  bool may_be_nowhere = false;
};

class Emitter {
 public:
  Emitter(const Plan& plan, Tables& tables, ir::Game& game) : plan_(plan), board_(plan.board), t_(tables), g_(game) {}

  // --- Edges. ---
  [[nodiscard]] ir::NodeId node() { return g_.graph.add_node({}, where); }
  void edge(ir::NodeId from, ir::NodeId to, ir::Label label) { g_.graph.add_edge(from, to, label, where); }
  void jump(ir::NodeId from, ir::NodeId to) {
    if (to.valid()) edge(from, to, ir::Empty{});
  }
  // Emits lhs = rhs. Returns the node after it.
  ir::NodeId assign(ir::NodeId from, ir::ExprId lhs, ir::ExprId rhs);
  void ask_equal(ir::NodeId from, ir::NodeId yes, ir::NodeId no, ir::ExprId lhs, ir::ExprId rhs);
  // Emits a check whether `found` is reachable from `start`.
  void ask_search(ir::NodeId from, ir::NodeId yes, ir::NodeId no, ir::NodeId start, ir::NodeId found);
  Range where;  // source place of the edges

  // --- Questions. ---
  void ask(const Mask& mask, Spot spot, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context);
  void ask(const Condition& condition, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context);
  // A number in a variable, and the node after its computation. If `most` is given, larger values count as `most`,
  // which is not negative. The caller releases the number after use.
  struct Number {
    ir::ExprId value;
    Interval range;
    ir::NodeId after;
  };
  Number compute(const Linear& value, ir::NodeId from, const Context& context,
                 std::optional<std::int64_t> most = std::nullopt);
  void release() { --sums_; }
  // The value plus a constant, in another range.
  ir::ExprId shifted(const Number& number, std::int64_t by, Interval range);
  // --- Parts that effects use, too. --- Emits a loop over the cells of a set: each is stored in a variable, and
  // body(variable, node) emits its code. Returns the node after the loop. If body returns none, the cell is skipped.
  template <class Body>
  ir::NodeId for_each_cell(const Cells& cells, ir::NodeId from, Body&& body);
  // Emits the test that the owner's last piece is still in place, since a line passes through it and a custodial
  // arrangement begins there. Returns the node after the test.
  ir::NodeId check_end(Player owner, ir::NodeId from, ir::NodeId no, const Context& context);
  // Walks in one direction, given as an expression: from the first end over the inner cells to the other end.
  void walk_custodial(const Mask& mask, ir::ExprId direction, ir::NodeId start, ir::NodeId found,
                      const Context& context);
  // The player on whose last placement alone the mask depends, or none.
  [[nodiscard]] static std::optional<Player> relative_to(const Mask& mask);

  [[nodiscard]] const Board& board() const { return board_; }
  [[nodiscard]] Tables& tables() { return t_; }
  [[nodiscard]] ir::ExprId piece_on(ir::ExprId place, const Context& context) {
    return g_.access(context.board, place);
  }
  [[nodiscard]] ir::ExprId score(Player player);
  // For columns: chooses a cell that is next in its column, and updates this after a placement.
  void choose_open_cell(ir::NodeId from, ir::NodeId behind);
  ir::NodeId pile_up(ir::ExprId cell, ir::NodeId from);

 private:
  [[nodiscard]] Cells evaluated(const Mask& mask, CellNumber last) const;
  [[nodiscard]] static int cost(const Mask& mask);
  [[nodiscard]] int cost(const Condition& condition) const;
  [[nodiscard]] std::vector<Mask> grouped(const Mask& mask) const;

  void ask_region(const Cells& cells, Spot spot, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  void ask_relation(const Mask& mask, Player player, Spot spot, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                    const Context& context);
  void ask_adjacent(const Mask& mask, Spot spot, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                    const Context& context);
  void ask_custodial(const Mask& mask, Spot spot, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                     const Context& context);
  template <class Part>
  void ask_parts(const std::vector<Part>& parts, bool every, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                 const std::function<void(const Part&, ir::NodeId, ir::NodeId, ir::NodeId)>& ask_one);

  // `has_line`: at least one line to count is known to exist.
  void ask_directly(const Condition& condition, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context,
                    bool has_line = false);
  [[nodiscard]] std::optional<Atom> counted_line(const Condition& condition) const;
  void ask_number(const Condition& condition, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context);
  void ask_at_least_zero(const Linear& value, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context);
  void ask_at_least(const Atom& atom, std::int64_t least, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                    const Context& context);
  void ask_exists(const Mask& mask, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context);
  void ask_line(const Atom& line, ir::NodeId from, ir::NodeId yes, ir::NodeId no, const Context& context);
  void ask_connected(const Atom& atom, std::int64_t least, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                     const Context& context);
  void ask_target(const Atom& atom, const Mask& target, Player piece, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                  const Context& context);

  // For a line at an arbitrary position around a cell: steps back from the cell to the first of the owner's pieces.
  ir::NodeId back_to_first(const Atom& line, Direction axis, ir::ExprId cell, ir::NodeId from, const Context& context);
  void ring_line(const Atom& line, Direction axis, ir::ExprId cell, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                 const Context& context);
  // Tests whether the cells after the first one, in `spot`, belong to the owner, up to the length of the line.
  void rest_of_line(const Atom& line, Direction axis, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                    const Context& context);
  // Tests whether the piece at a place belongs to the player; "nowhere" gives no.
  void ask_piece(ir::ExprId place, Player player, ir::NodeId from, ir::NodeId yes, ir::NodeId no,
                 const Context& context);

  // Adds factor * atom to a number variable. Returns the node after it.
  struct Total {
    ir::ExprId value;
    Interval range;
  };
  ir::NodeId add_atom(const Atom& atom, std::int64_t factor, const Total& total, ir::NodeId from,
                      const Context& context);
  ir::NodeId add_number(const Total& total, std::int64_t factor, ir::ExprId value, Interval range, ir::NodeId from);
  ir::NodeId repeat(ir::ExprId value, Interval range, ir::NodeId from,
                    const std::function<ir::NodeId(std::int64_t, ir::NodeId)>& body);
  ir::NodeId add_once(std::int64_t amount, const Total& total, ir::NodeId from);
  ir::NodeId add_new_lines(const Atom& line, std::int64_t factor, const Total& total, ir::NodeId from,
                           const Context& context);
  ir::NodeId add_all_lines(const Atom& line, std::int64_t factor, const Total& total, ir::NodeId from,
                           const Context& context);

  const Plan& plan_;
  const Board& board_;
  Tables& t_;
  ir::Game& g_;
  int near_ = 0;   // number of variables for neighbours in use
  int lefts_ = 0;  // number of variables for repetitions in use
  int sums_ = 0;   // number of number variables in use
};

template <class Body>
ir::NodeId Emitter::for_each_cell(const Cells& cells, ir::NodeId from, Body&& body) {
  const ir::ExprId at = t_.place_variable("at");
  std::size_t first = 0;
  while (first < cells.size() && !cells[first]) ++first;
  if (first == cells.size()) return from;
  const ir::NodeId loop = node();
  edge(from, loop, ir::Assign{at, t_.cell(static_cast<CellNumber>(first))});
  const ir::NodeId behind = body(at, loop);
  const ir::NodeId next = assign(behind, at, t_.next_cell(cells, at));
  const ir::NodeId after = node();
  ask_equal(next, after, loop, at, t_.nowhere());
  return after;
}

}  // namespace rgtrans::ludax
