// The circuit of a ground program. Every group of facts is a variable, and so is the move of each role. Legality, next
// facts, the end, goals and percepts are wires.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontends/gdl/circuit/circuit.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

// If `when` holds, the new value is a function of one variable. An empty table keeps the old value.
struct Lookup {
  Wire when = kAlways;
  std::uint32_t source = 0;
  std::vector<std::uint32_t> table;  // by value of the source
};
using Lookups = std::vector<Lookup>;

struct Conditions {
  // The conditions to build: all, or those of a step without goals and percepts.
  enum class Scope : std::uint8_t { everything, steps };

  // A class of `relations` becomes a computed variable if a proof succeeds and the variable saves enough.
  Conditions(const GroundProgram& program, const std::vector<FactGroup>& groups, Scope scope = Scope::everything,
             std::span<const DerivedGroups> relations = {});

  // Mutually dependent derived atoms, which are recursive nodes of the circuit.
  struct Cycle {
    std::vector<std::uint32_t> nodes;
    std::vector<std::vector<std::vector<Wire>>> bodies;  // per node
    bool linear = true;                                  // no body contains two nodes of the cycle
  };

  // A function of the state: derived atoms of which at most one holds. The last value represents none of them.
  struct Computed {
    std::uint32_t relation = 0;        // index into `relations`
    std::vector<std::uint32_t> key;    // arguments in which the atoms agree
    std::vector<std::uint32_t> atoms;  // derived atoms
    Lookups lookups;                   // the last one always applies
    Wire stand_in = kNever;            // leaf that represents the variable
  };

  Circuit circuit;
  std::vector<Wire> atoms;  // per atom of the ground program
  std::vector<Cycle> cycles;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cycle_of;  // per recursive node, in order: cycle and position
  std::vector<std::uint32_t> recursive_nodes;                     // sorted

  // The variables: one per group, one per role, then the computed ones in the order of their dependencies.
  std::uint32_t first_role = 0, first_computed = 0;
  std::vector<Computed> computed;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fact_value;  // per fact: group and value
  std::vector<std::uint32_t> move_value;                            // per move: value of its role's variable
  std::vector<std::vector<std::uint32_t>> role_moves;               // per role

  std::vector<Wire> next;   // per fact
  std::vector<Wire> legal;  // per move
  Wire terminal = kNever;
  [[nodiscard]] Wire wire(GroundLiteral literal) const {
    if (is_constant(literal)) return literal == kTrue ? kAlways : kNever;
    return atoms[atom_of(literal)] ^ (literal & 1U);
  }
  [[nodiscard]] const Cycle& cycle(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t position(std::uint32_t node) const;
  [[nodiscard]] bool is_group(std::uint32_t variable) const { return variable < first_role; }
  [[nodiscard]] bool is_move_variable(std::uint32_t variable) const {
    return variable >= first_role && variable < first_computed;
  }
  [[nodiscard]] const Computed* computed_variable(std::uint32_t variable) const {
    return variable < first_computed ? nullptr : &computed[variable - first_computed];
  }
  // The computed variable that a leaf reads; null for other nodes.
  [[nodiscard]] const Computed* computed_by(std::uint32_t node) const {
    return circuit.kind(node) == Circuit::Kind::leaf ? computed_variable(circuit.variable(node)) : nullptr;
  }
  [[nodiscard]] bool is_stand_in(std::uint32_t node) const {
    const Computed* variable = computed_by(node);
    return variable != nullptr && node == node_of(variable->stand_in);
  }
  // Per node of the current circuit: it depends on the joint move.
  [[nodiscard]] std::vector<bool> reads_move() const;
};

}  // namespace rgtrans::gdl
