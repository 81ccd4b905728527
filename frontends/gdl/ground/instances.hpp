// The output of the engine as a ground program: the sort of each atom, and bodies without contradictions. An abstract
// interpretation over all reachable states then decides for every atom whether it can ever be true and whether it
// always is. Facts start with their initial value, a fact can change if its `next` can hold, and a move can be made if
// it can be legal.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl {

struct Instances {
  enum class Sort : std::uint8_t { fact, next, does, legal, derived, ghost };

  Program& program;
  RawGround& raw;
  Engine& engine;

  // By atom of the engine.
  std::vector<Sort> sort = {};
  std::vector<bool> cyclic = {};         // may depend on itself
  std::vector<std::uint32_t> role = {};  // of moves; kNone if there is no such role
  // By body: it contradicts itself, or contains its own head.
  std::vector<bool> dead = {};

  // Results of the abstract interpretation, with literals of the engine.
  std::vector<bool> possible = {}, certain = {};  // by atom
  std::vector<bool> live = {};                    // by body: it may hold, and its head is not certain
  [[nodiscard]] bool is_certain(std::uint32_t literal) const {
    return (literal & 1U) != 0 ? !possible[literal / 2] : certain[literal / 2];
  }
  [[nodiscard]] bool is_possible(std::uint32_t literal) const {
    return (literal & 1U) != 0 ? !certain[literal / 2] : possible[literal / 2];
  }
  // Derived, possible and not certain.
  [[nodiscard]] bool is_open(std::uint32_t atom) const {
    return possible[atom] && !certain[atom] && sort[atom] != Sort::fact && sort[atom] != Sort::does &&
           sort[atom] != Sort::ghost;
  }
  // Observable: legality, the end, goals, percepts.
  [[nodiscard]] bool is_output(std::uint32_t atom) const;
  [[nodiscard]] std::uint32_t role_index(TermId role_term) const;

  // Live bodies by head.
  Grouped bodies = {};
};

Instances read_instances(Program& program, RawGround& raw);

}  // namespace rgtrans::gdl
