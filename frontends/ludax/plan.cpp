#include "frontends/ludax/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludax/resolve.hpp"

namespace rgtrans::ludax {

using EffectKind = ast::Effect::Kind;
using Result = ast::Rule::Result;

namespace {

Linear score_of(Player player) {
  Atom atom;
  atom.kind = Atom::Kind::score;
  atom.player = player;
  return linear(std::move(atom));
}

}  // namespace

Plan::Plan(const ast::Description& description, const PlanOptions& options, Diagnostics& diagnostics)
    : board(description.board), start(description.board.size()) {
  for (const ast::Placement& placement : description.start) {
    for (const auto& [cell, where] : placement.cells) {
      start[cell] = placement.who == ast::Side::p1 ? Player::p1 : Player::p2;
    }
  }
  make_turns(description, diagnostics);
  if (diagnostics.has_errors()) return;
  for (const Turn& turn : turns) {
    passes = passes || turn.force_pass;
    gives = gives || turn.placed != turn.mover;
    replaces = replaces || !implies_empty(turn.destination);
    for (const Effect& effect : turn.effects) {
      captures = captures || effect.kind == EffectKind::capture;
      flips = flips || effect.kind == EffectKind::flip;
    }
  }
  count_pieces();
  find_columns();
  find_full_boards();
  derive_scores();
  bound_scores(options, diagnostics);
}

// --- Turns. ---

void Plan::make_turns(const ast::Description& description, Diagnostics& diagnostics) {
  std::map<std::pair<std::size_t, Player>, std::size_t> made;
  for (std::size_t phase = 0; phase < description.phases.size(); ++phase) {
    const ast::Phase& written = description.phases[phase];
    const std::size_t first = positions.size();
    const bool last = !written.once || phase + 1 == description.phases.size();
    for (ast::Side side : written.movers) {
      const Player mover = side == ast::Side::p1 ? Player::p1 : Player::p2;
      const auto [it, fresh] = made.try_emplace({phase, mover}, turns.size());
      if (fresh) {
        try {
          turns.push_back(make_turn(description, phase, mover));
        } catch (const NumberTooLarge&) {
          diagnostics.error(written.where, "numbers of this phase or of the end rules become larger than 1000000000");
          return;
        }
      }
      positions.push_back({it->second, positions.size() + 1});
    }
    if (last) {
      positions.back().next = first;
      return;
    }
  }
}

Turn Plan::make_turn(const ast::Description& description, std::size_t phase, Player mover) const {
  const ast::Phase& written = description.phases[phase];
  const Resolver resolve(board, mover);
  Turn turn;
  turn.mover = mover;
  turn.placed = resolve.player(written.placed);
  turn.phase = phase;
  turn.where = written.where;
  turn.destination = resolve.mask(written.destination);
  if (written.result) turn.result = resolve.condition(*written.result);
  turn.force_pass = written.force_pass;
  for (const ast::Effect& e : written.effects) {
    Effect effect;
    effect.kind = e.kind;
    effect.player = resolve.player(e.side);
    effect.scores = e.scores;
    effect.where = e.where;
    if (e.kind == EffectKind::capture || e.kind == EffectKind::flip) {
      effect.mask = resolve.mask(e.term);
      if (effect.mask.is_region() && std::ranges::count(effect.mask.cells, true) == 0) continue;
    } else {
      effect.value = resolve.function(e.term);
    }
    turn.effects.push_back(std::move(effect));
  }
  for (const ast::Rule& r : description.rules) {
    Rule rule;
    rule.condition = resolve.condition(r.condition);
    rule.result = r.result;
    rule.winner = resolve.player(r.side);
    if (r.result == Result::lose) rule.winner = other(rule.winner);
    if (r.result == Result::by_score) rule.lead = difference(score_of(Player::p1), score_of(Player::p2));
    rule.where = r.where;
    if (rule.condition.kind == Condition::Kind::never) continue;
    turn.rules.push_back(std::move(rule));
    if (turn.rules.back().condition.kind == Condition::Kind::always) break;
  }
  return turn;
}

// Turns before the repeated ones bound the number of pieces.
void Plan::count_pieces() {
  std::array<std::int64_t, 2> pieces{};
  for (Player player : {Player::p1, Player::p2})
    pieces[index(player)] = std::ranges::count(start, std::optional(player));
  for (std::size_t i = 0; i < positions.back().next; ++i) {
    Turn& turn = turns[positions[i].turn];
    ++pieces[index(turn.placed)];
    turn.most_pieces = pieces[index(turn.mover)];
  }
}

namespace {

// Matches (and empty (or region (adjacent occupied direction:d))).
std::optional<Columns> columns_of(const Mask& destination) {
  using Kind = Mask::Kind;
  if (destination.kind != Kind::all_of || destination.parts.size() != 2) return std::nullopt;
  const bool first = destination.parts[0].kind == Kind::empty;
  if (!first && destination.parts[1].kind != Kind::empty) return std::nullopt;
  const Mask& either = destination.parts[first ? 1 : 0];
  if (either.kind != Kind::any_of || either.parts.size() != 2 || !either.parts[0].is_region()) return std::nullopt;
  const Mask& above = either.parts[1];
  if (above.kind != Kind::adjacent || above.parts.front().kind != Kind::occupied) return std::nullopt;
  const std::vector<Direction> directions = list_of(above.directions);
  if (directions.size() != 1) return std::nullopt;
  return Columns{either.parts[0].cells, directions.front(), false};
}

}  // namespace

void Plan::find_columns() {
  if (captures || replaces || std::ranges::any_of(start, [](const auto& piece) { return piece.has_value(); })) return;
  std::optional<Columns> found = columns_of(turns.front().destination);
  if (!found ||
      !std::ranges::all_of(turns, [&](const Turn& t) { return t.destination == turns.front().destination; })) {
    return;
  }
  Cells covered = found->bases;
  for (CellNumber base = 0; base < board.size(); ++base) {
    if (!found->bases[static_cast<std::size_t>(base)]) continue;
    for (CellNumber cell = board.step(base, found->grows); cell != kNone; cell = board.step(cell, found->grows)) {
      if (covered[cell]) return;  // a base inside of another column
      covered[cell] = true;
    }
  }
  found->everywhere = std::ranges::count(covered, false) == 0;
  columns = std::move(found);
}

// If the next mover only places pieces on empty cells and never passes, a full board leaves no move.
void Plan::find_full_boards() {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    Turn& turn = turns[i];
    if (turn.rules.empty() || turn.rules.back().result != Result::draw) continue;
    const Condition& last = turn.rules.back().condition;
    const bool full = last.kind == Condition::Kind::at_least && last.value.constant == 0 &&
                      last.value.terms.size() == 1 && last.value.terms.front().factor < 0 &&
                      last.value.terms.front().atom.kind == Atom::Kind::count &&
                      last.value.terms.front().atom.masks.front().kind == Mask::Kind::empty;
    turn.full_is_stuck = full && std::ranges::all_of(positions, [&](const Position& position) {
                           const Turn& next = turns[positions[position.next].turn];
                           return position.turn != i || (implies_empty(next.destination) && !next.force_pass);
                         });
  }
}

bool Plan::takes_any_empty_cell(const Turn& turn) const {
  return turn.destination.kind == Mask::Kind::empty || (columns && columns->everywhere);
}

// --- Invariants. ---

bool Plan::implies_empty(const Mask& mask) {
  if (mask.kind == Mask::Kind::empty) return true;
  if (mask.kind == Mask::Kind::region) return std::ranges::count(mask.cells, true) == 0;
  if (mask.kind == Mask::Kind::all_of) return std::ranges::any_of(mask.parts, implies_empty);
  return mask.kind == Mask::Kind::any_of && std::ranges::all_of(mask.parts, implies_empty);
}

bool Plan::certainly_ends(const Turn& turn, const Knowledge& knowledge) {
  return std::ranges::any_of(turn.rules,
                             [&](const Rule& rule) { return decide(rule.condition, knowledge) == Truth::yes; });
}

Interval Plan::bounds(const Atom& atom) const {
  return ludax::bounds(board, atom, [&](Player player) { return scores[index(player)].value_or(Interval{}); });
}

bool Plan::starts_with(const Atom& line) const {
  for (Direction axis : Board::axes(line.directions)) {
    for (const std::vector<CellNumber>& cells : board.lines(axis, static_cast<int>(line.length))) {
      if (std::ranges::all_of(cells, [&](CellNumber cell) { return start[cell] == line.player; })) {
        return true;
      }
    }
  }
  return false;
}

// Every line is new for one of two reasons. By the rules: a line would have ended the play or was forbidden by the
// placement's required result. By the pieces: only the player's own placements can complete a line.
bool Plan::only_new(const Atom& line) const {
  auto& known = new_lines_[static_cast<std::size_t>(line.length)];
  for (const auto& [atom, answer] : known) {
    if (atom == line) return answer;
  }
  const auto prove = [&] {
    if (gives || flips || starts_with(line)) return false;
    // Removing pieces can turn a longer line into one of the exact length.
    if (line.exact && (captures || replaces)) return false;
    const std::int64_t most = bounds(line).high;
    for (const Turn& turn : turns) {
      if (turn.mover != line.player || (turn.most_pieces && *turn.most_pieces < line.length)) continue;
      const bool loses_own = std::ranges::any_of(turn.effects, [&](const Effect& effect) {
        return effect.kind == EffectKind::capture && effect.player == turn.mover;
      });
      for (std::int64_t count = 1; count <= most; ++count) {
        const Knowledge knowledge{[&](const Atom& atom) -> Interval {
          if (atom == line) return {count, count};
          const Interval range = bounds(atom);
          const bool implied = atom.kind == Atom::Kind::line && contains_line(line, atom);
          return implied ? Interval{1, range.high} : range;
        }};
        const bool forbidden = turn.result && !loses_own && decide(*turn.result, knowledge) == Truth::no;
        if (!forbidden && !certainly_ends(turn, knowledge)) return false;
      }
    }
    return true;
  };
  const bool answer = prove();
  known.emplace_back(line, answer);
  return answer;
}

bool Plan::always_has_move(const Position& after, const Turn& next) const {
  if (next.result) return false;
  if (next.destination.is_region()) return std::ranges::count(next.destination.cells, true) > 0;
  // If columns cover the board, an empty cell implies a possible placement.
  if (!takes_any_empty_cell(next)) return false;
  const Knowledge full{[&](const Atom& atom) {
    if (atom.kind == Atom::Kind::count && atom.masks.front().kind == Mask::Kind::empty) return Interval{0, 0};
    return bounds(atom);
  }};
  return certainly_ends(turns[after.turn], full);
}

bool Plan::has_first_move() const {
  const Turn& first = turns[positions.front().turn];
  if (first.result) return false;
  if (first.destination.is_region()) return std::ranges::count(first.destination.cells, true) > 0;
  return takes_any_empty_cell(first) &&
         std::ranges::any_of(start, [](const auto& piece) { return !piece.has_value(); });
}

std::optional<std::int64_t> Plan::longest_play() const {
  if (captures || replaces) return std::nullopt;
  const std::int64_t empty = std::ranges::count_if(start, [](const auto& piece) { return !piece.has_value(); });
  if (!passes) return empty;
  const Knowledge both{[&](const Atom& atom) { return bounds(atom); }, [](Player) { return Truth::yes; }};
  std::array<bool, 2> moves{};
  for (std::size_t at = positions.back().next; at < positions.size(); ++at) {
    const Turn& turn = turns[positions[at].turn];
    moves[index(turn.mover)] = true;
    if (!certainly_ends(turn, both)) return std::nullopt;
  }
  if (!moves[0] || !moves[1]) return std::nullopt;
  // If all players pass between two placements, the play is over.
  return (empty + 1) * (static_cast<std::int64_t>(positions.size()) + 1);
}

}  // namespace rgtrans::ludax
