// The circuit of a ground program: every group of facts is a variable, the move of each role is one, and legality, the
// next facts, the end, goals and percepts are wires.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/circuit.hpp"
#include "frontends/gdl/ground_program.hpp"
#include "frontends/gdl/groups.hpp"

namespace rgtrans::gdl {

struct Conditions {
  Conditions(const GroundProgram& program, const std::vector<FactGroup>& groups);

  static constexpr std::uint32_t kNone = 0xffffffffU;

  // Derived atoms that depend on each other: recursive nodes of the circuit.
  struct Cycle {
    std::vector<std::uint32_t> nodes;
    std::vector<std::vector<std::vector<Wire>>> bodies;  // per node
    bool linear = true;                                  // no body has two nodes of the cycle
  };

  Circuit circuit;
  std::vector<Wire> atoms;  // per atom of the ground program
  std::vector<Cycle> cycles;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cycle_of;  // per recursive node, in order: cycle, position
  std::vector<std::uint32_t> recursive_nodes;                     // sorted

  // Variables: one a group, then one a role.
  std::uint32_t first_role = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fact_value;  // per fact: group, value
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
  [[nodiscard]] bool is_move_variable(std::uint32_t variable) const { return variable >= first_role; }
  // Per node of the circuit up to its present size: whether it depends on the joint move.
  [[nodiscard]] std::vector<bool> reads_move() const;
};

}  // namespace rgtrans::gdl
