// What the lowering works on: terms for one player to act, in few forms. A side is a player, `not` is pushed to the
// leaves, whatever does not depend on the play is a set of cells or a number, and every function is a sum of counted
// things ("atoms") with whole factors. So (>= (subtract (count a) 2) (count b)) is the one question whether
// count(a) - count(b) - 2 is at least 0.
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
  std::int64_t length = 0;     // custodial; 0 for any
  std::vector<Mask> parts;     // adjacent and except have one
  bool operator==(const Mask&) const = default;

  [[nodiscard]] bool is_region() const { return kind == Kind::region; }
};

Mask region(Cells cells);
Mask all_of(const Board& board, std::vector<Mask> parts);
Mask any_of(const Board& board, std::vector<Mask> parts);
Mask except(const Mask& mask);
Mask adjacent(const Board& board, Mask mask, Directions directions);
// One cell further from each cell of a set.
Cells neighbours(const Board& board, const Cells& cells, Directions directions);
// Cells outside of it are never in the mask.
Cells widest(const Board& board, const Mask& mask);
// No more cells than this are ever in the mask at once.
std::int64_t most_cells(const Board& board, const Mask& mask);
// Does some part of the mask satisfy a condition?
bool any_part(const Mask& mask, const std::function<bool(const Mask&)>& condition);

struct Linear;

struct Atom {
  enum class Kind : std::uint8_t { count, score, line, connected, product };
  Kind kind = Kind::count;
  Player player = Player::p1;   // score, connected; of a line its owner
  Directions directions = 0;    // line, connected
  std::int64_t length = 0;      // line
  bool exact = false;           // line
  std::vector<Mask> masks;      // the mask counted; the targets of connected
  std::vector<Linear> factors;  // of a product, two
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

// Thrown where a number leaves the range that can be worked with.
struct NumberTooLarge {};

Linear linear(std::int64_t constant);
Linear linear(Atom atom);
Linear sum(const Linear& a, const Linear& b);
Linear scaled(const Linear& a, std::int64_t factor);
Linear difference(const Linear& a, const Linear& b);
Linear product(const Linear& a, const Linear& b);

struct Condition {
  // at_least: value >= 0; zero: value == 0; nonzero.
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
// With other values for some atoms, those in factors included.
using Replacement = std::function<std::optional<Linear>(const Atom&)>;
Linear replaced(const Linear& value, const Replacement& by);
Condition replaced(const Condition& condition, const Replacement& by);
// Calls f for every atom, those in factors included.
void for_each_atom(const Linear& value, const std::function<void(const Atom&)>& f);
void for_each_atom(const Condition& condition, const std::function<void(const Atom&)>& f);

// Is every line of the one kind a line of the other kind, or longer than one?
bool contains_line(const Atom& atom, const Atom& line);

// What is known of numbers and conditions.
struct Knowledge {
  std::function<Interval(const Atom&)> atom;
  std::function<Truth(Player)> passed = [](Player) { return Truth::unknown; };
};
Interval interval(const Linear& value, const Knowledge& knowledge);
// Of the constant and every sum on the way from it to the value, term by term.
Interval partial_sums(const Linear& value, const Knowledge& knowledge);
// Whether the condition must hold, or cannot hold; unknown when that is open.
Truth decide(const Condition& condition, const Knowledge& knowledge);
// The numbers that an atom can have on a board; of a score, what `scores` says.
Interval bounds(const Board& board, const Atom& atom, const std::function<Interval(Player)>& scores);

}  // namespace rgtrans::ludax
