// Case distinctions. What is asked about a state is a way: a conjunction of literals over atoms, such as the piece at a
// place or the order of two values. Whether one of several ways is open in every case is answered by splitting on one
// atom after another.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "core/support/bits.hpp"
#include "core/support/effort.hpp"

namespace rgtrans::rbg {

// What a literal speaks about.
struct Atom {
  enum class Kind : std::uint8_t { cursor, piece, value, order, pattern } kind = Kind::cursor;
  std::uint64_t key = 0;  // which place, expression, pair of expressions or pattern
  auto operator<=>(const Atom&) const = default;
};
struct AtomTest {
  Atom atom;
  Bits allowed;  // over the values of the atom
};
using Way = std::vector<AtomTest>;

// When something is possible.
struct Condition {
  enum class Kind : std::uint8_t { always, never, literal, unknown } kind = Kind::always;
  AtomTest literal = {};
  Bits possible = {};  // the values that the atom can have at all, in the states in question
};

// The ways that start in the same states.
class Cases {
 public:
  // Appends the condition to the way; false when it cannot hold (then the way is as before). What always holds, or
  // nobody knows, adds nothing.
  bool add(Condition condition, Way& way);
  // Never hold both. (That two atoms may depend on each other is not known here.)
  [[nodiscard]] bool exclude(const AtomTest& a, const AtomTest& b) const;
  // Does at least one of the ways hold in every case? False also when there are too many cases to find out.
  [[nodiscard]] bool cover(const std::vector<Way>& ways) const;

 private:
  // The values of the atom, in classes that no way tells apart; empty when there are too many.
  [[nodiscard]] std::vector<Bits> split(const Atom& atom, const std::vector<Way>& ways) const;
  [[nodiscard]] bool cover(const std::vector<Way>& ways, Effort& splits) const;

  std::map<Atom, Bits> possible_;  // for each atom of a way, never empty
};

}  // namespace rgtrans::rbg
