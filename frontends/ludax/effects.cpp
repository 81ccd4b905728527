#include "frontends/ludax/effects.hpp"

#include <algorithm>

namespace rgtrans::ludax {

using ir::ExprId;
using ir::NodeId;
using EffectKind = ast::Effect::Kind;

namespace {

// Whether the mask at a cell depends only on that cell's piece, so that changes of other cells do not affect it.
bool is_local(const Mask& mask) {
  return Emitter::relative_to(mask).has_value() || !any_part(mask, [](const Mask& part) {
           return part.kind == Mask::Kind::adjacent || part.kind == Mask::Kind::custodial;
         });
}

// The part of the mask that restricts it to the neighbours of a last placement, or null.
const Mask* around_last_placement(const Mask& mask) {
  const auto fits = [](const Mask& part) {
    return part.kind == Mask::Kind::adjacent && part.parts.front().kind == Mask::Kind::last;
  };
  if (fits(mask)) return &mask;
  if (mask.kind != Mask::Kind::all_of || !std::ranges::all_of(mask.parts, is_local)) return nullptr;
  const auto it = std::ranges::find_if(mask.parts, fits);
  return it == mask.parts.end() ? nullptr : &*it;
}

}  // namespace

NodeId Effects::apply(const Effect& effect, const Turn& turn, NodeId from, Context& context) {
  e_.where = effect.where;
  if (effect.kind == EffectKind::set_score || effect.kind == EffectKind::increment_score) {
    return set_score(effect, from, context);
  }
  const Mask& mask = effect.mask;
  NodeId after;
  if (mask.kind == Mask::Kind::custodial && effect.player == other(mask.player)) {
    after = along_runs(effect, turn, from, context);
  } else if (around_last_placement(mask) != nullptr) {
    after = around_last(effect, turn, from, context);
  } else {
    after = everywhere(effect, turn, from, context);
  }
  for (Last& last : context.last) {
    if (last.piece == effect.player) last.piece.reset();
  }
  return after;
}

NodeId Effects::change(const Effect& effect, const Turn& turn, ExprId place, NodeId from, const Context& context) {
  const bool flip = effect.kind == EffectKind::flip;
  const ExprId piece = flip ? t_.player(other(effect.player)) : t_.empty();
  // The context's board may be a copy for masks, but the change applies to the real board.
  from = e_.assign(from, e_.piece_on(place, context), piece);
  if (!effect.scores) return from;
  const Interval range = *plan_.scores[static_cast<std::size_t>(turn.mover)];
  const ExprId score = e_.score(turn.mover);
  return e_.assign(from, score,
                   t_.mapped(
                       "plus_1", range, range, [](std::int64_t n) { return n + 1; }, score));
}

// The runs lead away from one cell in different directions, so they do not affect each other.
NodeId Effects::along_runs(const Effect& effect, const Turn& turn, NodeId from, const Context& context) {
  const Mask& mask = effect.mask;
  const Last& last = context.last_of(mask.player);
  if (last.known == Last::Known::nowhere) return from;
  const NodeId end = e_.node();
  from = e_.check_end(mask.player, from, end, context);
  const ExprId walk = t_.place_variable("walk");
  for (Direction d : list_of(mask.directions)) {
    const ExprId direction = t_.word(kDirectionNames[static_cast<std::size_t>(d)]);
    const NodeId start = e_.node(), found = e_.node(), holds = e_.node(), after = e_.node();
    e_.walk_custodial(mask, direction, start, found, context);
    e_.ask_search(from, holds, after, start, found);
    NodeId at = e_.assign(holds, walk, t_.step(d, last.place));
    if (mask.length == 0) {
      const NodeId inside = e_.node();
      e_.ask_equal(at, after, inside, e_.piece_on(walk, context), t_.player(mask.player));
      // The first inner cell certainly exists; the test above ends the run.
      e_.edge(change(effect, turn, walk, inside, context), at, ir::Assign{walk, t_.step(d, walk)});
    } else {
      for (std::int64_t i = 1; i < mask.length; ++i) {
        at = e_.assign(change(effect, turn, walk, at, context), walk, t_.step(d, walk));
      }
      e_.jump(change(effect, turn, walk, at, context), after);
    }
    from = after;
  }
  e_.jump(from, end);
  return end;
}

NodeId Effects::around_last(const Effect& effect, const Turn& turn, NodeId from, const Context& context) {
  const Mask& near = *around_last_placement(effect.mask);
  const Last& last = context.last_of(near.parts.front().player);
  if (last.known == Last::Known::nowhere) return from;
  Mask rest = effect.mask;
  if (&near == &effect.mask) {
    rest = region(Cells(e_.board().size(), true));
  } else {
    std::erase_if(rest.parts, [&](const Mask& part) { return part == near; });
    rest = all_of(e_.board(), std::move(rest.parts));
  }
  const ExprId walk = t_.place_variable("walk");
  for (Direction d : list_of(near.directions)) {
    // The place "nowhere" has no piece.
    const NodeId at = e_.assign(from, walk, t_.step(d, last.place));
    const NodeId there = e_.node(), fits = e_.node(), after = e_.node();
    e_.ask_equal(at, there, after, e_.piece_on(walk, context), t_.player(effect.player));
    e_.ask(rest, {walk, false}, there, fits, after, context);
    e_.jump(change(effect, turn, walk, fits, context), after);
    from = after;
  }
  return from;
}

// Visits all cells. A mask that depends on other cells is evaluated on a copy of the original board.
NodeId Effects::everywhere(const Effect& effect, const Turn& turn, NodeId from, const Context& context) {
  Context before = context;
  if (!is_local(effect.mask)) {
    before.board = t_.board("before", std::vector<std::optional<Player>>(e_.board().size()));
    from = e_.assign(from, before.board, context.board);
  }
  return e_.for_each_cell(widest(e_.board(), effect.mask), from, [&](ExprId at, NodeId here) {
    const NodeId behind = e_.node(), there = e_.node(), fits = e_.node();
    e_.ask_equal(here, there, behind, e_.piece_on(at, before), t_.player(effect.player));
    e_.ask(effect.mask, {at, false}, there, fits, behind, before);
    e_.jump(change(effect, turn, at, fits, context), behind);
    return behind;
  });
}

NodeId Effects::set_score(const Effect& effect, NodeId from, const Context& context) {
  const Interval range = *plan_.scores[static_cast<std::size_t>(effect.player)];
  const ExprId score = e_.score(effect.player);
  const bool grows = effect.kind == EffectKind::increment_score;
  if (effect.value.is_constant()) {
    const std::int64_t amount = effect.value.constant;
    if (!grows) return e_.assign(from, score, t_.number(std::clamp(amount, range.low, range.high)));
    const Emitter::Number now{score, range, from};
    return e_.assign(from, score, e_.shifted(now, amount, range));
  }
  Linear value = effect.value;
  if (grows) {
    Atom own;
    own.kind = Atom::Kind::score;
    own.player = effect.player;
    value = sum(value, linear(std::move(own)));
  }
  const Emitter::Number number = e_.compute(value, from, context);
  e_.release();
  return e_.assign(number.after, score, e_.shifted(number, 0, range));
}

}  // namespace rgtrans::ludax
