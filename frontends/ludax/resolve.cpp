#include "frontends/ludax/resolve.hpp"

#include <algorithm>
#include <stdexcept>

namespace rgtrans::ludax {

using ast::Kind;
using ast::Side;
using ast::Term;

Player Resolver::player(Side side) const {
  switch (side) {
    case Side::p1:
      return Player::p1;
    case Side::p2:
      return Player::p2;
    case Side::opponent:
      return other(mover_);
    case Side::mover:
    case Side::both:  // callers that accept both resolve each side separately
      return mover_;
  }
  throw std::logic_error("a side of a kind that has no player");
}

// --- Masks. ---

std::vector<Mask> Resolver::masks(const Term& term) const {
  std::vector<Mask> result;
  for (const Term& part : term.parts) result.push_back(mask(part));
  return result;
}

Mask Resolver::mask(const Term& term) const {
  Mask result;
  switch (term.kind) {
    case Kind::every:
      return all_of(board_, masks(term));
    case Kind::either:
      return any_of(board_, masks(term));
    case Kind::except:
      return except(mask(term.parts.front()));
    case Kind::adjacent:
      return adjacent(board_, mask(term.parts.front()), term.directions);
    case Kind::custodial:
      return custodial(term);
    case Kind::edge:
      return region(board_.edge(term.edge));
    case Kind::center:
    case Kind::corners: {
      Cells cells = board_.none();
      if (term.kind == Kind::center && board_.center() != kNone) cells[board_.center()] = true;
      if (term.kind == Kind::corners) {
        for (const CellNumber corner : board_.corners()) cells[corner] = true;
      }
      return region(std::move(cells));
    }
    case Kind::empty:
      result.kind = Mask::Kind::empty;
      return result;
    case Kind::occupied:
      result.kind = Mask::Kind::occupied;
      return result;
    case Kind::owned:
    case Kind::prev_move:
      result.kind = term.kind == Kind::owned ? Mask::Kind::owned : Mask::Kind::last;
      result.player = player(term.side);
      return result;
    case Kind::number:
    case Kind::add:
    case Kind::multiply:
    case Kind::subtract:
    case Kind::count:
    case Kind::score:
    case Kind::line:
    case Kind::connected:
    case Kind::all:
    case Kind::any:
    case Kind::negation:
    case Kind::equal:
    case Kind::at_least:
    case Kind::at_most:
    case Kind::exists:
    case Kind::full_board:
    case Kind::mover_is:
    case Kind::passed:
      break;
  }
  throw std::logic_error("a term that is no mask, where a mask is lowered");
}

Mask Resolver::custodial(const Term& term) const {
  const auto directions = static_cast<Directions>(term.directions & board_.directions());
  // The run includes both ends. For any length, the shortest run must fit on the board.
  const std::int64_t shortest = (term.number == 0 ? 1 : term.number) + 2;
  if (board_.line_count(directions, shortest) == 0) return region(board_.none());
  Mask result;
  result.kind = Mask::Kind::custodial;
  result.player = player(term.side);
  result.directions = directions;
  result.length = term.number;
  return result;
}

// --- Functions. ---

Linear Resolver::count(Mask mask) const {
  if (mask.is_region()) return linear(static_cast<std::int64_t>(std::ranges::count(mask.cells, true)));
  Atom atom;
  atom.kind = Atom::Kind::count;
  atom.masks.push_back(std::move(mask));
  return linear(std::move(atom));
}

Linear Resolver::line(const Term& term) const {
  const auto directions = static_cast<Directions>(term.directions & board_.directions());
  if (board_.line_count(directions, term.number) == 0) return {};
  Atom atom;
  atom.kind = Atom::Kind::line;
  atom.player = mover_;
  atom.directions = directions;
  atom.length = term.number;
  atom.exact = term.exact;
  return linear(std::move(atom));
}

std::vector<Mask> Resolver::targets(const Term& term) const {
  if (term.targets == ast::Targets::listed) return masks(term);
  std::vector<Mask> result;
  if (term.targets == ast::Targets::corners) {
    for (const CellNumber corner : board_.corners()) {
      Cells cells = board_.none();
      cells[static_cast<std::size_t>(corner)] = true;
      result.push_back(region(std::move(cells)));
    }
    return result;
  }
  for (Edge edge : board_.edges()) {
    Cells cells = board_.edge(edge);
    if (term.targets == ast::Targets::edges_no_corners) {
      for (const CellNumber corner : board_.corners()) cells[corner] = false;
    }
    result.push_back(region(std::move(cells)));
  }
  return result;
}

Linear Resolver::connected(const Term& term) const {
  Atom atom;
  atom.kind = Atom::Kind::connected;
  atom.player = player(term.side);
  atom.directions = static_cast<Directions>(term.directions & board_.directions());
  for (Mask& target : targets(term)) {
    const bool nothing = target.is_region() && std::ranges::count(target.cells, true) == 0;
    if (!nothing) atom.masks.push_back(std::move(target));
  }
  return atom.masks.empty() ? Linear() : linear(std::move(atom));
}

Linear Resolver::function(const Term& term) const {
  switch (term.kind) {
    case Kind::number:
      return linear(term.number);
    case Kind::add:
    case Kind::multiply: {
      Linear result = function(term.parts.front());
      for (std::size_t i = 1; i < term.parts.size(); ++i) {
        const Linear next = function(term.parts[i]);
        result = term.kind == Kind::add ? sum(result, next) : product(result, next);
      }
      return result;
    }
    case Kind::subtract:
      return difference(function(term.parts[0]), function(term.parts[1]));
    case Kind::count:
      return count(mask(term.parts.front()));
    case Kind::score: {
      Atom atom;
      atom.kind = Atom::Kind::score;
      atom.player = player(term.side);
      return linear(std::move(atom));
    }
    case Kind::line:
      return line(term);
    case Kind::connected:
      return connected(term);
    case Kind::empty:
    case Kind::occupied:
    case Kind::center:
    case Kind::corners:
    case Kind::every:
    case Kind::either:
    case Kind::except:
    case Kind::adjacent:
    case Kind::custodial:
    case Kind::edge:
    case Kind::owned:
    case Kind::prev_move:
    case Kind::all:
    case Kind::any:
    case Kind::negation:
    case Kind::equal:
    case Kind::at_least:
    case Kind::at_most:
    case Kind::exists:
    case Kind::full_board:
    case Kind::mover_is:
    case Kind::passed:
      break;
  }
  throw std::logic_error("a term that is no function, where a function is lowered");
}

// --- Conditions. ---

Condition Resolver::passed(Player player) const {
  Condition condition;
  condition.kind = Condition::Kind::passed;
  condition.player = player;
  return condition;
}

Condition Resolver::condition(const Term& term) const {
  switch (term.kind) {
    case Kind::all:
    case Kind::any: {
      std::vector<Condition> parts;
      for (const Term& part : term.parts) parts.push_back(condition(part));
      return term.kind == Kind::all ? all_of(std::move(parts)) : any_of(std::move(parts));
    }
    case Kind::negation:
      return negation(condition(term.parts.front()));
    case Kind::equal: {
      std::vector<Condition> parts;
      const Linear first = function(term.parts.front());
      for (std::size_t i = 1; i < term.parts.size(); ++i) {
        parts.push_back(equals_zero(difference(function(term.parts[i]), first)));
      }
      return all_of(std::move(parts));
    }
    case Kind::at_least:
      return at_least_zero(difference(function(term.parts[0]), function(term.parts[1])));
    case Kind::at_most:
      return at_least_zero(difference(function(term.parts[1]), function(term.parts[0])));
    case Kind::exists:
      return at_least_zero(difference(count(mask(term.parts.front())), linear(1)));
    case Kind::full_board: {
      Mask empty;
      empty.kind = Mask::Kind::empty;
      return at_least_zero(scaled(count(std::move(empty)), -1));
    }
    case Kind::mover_is:
      return truth(player(term.side) == mover_);
    case Kind::passed:
      if (term.side == Side::both) return all_of({passed(Player::p1), passed(Player::p2)});
      return passed(player(term.side));
    case Kind::number:
    case Kind::add:
    case Kind::multiply:
    case Kind::subtract:
    case Kind::count:
    case Kind::score:
    case Kind::line:
    case Kind::connected:
      return at_least_zero(difference(function(term), linear(1)));  // true if positive
    case Kind::empty:
    case Kind::occupied:
    case Kind::center:
    case Kind::corners:
    case Kind::every:
    case Kind::either:
    case Kind::except:
    case Kind::adjacent:
    case Kind::custodial:
    case Kind::edge:
    case Kind::owned:
    case Kind::prev_move:
      break;
  }
  throw std::logic_error("a term that is no condition, where a condition is lowered");
}

}  // namespace rgtrans::ludax
