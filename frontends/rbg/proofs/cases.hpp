// Case distinctions. A *way* is a conjunction of literals over atoms; an atom is a property of the state, such as the
// piece at a place or the order of two values. To decide whether some way is open in every case, the solver splits on
// one atom after another.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "core/support/bits.hpp"
#include "core/support/effort.hpp"

namespace rgtrans::rbg {

// The property of the state that a literal tests.
struct Atom {
  enum class Kind : std::uint8_t { cursor, piece, value, order, pattern } kind = Kind::cursor;
  std::uint64_t key = 0;  // identifies the place, expression, pair of expressions or pattern
  auto operator<=>(const Atom&) const = default;
};
struct AtomTest {
  Atom atom;
  Bits allowed;  // the values of the atom for which the literal holds
};
using Way = std::vector<AtomTest>;

// The condition under which a step is possible.
struct Condition {
  enum class Kind : std::uint8_t { always, never, literal, unknown } kind = Kind::always;
  AtomTest literal = {};
  Bits possible = {};  // the values that the atom can have in the states considered
};

// A set of ways that start in the same states.
class Cases {
 public:
  // Appends the condition to the way. Returns false, leaving the way unchanged, if it cannot hold. Conditions that
  // always hold or are unknown add nothing.
  bool add(Condition condition, Way& way);
  // Whether the literals never hold at the same time. Dependencies between different atoms are ignored.
  [[nodiscard]] bool exclude(const AtomTest& a, const AtomTest& b) const;
  // Whether at least one way is open in every case. Also false if there are too many cases.
  [[nodiscard]] bool cover(const std::vector<Way>& ways) const;

 private:
  // Partitions the atom's values into classes that no way distinguishes; empty if there are too many.
  [[nodiscard]] std::vector<Bits> split(const Atom& atom, const std::vector<Way>& ways) const;
  [[nodiscard]] bool cover(const std::vector<Way>& ways, Effort& splits) const;

  std::map<Atom, Bits> possible_;  // for each atom of a way, nonempty
};

}  // namespace rgtrans::rbg
