// The game played directly on the propositional network, without RG: the reference that the lowering is compared with,
// and the engine behind counting joint moves. Only what changes between two states is evaluated again.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frontends/gdl/network/network.hpp"

namespace rgtrans::gdl {

class NetworkMachine {
 public:
  // Facts are bits, 64 a word.
  using State = std::vector<std::uint64_t>;

  // Both must live as long as the machine.
  NetworkMachine(const GroundProgram& program, const Network& network);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] State initial() const;
  void set_state(const State& state);

  [[nodiscard]] bool terminal() const { return holds(terminal_); }
  // Indices into GroundProgram::moves.
  void legal(std::uint32_t role, std::vector<std::uint32_t>& out) const;
  // The goal values of a role that hold: one in a well-formed terminal state.
  [[nodiscard]] std::vector<TermId> goals(std::uint32_t role) const;
  // The highest of them as a number, 0 where none holds.
  [[nodiscard]] int best_goal(std::uint32_t role) const;
  // Indices into GroundProgram::sees, for the joint move; one move a role.
  std::vector<std::uint32_t> percepts(std::span<const std::uint32_t> joint);
  // Makes the joint move.
  void step(std::span<const std::uint32_t> joint);
  // The state after the joint move; the machine stays where it is.
  State successor(std::span<const std::uint32_t> joint);
  [[nodiscard]] bool fact(std::uint32_t f) const { return (state_[f / 64] >> (f % 64) & 1U) != 0; }
  // Whether a derived atom that does not depend on the joint move holds.
  [[nodiscard]] bool atom(std::uint32_t a) const { return holds(network_.literal(2 * a)); }

 private:
  [[nodiscard]] bool holds(GroundLiteral l) const {
    return is_constant(l) ? l == kTrue : (value_[atom_of(l)] != 0) != is_negated(l);
  }
  void set_input(std::uint32_t node, bool value);
  void set_moves(std::span<const std::uint32_t> joint);
  void schedule(std::uint32_t node);
  void notify(std::uint32_t node);
  void propagate();
  void solve_cycle(std::uint32_t component);

  const GroundProgram& program_;
  const Network& network_;
  std::vector<GroundLiteral> next_, legal_;
  GroundLiteral terminal_;
  std::vector<std::uint32_t> first_move_;  // per role

  std::vector<std::uint8_t> value_;              // per node
  std::vector<std::uint32_t> count_;             // true inputs per node (gates only); inside a cycle those from outside
  std::vector<std::uint32_t> first_use_, uses_;  // literals -> nodes: uses_ is node * 2 + negated
  std::vector<std::uint32_t> level_;             // per component of gates
  std::vector<std::vector<std::uint32_t>> cycle_;  // members, per component with more than one
  std::vector<std::uint8_t> pending_;              // per node, of a cycle its first member
  std::vector<std::vector<std::uint32_t>> queue_;  // per level
  std::vector<std::uint32_t> inner_;               // scratch of solve_cycle
  std::size_t lowest_ = 0;
  State state_;
  std::vector<std::uint32_t> joint_;
};

}  // namespace rgtrans::gdl
