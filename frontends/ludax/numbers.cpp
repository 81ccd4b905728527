// Counting. A question about a single counted quantity is answered directly: whether there is one, whether a score is
// large enough, whether two of three targets are reached. All other numbers are summed in a variable of the necessary
// range.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludax/emitter.hpp"

namespace rgtrans::ludax {

using ir::ExprId;
using ir::NodeId;
using Known = Last::Known;

namespace {

constexpr std::uint64_t kMostEntries = 5'000;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

std::string plus_name(std::int64_t amount) {
  // Avoids `minus_1`, which denotes a number.
  return amount < 0 ? fmt::format("less_{}", -amount) : fmt::format("plus_{}", amount);
}

}  // namespace

// --- Questions. ---

void Emitter::ask_number(const Condition& condition, NodeId from, NodeId yes, NodeId no, const Context& context) {
  const Knowledge knowledge{[&](const Atom& atom) { return plan_.bounds(atom); }};
  if (const Truth known = decide(condition, knowledge); known != Truth::unknown)
    return jump(from, known == Truth::yes ? yes : no);
  if (condition.kind == Condition::Kind::nonzero) std::swap(yes, no);
  const Linear& value = condition.value;
  const bool compare = condition.kind == Condition::Kind::at_least;
  if (value.terms.size() == 1) {
    const auto& [factor, atom] = value.terms.front();
    if (compare && factor > 0) {  // factor * atom >= -constant
      return ask_at_least(atom, -floor_div(value.constant, factor), from, yes, no, context);
    }
    if (compare) {  // -factor * atom <= constant
      return ask_at_least(atom, floor_div(value.constant, -factor) + 1, from, no, yes, context);
    }
    if (value.constant % factor != 0) return jump(from, no);
    const std::int64_t wanted = -value.constant / factor;
    const Interval range = plan_.bounds(atom);
    if (wanted == range.low) return ask_at_least(atom, wanted + 1, from, no, yes, context);
    if (wanted == range.high) return ask_at_least(atom, wanted, from, yes, no, context);
    if (atom.kind == Atom::Kind::score) return ask_equal(from, yes, no, score(atom.player), t_.number(wanted));
    const std::optional<std::int64_t> most = wanted < 0 ? std::nullopt : std::optional(wanted + 1);
    const Number number = compute(linear(atom), from, context, most);
    ask_equal(number.after, yes, no, number.value, t_.number(wanted));
    --sums_;
    return;
  }
  if (compare) return ask_at_least_zero(value, from, yes, no, context);
  const Number number = compute(value, from, context);
  --sums_;
  ask_equal(number.after, yes, no, number.value, t_.number(0));
}

void Emitter::ask_at_least_zero(const Linear& value, NodeId from, NodeId yes, NodeId no, const Context& context) {
  const Number number = compute(value, from, context);
  --sums_;
  const ExprId sign = t_.mapped(
      "at_least_0", number.range, {0, 1}, [](std::int64_t n) { return n >= 0 ? 1 : 0; }, number.value);
  ask_equal(number.after, yes, no, sign, t_.number(1));
}

void Emitter::ask_at_least(const Atom& atom, std::int64_t least, NodeId from, NodeId yes, NodeId no,
                           const Context& context) {
  const Interval range = plan_.bounds(atom);
  if (least <= range.low) return jump(from, yes);
  if (least > range.high) return jump(from, no);
  if (atom.kind == Atom::Kind::count && least == 1) return ask_exists(atom.masks.front(), from, yes, no, context);
  if (atom.kind == Atom::Kind::line && least == 1) return ask_line(atom, from, yes, no, context);
  if (atom.kind == Atom::Kind::connected) return ask_connected(atom, least, from, yes, no, context);
  if (atom.kind == Atom::Kind::score) {
    if (least == range.high) return ask_equal(from, yes, no, score(atom.player), t_.number(least));
    const ExprId enough = t_.mapped(
        fmt::format("at_least_{}", least < 0 ? "minus" : std::to_string(least)), range, {0, 1},
        [&](std::int64_t n) { return n >= least ? 1 : 0; }, score(atom.player));
    return ask_equal(from, yes, no, enough, t_.number(1));
  }
  // The sum begins at 0, so it cannot stop at a negative number.
  if (least < 0) return ask_at_least_zero(difference(linear(atom), linear(least)), from, yes, no, context);
  const Number number = compute(linear(atom), from, context, least);
  --sums_;
  ask_equal(number.after, yes, no, number.value, t_.number(least));
}

// Tests whether a cell exists. Empty cells use the variable of the choice, since a move makes the same search.
void Emitter::ask_exists(const Mask& mask, NodeId from, NodeId yes, NodeId no, const Context& context) {
  if (mask.kind == Mask::Kind::custodial) {
    const Last& last = context.last_of(mask.player);
    if (last.known == Known::nowhere) return jump(from, no);
    from = check_end(mask.player, from, no, context);
    const NodeId start = node(), chosen = node(), found = node();
    const ExprId direction = t_.direction_variable();
    edge(start, chosen, ir::AssignAny{direction, t_.directions_type(mask.directions)});
    walk_custodial(mask, direction, chosen, found, context);
    return ask_search(from, yes, no, start, found);
  }
  if (mask.kind == Mask::Kind::empty && plan_.columns && plan_.columns->everywhere && !context.trial) {
    const NodeId start = node(), found = node();
    choose_open_cell(start, found);
    return ask_search(from, yes, no, start, found);
  }
  const Cells among = widest(board_, mask);
  if (std::ranges::count(among, true) == 0) return jump(from, no);
  const ExprId at = mask.kind == Mask::Kind::empty ? t_.cell_variable("cell") : t_.place_variable("at");
  const NodeId start = node(), chosen = node(), found = node();
  edge(start, chosen, ir::AssignAny{at, t_.cells_type(among)});
  Mask rest = mask;
  if (rest.kind == Mask::Kind::all_of && rest.parts.front().is_region()) {
    std::vector<Mask> others(rest.parts.begin() + 1, rest.parts.end());
    rest = all_of(board_, std::move(others));
  }
  ask(rest, {at, false}, chosen, found, NodeId(), context);
  ask_search(from, yes, no, start, found);
}

// --- Connections. ---

// Tests whether a cell of the target is in the component of the last placement.
void Emitter::ask_target(const Atom& atom, const Mask& target, Player piece, NodeId from, NodeId yes, NodeId no,
                         const Context& context) {
  const NodeId start = node(), found = node(), chosen = node();
  const ExprId spot = t_.place_variable("spot"), direction = t_.direction_variable();
  const NodeId loop = assign(start, spot, context.last_of(atom.player).place);
  ask(target, {spot, false}, loop, found, NodeId(), context);
  if (atom.directions != 0) {
    edge(loop, chosen, ir::AssignAny{direction, t_.directions_type(atom.directions)});
    const NodeId next = assign(chosen, spot, t_.step(direction, spot));
    ask_piece(spot, piece, next, loop, NodeId(), context);
  }
  ask_search(from, yes, no, start, found);
}

// Visits the targets in sequence, counting those reached so far.
void Emitter::ask_connected(const Atom& atom, std::int64_t least, NodeId from, NodeId yes, NodeId no,
                            const Context& context) {
  const Last& last = context.last_of(atom.player);
  if (last.known == Known::nowhere) return jump(from, no);
  const auto count = static_cast<std::int64_t>(atom.masks.size());
  const auto with_piece = [&](Player piece, NodeId begin) {
    std::map<std::pair<std::int64_t, std::int64_t>, NodeId> nodes;
    const auto place = [&](std::int64_t index, std::int64_t reached) {
      if (reached == least) return yes;
      if (least - reached > count - index) return no;
      const auto [it, fresh] = nodes.try_emplace({index, reached});
      if (fresh) it->second = node();
      return it->second;
    };
    nodes[{0, 0}] = begin;
    for (std::int64_t index = 0; index < count; ++index) {
      for (std::int64_t reached = 0; reached <= index; ++reached) {
        const auto it = nodes.find({index, reached});
        if (it == nodes.end()) continue;
        const NodeId at = it->second;
        const NodeId then = place(index + 1, reached + 1), otherwise = place(index + 1, reached);
        ask_target(atom, atom.masks[static_cast<std::size_t>(index)], piece, at, then, otherwise, context);
      }
    }
  };
  if (last.piece) return with_piece(*last.piece, from);
  const NodeId own = node(), not_own = node(), others = node();
  ask_piece(last.place, atom.player, from, own, not_own, context);
  with_piece(atom.player, own);
  ask_piece(last.place, other(atom.player), not_own, others, no, context);
  with_piece(other(atom.player), others);
}

// --- Sums. ---

// Uses a table of all sums if it is small, otherwise a loop.
NodeId Emitter::add_number(const Total& total, std::int64_t factor, ExprId value, Interval range, NodeId from) {
  if (range.size() * total.range.size() <= kMostEntries) {
    const std::string name = factor == 1    ? "sum"
                             : factor == -1 ? "difference"
                                            : fmt::format("sum_times_{}", std::abs(factor));
    const ExprId sum = t_.mapped(
        name, range, total.range, total.range, [&](std::int64_t y, std::int64_t x) { return x + factor * y; }, value,
        total.value);
    return assign(from, total.value, sum);
  }
  return repeat(value, range, from, [&](std::int64_t sign, NodeId at) { return add_once(sign * factor, total, at); });
}

// Repeats body(1, node) a positive number of times, or body(-1, node) for a negative number.
NodeId Emitter::repeat(ExprId value, Interval range, NodeId from,
                       const std::function<NodeId(std::int64_t, NodeId)>& body) {
  const Interval all{std::min<std::int64_t>(range.low, 0), std::max<std::int64_t>(range.high, 0)};
  const ExprId left = t_.number_variable(fmt::format("left_{}", ++lefts_), all, 0);
  const NodeId loop = node(), after = node(), more = node();
  edge(from, loop, ir::Assign{left, value});
  ask_equal(loop, after, more, left, t_.number(0));
  const auto branch = [&](std::int64_t sign, NodeId at) {
    const ExprId next = t_.mapped(
        plus_name(-sign), all, all, [&](std::int64_t n) { return n - sign; }, left);
    edge(body(sign, at), loop, ir::Assign{left, next});
  };
  if (all.low == 0) {
    branch(1, more);
  } else {
    const NodeId positive = node(), negative = node();
    const ExprId sign = t_.mapped(
        "is_positive", all, {0, 1}, [](std::int64_t n) { return n > 0 ? 1 : 0; }, left);
    ask_equal(more, positive, negative, sign, t_.number(1));
    branch(1, positive);
    branch(-1, negative);
  }
  --lefts_;
  return after;
}

ExprId Emitter::shifted(const Number& number, std::int64_t by, Interval range) {
  if (by == 0 && range.low <= number.range.low && number.range.high <= range.high) return number.value;
  return t_.mapped(
      by == 0 ? "kept" : plus_name(by), number.range, range, [&](std::int64_t n) { return n + by; }, number.value);
}

Emitter::Number Emitter::compute(const Linear& value, NodeId from, const Context& context,
                                 std::optional<std::int64_t> most) {
  const int number = ++sums_;
  Interval range = partial_sums(value, {[&](const Atom& atom) { return plan_.bounds(atom); }});
  if (most) range.high = std::min(range.high, *most);
  const ExprId variable =
      t_.number_variable(fmt::format("number_{}", number), range, std::clamp<std::int64_t>(0, range.low, range.high));
  const Total total{variable, range};
  // A score with factor 1 serves as the initial sum.
  const auto score_term = std::ranges::find_if(
      value.terms, [](const Linear::Term& term) { return term.factor == 1 && term.atom.kind == Atom::Kind::score; });
  ExprId first = t_.number(value.constant);
  if (score_term != value.terms.end()) {
    const Player player = score_term->atom.player;
    first = shifted({score(player), plan_.bounds(score_term->atom), from}, value.constant, range);
  }
  NodeId at = assign(from, total.value, first);
  for (auto term = value.terms.begin(); term != value.terms.end(); ++term) {
    if (term != score_term) at = add_atom(term->atom, term->factor, total, at, context);
  }
  return {total.value, total.range, at};
}

NodeId Emitter::add_once(std::int64_t amount, const Total& total, NodeId from) {
  const ExprId next = t_.mapped(
      plus_name(amount), total.range, total.range, [&](std::int64_t n) { return n + amount; }, total.value);
  return assign(from, total.value, next);
}

NodeId Emitter::add_atom(const Atom& atom, std::int64_t factor, const Total& total, NodeId from,
                         const Context& context) {
  switch (atom.kind) {
    case Atom::Kind::count: {
      const Mask& mask = atom.masks.front();
      return for_each_cell(widest(board_, mask), from, [&](ExprId at, NodeId here) {
        const NodeId inside = node();
        NodeId behind = node();
        ask(mask, {at, false}, here, inside, behind, context);
        edge(inside, behind,
             ir::Assign{total.value, t_.mapped(
                                         plus_name(factor), total.range, total.range,
                                         [&](std::int64_t n) { return n + factor; }, total.value)});
        return behind;
      });
    }
    case Atom::Kind::score:
      return add_number(total, factor, score(atom.player), *plan_.scores[static_cast<std::size_t>(atom.player)], from);
    case Atom::Kind::line:
      return plan_.only_new(atom) ? add_new_lines(atom, factor, total, from, context)
                                  : add_all_lines(atom, factor, total, from, context);
    case Atom::Kind::connected: {
      // Visits the targets in sequence.
      Atom one = atom;
      for (const Mask& target : atom.masks) {
        one.masks = {target};
        const NodeId reached = node(), after = node();
        ask_connected(one, 1, from, reached, after, context);
        jump(add_once(factor, total, reached), after);
        from = after;
      }
      return from;
    }
    case Atom::Kind::product: {
      const Number a = compute(atom.factors[0], from, context);
      const Number b = compute(atom.factors[1], a.after, context);
      sums_ -= 2;
      return repeat(a.value, a.range, b.after, [&](std::int64_t sign, NodeId at) {
        return add_number(total, sign * factor, b.value, b.range, at);
      });
    }
  }
  return from;
}

}  // namespace rgtrans::ludax
