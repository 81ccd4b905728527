// Sets of facts that exclude each other, and what follows from them: which variable represents which facts, and which
// roles really decide in which phase of the game.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/network/network.hpp"

namespace rgtrans::gdl {

// At most one of the facts holds in every reachable state; exactly one when `exact`.
struct FactGroup {
  std::vector<std::uint32_t> facts;
  bool exact = false;
  // Exact, and the fact that holds alone decides which one holds next: successor[i] is an index into facts. Where the
  // game is over the successor does not matter and is i.
  bool deterministic = false;
  std::vector<std::uint32_t> successor;
  // The facts have one functor and agree in these arguments. `mixed`: several functors.
  std::vector<std::uint32_t> key;
  bool mixed = false;
};

// Derived atoms of one relation by some of their arguments: in no state of some random playouts did two of a class
// hold.
struct DerivedGroups {
  std::vector<std::uint32_t> key;                   // the arguments in which the atoms of a class agree
  std::vector<std::vector<std::uint32_t>> classes;  // of derived atoms
};

// Relations with fewer literals in their bodies are left alone, and ways of grouping them into smaller classes on
// average.
struct DerivedLimits {
  std::size_t literals = 2000;
  std::size_t atoms = 8;
};

// Phases of the game: what is known about each role's moves while a fact of a deterministic group holds.
struct TurnStructure {
  static constexpr std::uint32_t kDecides = 0xffffffffU;

  std::uint32_t group = kNone;  // index into the groups; without one there is a single phase
  struct Phase {
    std::vector<std::uint32_t> values;              // of the group, with this structure
    std::vector<std::uint32_t> forced;              // per role: the only move it has, or kDecides
    std::vector<std::vector<std::uint32_t>> moves;  // per role: those that may be legal
  };
  std::vector<Phase> phases;
};

// Every fact is in exactly one group; facts that exclude nothing are groups of their own.
std::vector<FactGroup> find_groups(const GroundProgram& program, const Network& network);
TurnStructure find_turns(const GroundProgram& program, const Network& network, const std::vector<FactGroup>& groups,
                         bool keep_forced);

}  // namespace rgtrans::gdl
