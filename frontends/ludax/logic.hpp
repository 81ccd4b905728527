// Normalized terms for lowering, each for one player to act. Sides are resolved to players, and `not` is pushed to the
// leaves. Parts that do not depend on the play are sets of cells or numbers. Every function is a sum of counted
// quantities ("atoms") with integer factors. Example: (>= (subtract (count a) 2) (count b)) becomes the single test
// whether count(a) - count(b) - 2 is at least 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/support/interval.hpp"
#include "core/support/support.hpp"
#include "frontends/ludax/board.hpp"

namespace rgtrans::ludax {

enum class Player : std::uint8_t { p1, p2 };
inline constexpr std::array kPlayers = {Player::p1, Player::p2};
constexpr std::size_t index(Player player) { return static_cast<std::size_t>(player); }
constexpr Player other(Player p) { return p == Player::p1 ? Player::p2 : Player::p1; }

struct Mask {
  enum class Kind : std::uint8_t { region, empty, occupied, owned, last, adjacent, custodial, all_of, any_of, except };
  Kind kind = Kind::region;
  Cells cells;                 // region
  Player player = Player::p1;  // owned, last, custodial
  Directions directions = 0;   // adjacent, custodial
  std::int64_t length = 0;     // custodial; 0 for any length
  std::vector<Mask> parts;     // one for adjacent and except
  bool operator==(const Mask&) const = default;

  [[nodiscard]] bool is_region() const { return kind == Kind::region; }
};

Mask region(Cells cells);
Mask all_of(const Board& board, std::vector<Mask> parts);
Mask any_of(const Board& board, std::vector<Mask> parts);
Mask except(const Mask& mask);
Mask adjacent(const Board& board, Mask mask, Directions directions);
// The cells one step away from the cells of a set.
Cells neighbours(const Board& board, const Cells& cells, Directions directions);
// A superset of the mask in all states.
Cells widest(const Board& board, const Mask& mask);
// The maximum number of cells in the mask at the same time.
std::int64_t most_cells(const Board& board, const Mask& mask);
// Whether some part of the mask satisfies a condition.
bool any_part(const Mask& mask, const std::function<bool(const Mask&)>& condition);

struct Linear;

struct Atom {
  enum class Kind : std::uint8_t { count, score, line, connected, product };
  Kind kind = Kind::count;
  Player player = Player::p1;   // score, connected; for a line its owner
  Directions directions = 0;    // line, connected
  std::int64_t length = 0;      // line
  bool exact = false;           // line
  std::vector<Mask> masks;      // the counted mask, or the targets of connected
  std::vector<Linear> factors;  // both factors of a product
  bool operator==(const Atom&) const;
};

struct Linear {
  struct Term {
    std::int64_t factor;
    Atom atom;
    bool operator==(const Term&) const = default;
  };
  std::int64_t constant = 0;
  std::vector<Term> terms;
  bool operator==(const Linear&) const = default;

  [[nodiscard]] bool is_constant() const { return terms.empty(); }
};
inline bool Atom::operator==(const Atom& o) const {
  return kind == o.kind && player == o.player && directions == o.directions && length == o.length && exact == o.exact &&
         masks == o.masks && factors == o.factors;
}

// Thrown when a number leaves the supported range.
struct NumberTooLarge {};

Linear linear(std::int64_t constant);
Linear linear(Atom atom);
Linear sum(const Linear& a, const Linear& b);
Linear scaled(const Linear& a, std::int64_t factor);
Linear difference(const Linear& a, const Linear& b);
Linear product(const Linear& a, const Linear& b);

struct Condition {
  // at_least: value >= 0; zero: value == 0; nonzero: value != 0.
  enum class Kind : std::uint8_t { never, always, all_of, any_of, at_least, zero, nonzero, passed, not_passed };
  Kind kind = Kind::never;
  std::vector<Condition> parts;
  Linear value;
  Player player = Player::p1;  // passed
  Range where;
  bool operator==(const Condition&) const = default;
};

Condition truth(bool value);
Condition all_of(std::vector<Condition> parts);
Condition any_of(std::vector<Condition> parts);
Condition at_least_zero(Linear value);
Condition equals_zero(Linear value);
Condition negation(Condition condition);
// Replaces atoms by other values, also inside factors.
using Replacement = std::function<std::optional<Linear>(const Atom&)>;
Linear replaced(const Linear& value, const Replacement& by);
Condition replaced(const Condition& condition, const Replacement& by);
// Calls f for every atom, also inside factors.
void for_each_atom(const Linear& value, const std::function<void(const Atom&)>& f);
void for_each_atom(const Condition& condition, const std::function<void(const Atom&)>& f);

// Whether every line of the first kind is or contains a line of the second kind.
bool contains_line(const Atom& atom, const Atom& line);

// Known bounds of numbers, and known flags.
struct Knowledge {
  std::function<Interval(const Atom&)> atom;
  std::function<Truth(Player)> passed = [](Player) { return Truth::unknown; };
};
Interval interval(const Linear& value, const Knowledge& knowledge);
// The range of the constant and of all partial sums of the terms.
Interval partial_sums(const Linear& value, const Knowledge& knowledge);
// Whether the condition always or never holds; otherwise unknown.
Truth decide(const Condition& condition, const Knowledge& knowledge);
// The possible values of an atom on a board. `scores` gives the range of a score.
Interval bounds(const Board& board, const Atom& atom, const std::function<Interval(Player)>& scores);

}  // namespace rgtrans::ludax
