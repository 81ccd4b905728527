// Lines. If every line must be new, only lines through the cell just played are examined; otherwise all lines of the
// board.
#include <algorithm>

#include "frontends/ludax/emitter.hpp"

namespace rgtrans::ludax {

using ir::ExprId;
using ir::NodeId;
using Known = Last::Known;

NodeId Emitter::back_to_first(const Atom& line, Direction axis, ExprId cell, NodeId from, const Context& context) {
  const ExprId spot = t_.place_variable("spot");
  const NodeId loop = node(), first = node(), more = node();
  edge(from, loop, ir::Assign{spot, cell});
  const ExprId before = t_.step(opposite(axis), spot);
  ask_piece(before, line.player, loop, more, first, context);
  edge(more, loop, ir::Assign{spot, before});
  return first;
}

void Emitter::rest_of_line(const Atom& line, Direction axis, NodeId from, NodeId yes, NodeId no,
                           const Context& context) {
  const ExprId spot = t_.place_variable("spot");
  for (std::int64_t i = 1; i < line.length; ++i) {
    const NodeId moved = assign(from, spot, t_.step(axis, spot));
    const bool last = i + 1 == line.length && !line.exact;
    const NodeId next = last ? yes : node();
    ask_piece(spot, line.player, moved, next, no, context);
    from = next;
  }
  if (line.exact) return ask_piece(t_.step(axis, spot), line.player, from, no, yes, context);
  if (line.length == 1) jump(from, yes);
}

void Emitter::ring_line(const Atom& line, Direction axis, ExprId cell, NodeId from, NodeId yes, NodeId no,
                        const Context& context) {
  ExprId place = cell;
  for (std::int64_t i = 1; i < line.length; ++i) {
    place = t_.ring(axis, line.length, place);
    const NodeId next = i + 1 == line.length ? yes : node();
    ask_piece(place, line.player, from, next, no, context);
    from = next;
  }
}

namespace {

bool mentions_line(const Condition& condition, const Atom& line) {
  bool found = false;
  for_each_atom(condition, [&](const Atom& atom) { found = found || contains_line(atom, line); });
  return found;
}

// Whether the answer depends on the number of lines, and not only on whether there is one.
bool counts_lines(const Condition& condition, const Atom& line, const Knowledge& some) {
  if (condition.parts.empty()) return mentions_line(condition, line) && decide(condition, some) == Truth::unknown;
  return std::ranges::any_of(condition.parts, [&](const Condition& part) { return counts_lines(part, line, some); });
}

}  // namespace

// For a condition that counts lines and whose parts all concern lines: a kind of line that exists whenever any does.
std::optional<Atom> Emitter::counted_line(const Condition& condition) const {
  std::optional<Atom> shortest;
  for_each_atom(condition, [&](const Atom& atom) {
    if (atom.kind != Atom::Kind::line || atom.exact || !plan_.only_new(atom)) return;
    if (!shortest || atom.length < shortest->length) shortest = atom;
  });
  if (!shortest) return std::nullopt;
  const Knowledge some{[&](const Atom& atom) {
    const Interval range = plan_.bounds(atom);
    return contains_line(atom, *shortest) ? Interval{1, range.high} : range;
  }};
  const bool all =
      std::ranges::all_of(condition.parts, [&](const Condition& p) { return mentions_line(p, *shortest); });
  return all && counts_lines(condition, *shortest, some) ? shortest : std::nullopt;
}

void Emitter::ask_line(const Atom& line, NodeId from, NodeId yes, NodeId no, const Context& context) {
  const bool only_new = plan_.only_new(line);
  const Last& last = context.last_of(line.player);
  if (only_new && last.known == Known::nowhere) return jump(from, no);
  if (only_new) from = check_end(line.player, from, no, context);
  const NodeId start = node(), found = node();
  const ExprId spot = t_.place_variable("spot");
  NodeId anywhere;
  if (!only_new) {
    const NodeId chosen = node();
    anywhere = node();
    edge(start, chosen, ir::AssignAny{spot, t_.cell_type()});
    ask_piece(spot, line.player, chosen, anywhere, NodeId(), context);
  }
  for (Direction axis : Board::axes(line.directions)) {
    if (board_.line_count(static_cast<Directions>(bit(axis) | bit(opposite(axis))), line.length) == 0) continue;
    if (!only_new) {
      NodeId first = anywhere;
      if (line.exact) {
        first = node();
        ask_piece(t_.step(opposite(axis), spot), line.player, anywhere, NodeId(), first, context);
      }
      rest_of_line(line, axis, first, found, NodeId(), context);
    } else if (board_.lines_are_apart(axis, line.length) && line.length > 1) {
      ring_line(line, axis, last.place, start, found, NodeId(), context);
    } else {
      rest_of_line(line, axis, back_to_first(line, axis, last.place, start, context), found, NodeId(), context);
    }
  }
  ask_search(from, yes, no, start, found);
}

// Once a row contains a line, each further piece in it completes one more.
NodeId Emitter::add_new_lines(const Atom& line, std::int64_t factor, const Total& total, NodeId from,
                              const Context& context) {
  const Last& last = context.last_of(line.player);
  if (last.known == Known::nowhere) return from;
  const NodeId end = node();
  from = check_end(line.player, from, end, context);
  const ExprId spot = t_.place_variable("spot");
  for (Direction axis : Board::axes(line.directions)) {
    const NodeId complete = node(), after = node();
    rest_of_line(line, axis, back_to_first(line, axis, last.place, from, context), complete, after, context);
    const NodeId counted = add_once(factor, total, complete);
    if (line.exact) {
      jump(counted, after);
    } else {
      const NodeId more = node();
      ask_piece(t_.step(axis, spot), line.player, counted, more, after, context);
      edge(more, complete, ir::Assign{spot, t_.step(axis, spot)});
    }
    from = after;
  }
  jump(from, end);
  return end;
}

NodeId Emitter::add_all_lines(const Atom& line, std::int64_t factor, const Total& total, NodeId from,
                              const Context& context) {
  const ExprId spot = t_.place_variable("spot");
  const Cells everywhere(board_.size(), true);
  return for_each_cell(everywhere, from, [&](ExprId at, NodeId here) {
    const NodeId behind = node(), own = node();
    ask_piece(at, line.player, here, own, behind, context);
    NodeId next = own;
    for (Direction axis : Board::axes(line.directions)) {
      const NodeId complete = node(), after = node();
      NodeId first = next;
      if (line.exact) {
        first = node();
        ask_piece(t_.step(opposite(axis), at), line.player, next, after, first, context);
      }
      rest_of_line(line, axis, assign(first, spot, at), complete, after, context);
      jump(add_once(factor, total, complete), after);
      next = after;
    }
    jump(next, behind);
    return behind;
  });
}

}  // namespace rgtrans::ludax
