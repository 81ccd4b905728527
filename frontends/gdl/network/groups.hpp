// Sets of mutually exclusive facts. They determine which variable represents which facts, and which roles decide in
// each phase of the game.
//
// Example: (control white) and (control black) form a group, and each is the successor of the other. While white is in
// control, the only move of black is noop, so white alone decides.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/network/network.hpp"

namespace rgtrans::gdl {

// At most one of the facts holds in every reachable state; exactly one if `exact`.
struct FactGroup {
  std::vector<std::uint32_t> facts;
  bool exact = false;
  // Exact, and each fact determines its successor: while facts[i] holds, facts[successor[i]] holds next. In terminal
  // states the successor is irrelevant and is i.
  bool deterministic = false;
  std::vector<std::uint32_t> successor;
  // All facts have one functor and agree in these arguments. `mixed`: several functors.
  std::vector<std::uint32_t> key;
  bool mixed = false;
};

// Derived atoms of one relation, partitioned by some of their arguments. In no state of some random playouts did two
// atoms of a class hold.
struct DerivedGroups {
  std::vector<std::uint32_t> key;                   // the arguments in which the atoms of a class agree
  std::vector<std::vector<std::uint32_t>> classes;  // of derived atoms
};

// Minimal sizes: literals in the bodies of a relation, and average number of atoms per class.
struct DerivedLimits {
  std::size_t literals = 2000;
  std::size_t atoms = 8;
};

// Phases of the game: each role's possible moves while a fact of a deterministic group holds.
struct TurnStructure {
  static constexpr std::uint32_t kDecides = 0xffffffffU;

  std::uint32_t group = kNone;  // index into the groups; kNone: a single phase
  struct Phase {
    std::vector<std::uint32_t> values;              // of the group, with these moves
    std::vector<std::uint32_t> forced;              // per role: its only move, or kDecides
    std::vector<std::vector<std::uint32_t>> moves;  // per role: the moves that may be legal
  };
  std::vector<Phase> phases;
};

// Every fact is in exactly one group; a fact that excludes no other is a group of its own.
std::vector<FactGroup> find_groups(const GroundProgram& program, const Network& network);
TurnStructure find_turns(const GroundProgram& program, const Network& network, const std::vector<FactGroup>& groups,
                         bool keep_forced);

}  // namespace rgtrans::gdl
