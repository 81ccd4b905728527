// Plays a description on its propositional network, without RG. It is the reference for the lowering and the engine
// that counts joint moves. It reevaluates only gates whose inputs changed between two states.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontends/gdl/network/network.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl {

// A state is a bit per fact in words of 64; moves are indices into GroundProgram::moves.
class NetworkMachine : public Steps {
 public:
  // Both must outlive the machine and its clones.
  NetworkMachine(const GroundProgram& program, const Network& network);

  [[nodiscard]] const GroundProgram& program() const { return program_; }
  [[nodiscard]] const Network& network() const { return network_; }

  [[nodiscard]] std::unique_ptr<Steps> clone() const override {
    return std::unique_ptr<Steps>(new NetworkMachine(*this));
  }
  [[nodiscard]] const std::vector<std::string>& role_names() const override { return roles_; }
  [[nodiscard]] std::uint32_t random_role() const override { return program_.random; }
  [[nodiscard]] bool imperfect() const override { return program_.imperfect; }
  [[nodiscard]] int most_goal() const override;
  [[nodiscard]] State initial() override;
  [[nodiscard]] const State& state() const override { return state_; }
  void set_state(const State& state) override;
  [[nodiscard]] std::vector<std::byte> bytes(std::span<const std::uint32_t> joint) const override;
  void read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) override;
  [[nodiscard]] bool terminal() override { return holds(terminal_); }
  void legal(std::uint32_t role, std::vector<std::uint32_t>& out) override;
  [[nodiscard]] std::string move_text(std::uint32_t move) const override {
    return program_.text(program_.moves[move].term);
  }
  [[nodiscard]] int goal(std::uint32_t role) override;
  [[nodiscard]] std::vector<std::string> percepts(std::span<const std::uint32_t> joint, std::uint32_t role) override;
  void step(std::span<const std::uint32_t> joint) override { set_state(successor(joint)); }
  [[nodiscard]] std::vector<std::string> facts() const override;

  // The goal values of a role that hold: exactly one in a well-formed terminal state.
  [[nodiscard]] std::vector<TermId> goals(std::uint32_t role) const;
  // The percepts of a joint move (one move per role), as indices into GroundProgram::sees.
  std::vector<std::uint32_t> percepts(std::span<const std::uint32_t> joint);
  // The state after the joint move; the machine's own state stays.
  State successor(std::span<const std::uint32_t> joint);
  [[nodiscard]] bool fact(std::uint32_t f) const { return (state_[f / 64] >> (f % 64) & 1U) != 0; }
  // The value of a derived atom that does not depend on the joint move.
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
  std::vector<std::string> roles_;
  std::vector<GroundLiteral> next_, legal_;
  GroundLiteral terminal_;
  std::vector<std::uint32_t> first_move_;  // per role

  std::vector<std::uint8_t> value_;                // per node
  std::vector<std::uint32_t> count_;               // per gate: true inputs, inside a cycle only those from outside
  Grouped uses_;                                   // by node: its users, as node * 2 + negated
  std::vector<std::uint32_t> level_;               // per component of gates
  std::vector<std::vector<std::uint32_t>> cycle_;  // members, per component with more than one
  std::vector<std::uint8_t> pending_;              // per node; of a cycle, on its first member
  std::vector<std::vector<std::uint32_t>> queue_;  // per level
  std::vector<std::uint32_t> inner_;               // scratch of solve_cycle
  std::size_t lowest_ = 0;
  State state_;
  std::vector<std::uint32_t> joint_;
};

// A machine that owns its description; clones share it.
class NetworkSteps : public NetworkMachine {
 public:
  explicit NetworkSteps(GroundProgram program) : NetworkSteps(std::make_shared<const Fixed>(std::move(program))) {}

  [[nodiscard]] std::unique_ptr<Steps> clone() const override {
    return std::unique_ptr<Steps>(new NetworkSteps(*this));
  }

 private:
  struct Fixed {
    explicit Fixed(GroundProgram&& ground) : program(std::move(ground)), network(program) {}
    GroundProgram program;
    Network network;
  };

  explicit NetworkSteps(std::shared_ptr<const Fixed> fixed)
      : NetworkMachine(fixed->program, fixed->network), fixed_(std::move(fixed)) {}

  std::shared_ptr<const Fixed> fixed_;
};

}  // namespace rgtrans::gdl
