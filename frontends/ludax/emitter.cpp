#include "frontends/ludax/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rgtrans::ludax {

using ir::ExprId;
using ir::NodeId;
using Known = Last::Known;

namespace {

constexpr int kSearch = 100;    // cost of a search, relative to a comparison
constexpr int kMostPlain = 10;  // up to this many comparisons are made in parallel instead of a search

}  // namespace

NodeId Emitter::assign(NodeId from, ExprId lhs, ExprId rhs) {
  const NodeId to = node();
  edge(from, to, ir::Assign{lhs, rhs});
  return to;
}

void Emitter::ask_equal(NodeId from, NodeId yes, NodeId no, ExprId lhs, ExprId rhs) {
  if (yes.valid()) edge(from, yes, ir::Compare{lhs, rhs, false});
  if (no.valid()) edge(from, no, ir::Compare{lhs, rhs, true});
}

void Emitter::ask_search(NodeId from, NodeId yes, NodeId no, NodeId start, NodeId found) {
  if (yes.valid()) edge(from, yes, ir::Reachability{start, found, false});
  if (no.valid()) edge(from, no, ir::Reachability{start, found, true});
}

void Emitter::ask_piece(ExprId place, Player player, NodeId from, NodeId yes, NodeId no, const Context& context) {
  ask_equal(from, yes, no, piece_on(place, context), t_.player(player));
}

// Evaluates parts in sequence until the result is known.
template <class Part>
void Emitter::ask_parts(const std::vector<Part>& parts, bool every, NodeId from, NodeId yes, NodeId no,
                        const std::function<void(const Part&, NodeId, NodeId, NodeId)>& ask_one) {
  std::vector<const Part*> order;
  for (const Part& part : parts) order.push_back(&part);
  std::ranges::stable_sort(order, {}, [&](const Part* part) { return cost(*part); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + 1 == order.size()) return ask_one(*order[i], from, yes, no);
    const NodeId next = node();
    if (every) {
      ask_one(*order[i], from, next, no);
    } else {
      ask_one(*order[i], from, yes, next);
    }
    from = next;
  }
}

// --- Masks. ---

std::optional<Player> Emitter::relative_to(const Mask& mask) {
  std::optional<Player> player;
  const bool other_parts = any_part(mask, [&](const Mask& part) {
    switch (part.kind) {
      case Mask::Kind::last:
        if (player && *player != part.player) return true;
        player = part.player;
        return false;
      case Mask::Kind::region:
      case Mask::Kind::adjacent:
      case Mask::Kind::all_of:
      case Mask::Kind::any_of:
      case Mask::Kind::except:
        return false;
      case Mask::Kind::empty:
      case Mask::Kind::occupied:
      case Mask::Kind::owned:
      case Mask::Kind::custodial:
        return true;
    }
    return true;
  });
  return other_parts ? std::nullopt : player;
}

// The cells of a mask that depends only on the last placement `last`.
Cells Emitter::evaluated(const Mask& mask, CellNumber last) const {
  Cells cells = board_.none();
  switch (mask.kind) {
    case Mask::Kind::last:
      if (last != kNone) cells[last] = true;
      return cells;
    case Mask::Kind::adjacent:
      return neighbours(board_, evaluated(mask.parts.front(), last), mask.directions);
    case Mask::Kind::except:
      cells = evaluated(mask.parts.front(), last);
      cells.flip();
      return cells;
    case Mask::Kind::all_of:
    case Mask::Kind::any_of: {
      const bool every = mask.kind == Mask::Kind::all_of;
      cells.assign(cells.size(), every);
      for (const Mask& part : mask.parts) {
        const Cells inner = evaluated(part, last);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = every ? cells[i] && inner[i] : cells[i] || inner[i];
      }
      return cells;
    }
    case Mask::Kind::region:
      return mask.cells;
    case Mask::Kind::empty:
    case Mask::Kind::occupied:
    case Mask::Kind::owned:
    case Mask::Kind::custodial:
      break;
  }
  throw std::logic_error("a mask that depends on more than a placement");
}

int Emitter::cost(const Mask& mask) {
  const auto player = relative_to(mask);
  switch (mask.kind) {
    case Mask::Kind::all_of:
    case Mask::Kind::any_of: {
      if (player) return 1;
      int sum = 0;
      for (const Mask& part : mask.parts) sum += cost(part);
      return std::min(sum, 10 * kSearch);
    }
    case Mask::Kind::adjacent: {
      if (player) return 1;
      const int plain = static_cast<int>(list_of(mask.directions).size()) * (1 + cost(mask.parts.front()));
      return plain <= 2 * kMostPlain ? plain : kSearch + cost(mask.parts.front());
    }
    case Mask::Kind::except:
      return cost(mask.parts.front());
    case Mask::Kind::custodial:
      return kSearch;
    case Mask::Kind::region:
    case Mask::Kind::empty:
    case Mask::Kind::occupied:
    case Mask::Kind::owned:
    case Mask::Kind::last:
      return 1;
  }
  return 1;
}

// Merges parts that depend on the same last placement into one part, which becomes one table.
std::vector<Mask> Emitter::grouped(const Mask& mask) const {
  std::vector<Mask> rest;
  std::array<std::vector<Mask>, 2> relative;
  for (const Mask& part : mask.parts) {
    const auto player = relative_to(part);
    (player ? relative[static_cast<std::size_t>(*player)] : rest).push_back(part);
  }
  for (std::vector<Mask>& parts : relative) {
    if (parts.empty()) continue;
    rest.push_back(mask.kind == Mask::Kind::all_of ? all_of(board_, std::move(parts))
                                                   : any_of(board_, std::move(parts)));
  }
  return rest;
}

void Emitter::ask(const Mask& mask, Spot spot, NodeId from, NodeId yes, NodeId no, const Context& context) {
  if (const auto player = relative_to(mask); player && mask.kind != Mask::Kind::last) {
    return ask_relation(mask, *player, spot, from, yes, no, context);
  }
  const auto on_board = [&] {
    if (!spot.may_be_nowhere) return;
    const NodeId next = node();
    ask_equal(from, no, next, spot.place, t_.nowhere());
    from = next;
  };
  switch (mask.kind) {
    case Mask::Kind::region:
      return ask_region(mask.cells, spot, from, yes, no);
    case Mask::Kind::empty:
      on_board();
      return ask_equal(from, yes, no, piece_on(spot.place, context), t_.empty());
    case Mask::Kind::occupied:
      return ask_equal(from, no, yes, piece_on(spot.place, context), t_.empty());
    case Mask::Kind::owned:
      return ask_piece(spot.place, mask.player, from, yes, no, context);
    case Mask::Kind::last: {
      const Last& last = context.last_of(mask.player);
      if (last.known == Known::nowhere) return jump(from, no);
      if (last.known == Known::perhaps) on_board();
      return ask_equal(from, yes, no, spot.place, last.place);
    }
    case Mask::Kind::adjacent:
      return ask_adjacent(mask, spot, from, yes, no, context);
    case Mask::Kind::custodial:
      return ask_custodial(mask, spot, from, yes, no, context);
    case Mask::Kind::except:
      on_board();
      return ask(mask.parts.front(), {spot.place, false}, from, no, yes, context);
    case Mask::Kind::all_of:
    case Mask::Kind::any_of:
      return ask_parts<Mask>(grouped(mask), mask.kind == Mask::Kind::all_of, from, yes, no,
                             [&](const Mask& part, NodeId at, NodeId then, NodeId otherwise) {
                               ask(part, spot, at, then, otherwise, context);
                             });
  }
}

void Emitter::ask_region(const Cells& cells, Spot spot, NodeId from, NodeId yes, NodeId no) {
  const auto members = std::ranges::count(cells, true);
  const auto first = std::ranges::find(cells, true) - cells.begin();
  if (members == 0) return jump(from, no);
  if (members == 1) return ask_equal(from, yes, no, spot.place, t_.cell(static_cast<CellNumber>(first)));
  if (members == board_.size()) {
    if (!spot.may_be_nowhere) return jump(from, yes);
    return ask_equal(from, no, yes, spot.place, t_.nowhere());
  }
  if (members + 1 == board_.size() && !spot.may_be_nowhere) {
    const auto gap = std::ranges::find(cells, false) - cells.begin();
    return ask_equal(from, no, yes, spot.place, t_.cell(static_cast<CellNumber>(gap)));
  }
  ask_equal(from, yes, no, t_.contains(cells, spot.place), t_.number(1));
}

void Emitter::ask_relation(const Mask& mask, Player player, Spot spot, NodeId from, NodeId yes, NodeId no,
                           const Context& context) {
  const Last& last = context.last_of(player);
  if (last.known == Known::nowhere) return ask_region(evaluated(mask, kNone), spot, from, yes, no);
  std::vector<Cells> rows;
  for (CellNumber cell = 0; cell < board_.size(); ++cell) rows.push_back(evaluated(mask, cell));
  rows.push_back(evaluated(mask, kNone));
  ask_equal(from, yes, no, t_.related(rows, last.place, spot.place), t_.number(1));
}

void Emitter::ask_adjacent(const Mask& mask, Spot spot, NodeId from, NodeId yes, NodeId no, const Context& context) {
  const Mask& inner = mask.parts.front();
  // Steps lead from the mask to the place, so the search steps back.
  const Directions back = reversed(mask.directions);
  const std::vector<Direction> directions = list_of(back);
  if (cost(mask) < kSearch) {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const NodeId next = i + 1 == directions.size() ? no : node();
      ask(inner, {t_.step(directions[i], spot.place), true}, from, yes, next, context);
      from = next;
    }
    return;
  }
  const NodeId start = node(), chosen = node(), found = node();
  const ExprId direction = t_.direction_variable();
  edge(start, chosen, ir::AssignAny{direction, t_.directions_type(back)});
  const ExprId near = t_.place_variable(fmt::format("near_{}", ++near_));
  ask(inner, {near, true}, assign(chosen, near, t_.step(direction, spot.place)), found, NodeId(), context);
  --near_;
  ask_search(from, yes, no, start, found);
}

// --- Custodial. ---

NodeId Emitter::check_end(Player owner, NodeId from, NodeId no, const Context& context) {
  const Last& last = context.last_of(owner);
  if (last.piece == owner) return from;
  // The place "nowhere" has no piece.
  const NodeId next = node();
  ask_piece(last.place, owner, from, next, no, context);
  return next;
}

void Emitter::walk_custodial(const Mask& mask, ExprId direction, NodeId start, NodeId found, const Context& context) {
  const ExprId walk = t_.place_variable("walk");
  NodeId at = assign(start, walk, t_.step(direction, context.last_of(mask.player).place));
  const std::int64_t inner = std::max<std::int64_t>(mask.length, 1);
  NodeId loop;
  for (std::int64_t i = 0; i < inner; ++i) {
    loop = node();
    ask_piece(walk, other(mask.player), at, loop, NodeId(), context);
    at = assign(loop, walk, t_.step(direction, walk));
  }
  if (mask.length == 0) ask_piece(walk, other(mask.player), at, loop, NodeId(), context);
  ask_piece(walk, mask.player, at, found, NodeId(), context);
}

// The spot is in an arrangement if the walk meets it at the first end, at an inner cell, or at the other end.
void Emitter::ask_custodial(const Mask& mask, Spot spot, NodeId from, NodeId yes, NodeId no, const Context& context) {
  const Last& last = context.last_of(mask.player);
  if (last.known == Known::nowhere) return jump(from, no);
  from = check_end(mask.player, from, no, context);
  const NodeId start = node(), found = node();
  const ExprId walk = t_.place_variable("walk"), direction = t_.direction_variable();
  const ir::TypeId ways = t_.directions_type(mask.directions);
  const auto begin = [&](NodeId at) {
    const NodeId chosen = node();
    edge(at, chosen, ir::AssignAny{direction, ways});
    return chosen;
  };
  const NodeId met = node(), unmet = node();
  ask_equal(start, met, unmet, spot.place, last.place);
  walk_custodial(mask, t_.direction_variable(), begin(met), found, context);
  const std::int64_t inner = std::max<std::int64_t>(mask.length, 1);
  NodeId at = assign(begin(unmet), walk, t_.step(direction, last.place));
  NodeId met_before, first_inner;  // after leaving a cell: the spot was met before or not
  for (std::int64_t i = 0; i < inner; ++i) {
    const NodeId inside = node(), here = node(), not_here = node();
    if (!first_inner.valid()) first_inner = inside;
    ask_piece(walk, other(mask.player), at, inside, NodeId(), context);
    ask_equal(inside, here, not_here, walk, spot.place);
    const NodeId met_next = assign(here, walk, t_.step(direction, walk));
    if (met_before.valid()) {
      const NodeId still = node();
      ask_piece(walk, other(mask.player), met_before, still, NodeId(), context);
      edge(still, met_next, ir::Assign{walk, t_.step(direction, walk)});
    }
    met_before = met_next;
    at = assign(not_here, walk, t_.step(direction, walk));
  }
  if (mask.length == 0) {
    const NodeId still = node();
    ask_piece(walk, other(mask.player), met_before, still, NodeId(), context);
    edge(still, met_before, ir::Assign{walk, t_.step(direction, walk)});
    ask_piece(walk, other(mask.player), at, first_inner, NodeId(), context);
  }
  ask_piece(walk, mask.player, met_before, found, NodeId(), context);
  const NodeId end = node();
  ask_piece(walk, mask.player, at, end, NodeId(), context);
  ask_equal(end, found, NodeId(), walk, spot.place);
  ask_search(from, yes, no, start, found);
}

// --- Conditions. ---

int Emitter::cost(const Condition& condition) const {
  int sum = 1;
  for_each_atom(condition, [&](const Atom& atom) {
    sum += atom.kind == Atom::Kind::score ? 1 : atom.kind == Atom::Kind::connected ? 5 * kSearch : kSearch;
  });
  return sum;
}

// Usually there is no line; testing this first is cheaper than counting the lines.
void Emitter::ask(const Condition& condition, NodeId from, NodeId yes, NodeId no, const Context& context) {
  const std::optional<Atom> line = counted_line(condition);
  if (!line) return ask_directly(condition, from, yes, no, context);
  const NodeId some = node(), none = node();
  ask_line(*line, from, some, none, context);
  ask_directly(condition, some, yes, no, context, true);
  const Condition without = replaced(
      condition, [&](const Atom& atom) { return contains_line(atom, *line) ? std::optional(Linear()) : std::nullopt; });
  ask(without, none, yes, no, context);
}

void Emitter::ask_directly(const Condition& condition, NodeId from, NodeId yes, NodeId no, const Context& context,
                           bool has_line) {
  switch (condition.kind) {
    case Condition::Kind::never:
      return jump(from, no);
    case Condition::Kind::always:
      return jump(from, yes);
    case Condition::Kind::all_of:
    case Condition::Kind::any_of:
      return ask_parts<Condition>(condition.parts, condition.kind == Condition::Kind::all_of, from, yes, no,
                                  [&](const Condition& part, NodeId at, NodeId then, NodeId otherwise) {
                                    if (has_line) return ask_directly(part, at, then, otherwise, context, true);
                                    ask(part, at, then, otherwise, context);
                                  });
    case Condition::Kind::not_passed:
    case Condition::Kind::passed: {
      if (condition.kind == Condition::Kind::not_passed) std::swap(yes, no);
      const auto player = static_cast<std::size_t>(condition.player);
      const Truth known = plan_.passes ? context.passed[player] : Truth::no;
      if (known != Truth::unknown) return jump(from, known == Truth::yes ? yes : no);
      return ask_equal(from, yes, no, t_.flag(fmt::format("passed_P{}", player + 1)), t_.number(1));
    }
    case Condition::Kind::at_least:
    case Condition::Kind::zero:
    case Condition::Kind::nonzero:
      return ask_number(condition, from, yes, no, context);
  }
}

void Emitter::choose_open_cell(NodeId from, NodeId behind) {
  const ExprId cell = t_.cell_variable("cell");
  const NodeId picked = node();
  edge(from, picked, ir::AssignAny{cell, t_.cell_type()});
  ask_equal(picked, behind, NodeId(), t_.is_open(plan_.columns->bases, cell), t_.number(1));
}

NodeId Emitter::pile_up(ExprId cell, NodeId from) {
  const Cells& bases = plan_.columns->bases;
  from = assign(from, t_.is_open(bases, cell), t_.number(0));
  return assign(from, t_.is_open(bases, t_.step(plan_.columns->grows, cell)), t_.number(1));
}

ExprId Emitter::score(Player player) {
  const auto index = static_cast<std::size_t>(player);
  return t_.number_variable(fmt::format("score_P{}", index + 1), *plan_.scores[index], 0);
}

}  // namespace rgtrans::ludax
