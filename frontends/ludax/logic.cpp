#include "frontends/ludax/logic.hpp"

#include <algorithm>

namespace rgtrans::ludax {

namespace {

constexpr std::int64_t kLargest = 1'000'000'000;

// Operands of a product are within this range, so the product does not overflow.
std::int64_t checked(std::int64_t value) {
  if (value > kLargest || value < -kLargest) throw NumberTooLarge();
  return value;
}

bool all_equal(const Cells& cells, bool value) {
  return std::ranges::all_of(cells, [&](bool cell) { return cell == value; });
}

// Combines the parts of an intersection (or, dually, of a union): merges regions and flattens nested parts.
Mask combined(Mask::Kind kind, const Board& board, std::vector<Mask> parts) {
  const bool every = kind == Mask::Kind::all_of;
  Cells cells(board.size(), every);
  std::vector<Mask> rest;
  for (Mask& part : parts) {
    std::vector<Mask> inner;
    if (part.kind == kind) {
      inner = std::move(part.parts);
    } else {
      inner.push_back(std::move(part));
    }
    for (Mask& mask : inner) {
      if (!mask.is_region()) {
        if (std::ranges::find(rest, mask) == rest.end()) rest.push_back(std::move(mask));
        continue;
      }
      for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = every ? cells[i] && mask.cells[i] : cells[i] || mask.cells[i];
    }
  }
  if (rest.empty() || all_equal(cells, !every)) return region(std::move(cells));
  if (!all_equal(cells, every)) rest.insert(rest.begin(), region(std::move(cells)));
  if (rest.size() == 1) return std::move(rest.front());
  Mask mask;
  mask.kind = kind;
  mask.parts = std::move(rest);
  return mask;
}

}  // namespace

// --- Masks. ---

Mask region(Cells cells) {
  Mask mask;
  mask.cells = std::move(cells);
  return mask;
}
Mask all_of(const Board& board, std::vector<Mask> parts) {
  return combined(Mask::Kind::all_of, board, std::move(parts));
}
Mask any_of(const Board& board, std::vector<Mask> parts) {
  return combined(Mask::Kind::any_of, board, std::move(parts));
}

Mask except(const Mask& mask) {
  Mask result = mask;
  switch (mask.kind) {
    case Mask::Kind::region:
      result.cells.flip();
      return result;
    case Mask::Kind::empty:
      result.kind = Mask::Kind::occupied;
      return result;
    case Mask::Kind::occupied:
      result.kind = Mask::Kind::empty;
      return result;
    case Mask::Kind::all_of:
    case Mask::Kind::any_of:
      result.kind = mask.kind == Mask::Kind::all_of ? Mask::Kind::any_of : Mask::Kind::all_of;
      for (Mask& part : result.parts) part = except(part);
      return result;
    case Mask::Kind::except:
      return mask.parts.front();
    case Mask::Kind::owned:
    case Mask::Kind::last:
    case Mask::Kind::adjacent:
    case Mask::Kind::custodial:
      break;
  }
  result = Mask();
  result.kind = Mask::Kind::except;
  result.parts.push_back(mask);
  return result;
}

Cells neighbours(const Board& board, const Cells& cells, Directions directions) {
  Cells result = board.none();
  for (CellNumber cell = 0; cell < board.size(); ++cell) {
    if (!cells[cell]) continue;
    for (Direction d : list_of(directions)) {
      if (const CellNumber next = board.step(cell, d); next != kNone) result[next] = true;
    }
  }
  return result;
}

Mask adjacent(const Board& board, Mask mask, Directions directions) {
  directions = static_cast<Directions>(directions & board.directions());
  if (directions == 0) return region(board.none());
  if (mask.is_region()) return region(neighbours(board, mask.cells, directions));
  Mask result;
  result.kind = Mask::Kind::adjacent;
  result.directions = directions;
  result.parts.push_back(std::move(mask));
  return result;
}

Cells widest(const Board& board, const Mask& mask) {
  Cells cells(board.size(), true);
  switch (mask.kind) {
    case Mask::Kind::region:
      return mask.cells;
    case Mask::Kind::adjacent:
      return neighbours(board, widest(board, mask.parts.front()), mask.directions);
    case Mask::Kind::all_of:
      for (const Mask& part : mask.parts) {
        const Cells inner = widest(board, part);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cells[i] && inner[i];
      }
      return cells;
    case Mask::Kind::any_of:
      cells = board.none();
      for (const Mask& part : mask.parts) {
        const Cells inner = widest(board, part);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cells[i] || inner[i];
      }
      return cells;
    case Mask::Kind::empty:
    case Mask::Kind::occupied:
    case Mask::Kind::owned:
    case Mask::Kind::last:
    case Mask::Kind::custodial:
    case Mask::Kind::except:
      break;
  }
  return cells;
}

std::int64_t most_cells(const Board& board, const Mask& mask) {
  std::int64_t most = std::ranges::count(widest(board, mask), true);
  switch (mask.kind) {
    case Mask::Kind::last:
      return std::min<std::int64_t>(most, 1);
    case Mask::Kind::adjacent: {
      const auto ways = static_cast<std::int64_t>(list_of(mask.directions).size());
      return std::min(most, ways * most_cells(board, mask.parts.front()));
    }
    case Mask::Kind::all_of:
      for (const Mask& part : mask.parts) most = std::min(most, most_cells(board, part));
      return most;
    case Mask::Kind::region:
    case Mask::Kind::empty:
    case Mask::Kind::occupied:
    case Mask::Kind::owned:
    case Mask::Kind::custodial:
    case Mask::Kind::any_of:
    case Mask::Kind::except:
      break;
  }
  return most;
}

bool any_part(const Mask& mask, const std::function<bool(const Mask&)>& condition) {
  return condition(mask) ||
         std::ranges::any_of(mask.parts, [&](const Mask& part) { return any_part(part, condition); });
}

// --- Numbers. ---

Linear linear(std::int64_t constant) {
  Linear value;
  value.constant = checked(constant);
  return value;
}
Linear linear(Atom atom) {
  Linear value;
  value.terms.push_back({1, std::move(atom)});
  return value;
}

Linear sum(const Linear& a, const Linear& b) {
  Linear result = a;
  result.constant = checked(a.constant + b.constant);
  for (const Linear::Term& term : b.terms) {
    const auto same = std::ranges::find(result.terms, term.atom, &Linear::Term::atom);
    if (same == result.terms.end()) {
      result.terms.push_back(term);
    } else {
      same->factor = checked(same->factor + term.factor);
    }
  }
  std::erase_if(result.terms, [](const Linear::Term& term) { return term.factor == 0; });
  return result;
}

Linear scaled(const Linear& a, std::int64_t factor) {
  if (factor == 0) return {};
  Linear result = a;
  result.constant = checked(a.constant * factor);
  for (Linear::Term& term : result.terms) term.factor = checked(term.factor * factor);
  return result;
}

Linear difference(const Linear& a, const Linear& b) { return sum(a, scaled(b, -1)); }

Linear product(const Linear& a, const Linear& b) {
  if (a.is_constant()) return scaled(b, a.constant);
  if (b.is_constant()) return scaled(a, b.constant);
  Atom atom;
  atom.kind = Atom::Kind::product;
  atom.factors = {a, b};
  return linear(std::move(atom));
}

// --- Conditions. ---

Condition truth(bool value) {
  Condition condition;
  condition.kind = value ? Condition::Kind::always : Condition::Kind::never;
  return condition;
}

namespace {

Condition joined(Condition::Kind kind, std::vector<Condition> parts) {
  const bool every = kind == Condition::Kind::all_of;
  const Condition::Kind absorbing = every ? Condition::Kind::never : Condition::Kind::always;
  const Condition::Kind neutral = every ? Condition::Kind::always : Condition::Kind::never;
  Condition result;
  result.kind = kind;
  for (Condition& part : parts) {
    if (part.kind == absorbing) return part;
    if (part.kind == neutral) continue;
    if (part.kind == kind) {
      std::ranges::move(part.parts, std::back_inserter(result.parts));
    } else {
      result.parts.push_back(std::move(part));
    }
  }
  if (result.parts.empty()) return truth(every);
  if (result.parts.size() == 1) return Condition(std::move(result.parts.front()));
  return result;
}

}  // namespace

Condition all_of(std::vector<Condition> parts) { return joined(Condition::Kind::all_of, std::move(parts)); }
Condition any_of(std::vector<Condition> parts) { return joined(Condition::Kind::any_of, std::move(parts)); }

Condition at_least_zero(Linear value) {
  if (value.is_constant()) return truth(value.constant >= 0);
  Condition condition;
  condition.kind = Condition::Kind::at_least;
  condition.value = std::move(value);
  return condition;
}
Condition equals_zero(Linear value) {
  if (value.is_constant()) return truth(value.constant == 0);
  Condition condition;
  condition.kind = Condition::Kind::zero;
  condition.value = std::move(value);
  return condition;
}

Condition negation(Condition condition) {
  using Kind = Condition::Kind;
  switch (condition.kind) {
    case Kind::never:
    case Kind::always:
      return truth(condition.kind == Kind::never);
    case Kind::all_of:
    case Kind::any_of:
      condition.kind = condition.kind == Kind::all_of ? Kind::any_of : Kind::all_of;
      for (Condition& part : condition.parts) part = negation(std::move(part));
      return condition;
    case Kind::at_least:  // not v >= 0 equals -v - 1 >= 0
      condition.value = difference(linear(-1), condition.value);
      return condition;
    case Kind::zero:
      condition.kind = Kind::nonzero;
      return condition;
    case Kind::nonzero:
      condition.kind = Kind::zero;
      return condition;
    case Kind::passed:
      condition.kind = Kind::not_passed;
      return condition;
    case Kind::not_passed:
      condition.kind = Kind::passed;
      return condition;
  }
  return condition;
}

Linear replaced(const Linear& value, const Replacement& by) {
  Linear result = linear(value.constant);
  for (const Linear::Term& term : value.terms) {
    std::optional<Linear> one = by(term.atom);
    if (!one && term.atom.kind == Atom::Kind::product) {
      one = product(replaced(term.atom.factors[0], by), replaced(term.atom.factors[1], by));
    }
    result = sum(result, scaled(one ? *one : linear(term.atom), term.factor));
  }
  return result;
}

Condition replaced(const Condition& condition, const Replacement& by) {
  std::vector<Condition> parts;
  for (const Condition& part : condition.parts) parts.push_back(replaced(part, by));
  switch (condition.kind) {
    case Condition::Kind::all_of:
      return all_of(std::move(parts));
    case Condition::Kind::any_of:
      return any_of(std::move(parts));
    case Condition::Kind::at_least:
      return at_least_zero(replaced(condition.value, by));
    case Condition::Kind::zero:
      return equals_zero(replaced(condition.value, by));
    case Condition::Kind::nonzero:
      return negation(equals_zero(replaced(condition.value, by)));
    case Condition::Kind::never:
    case Condition::Kind::always:
    case Condition::Kind::passed:
    case Condition::Kind::not_passed:
      break;
  }
  return condition;
}

void for_each_atom(const Linear& value, const std::function<void(const Atom&)>& f) {
  for (const Linear::Term& term : value.terms) {
    f(term.atom);
    for (const Linear& factor : term.atom.factors) for_each_atom(factor, f);
  }
}
void for_each_atom(const Condition& condition, const std::function<void(const Atom&)>& f) {
  for_each_atom(condition.value, f);
  for (const Condition& part : condition.parts) for_each_atom(part, f);
}

bool contains_line(const Atom& atom, const Atom& line) {
  return atom.kind == Atom::Kind::line && !line.exact && atom.player == line.player && atom.length >= line.length &&
         (atom.directions & ~line.directions) == 0;
}

// --- Knowledge. ---

namespace {

Interval added_up(const Linear& value, const Knowledge& knowledge, bool on_the_way) {
  std::int64_t low = value.constant, high = value.constant;
  for (const Linear::Term& term : value.terms) {
    const Interval one = knowledge.atom(term.atom);
    const std::int64_t a = term.factor * one.low, b = term.factor * one.high;
    std::int64_t least = std::min(a, b), most = std::max(a, b);
    if (on_the_way) {
      least = std::min<std::int64_t>(least, 0);
      most = std::max<std::int64_t>(most, 0);
    }
    low = checked(low + least);
    high = checked(high + most);
  }
  return {low, high};
}

}  // namespace

Interval interval(const Linear& value, const Knowledge& knowledge) { return added_up(value, knowledge, false); }
Interval partial_sums(const Linear& value, const Knowledge& knowledge) { return added_up(value, knowledge, true); }

Truth decide(const Condition& condition, const Knowledge& knowledge) {
  using Kind = Condition::Kind;
  switch (condition.kind) {
    case Kind::never:
    case Kind::always:
      return truth_of(condition.kind == Kind::always);
    case Kind::all_of:
    case Kind::any_of: {
      const Truth absorbing = truth_of(condition.kind == Kind::any_of);
      bool open = false;
      for (const Condition& part : condition.parts) {
        const Truth known = decide(part, knowledge);
        if (known == absorbing) return absorbing;
        open = open || known == Truth::unknown;
      }
      return open ? Truth::unknown : !absorbing;
    }
    case Kind::at_least: {
      const Interval value = interval(condition.value, knowledge);
      return value.low >= 0 ? Truth::yes : value.high < 0 ? Truth::no : Truth::unknown;
    }
    case Kind::zero:
    case Kind::nonzero: {
      const Interval value = interval(condition.value, knowledge);
      const Truth zero = truth_of(condition.kind == Kind::zero);
      if (value.low > 0 || value.high < 0) return !zero;
      return value.low == 0 && value.high == 0 ? zero : Truth::unknown;
    }
    case Kind::passed:
    case Kind::not_passed: {
      const Truth known = knowledge.passed(condition.player);
      return condition.kind == Kind::passed ? known : !known;
    }
  }
  return Truth::unknown;
}

Interval bounds(const Board& board, const Atom& atom, const std::function<Interval(Player)>& scores) {
  switch (atom.kind) {
    case Atom::Kind::count:
      return {0, most_cells(board, atom.masks.front())};
    case Atom::Kind::score:
      return scores(atom.player);
    case Atom::Kind::line:
      return {0, board.line_count(atom.directions, atom.length)};
    case Atom::Kind::connected:
      return {0, static_cast<std::int64_t>(atom.masks.size())};
    case Atom::Kind::product: {
      const Knowledge knowledge{[&](const Atom& inner) { return bounds(board, inner, scores); }};
      const Interval a = interval(atom.factors[0], knowledge), b = interval(atom.factors[1], knowledge);
      const std::int64_t corners[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
      return {checked(*std::ranges::min_element(corners)), checked(*std::ranges::max_element(corners))};
    }
  }
  return {};
}

}  // namespace rgtrans::ludax
