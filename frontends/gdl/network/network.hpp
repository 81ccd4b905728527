// The propositional network: facts and moves are inputs, AND and OR gates follow, negations are on the wires. Equal
// gates are shared, no gate has a single input, and no constants occur.
//
//   p <- q, not r.    p <- s.          p = OR(AND(q, -r), s)
#pragma once

#include <span>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/gdl/ground/ground_program.hpp"

namespace rgtrans::gdl {

class Network {
 public:
  explicit Network(const GroundProgram& program);

  enum class Gate : std::uint8_t { conjunction, disjunction };

  // Nodes [0, inputs()) are the facts and moves of the ground program, with the same numbers. The rest are gates,
  // inputs before users except inside a cycle. A literal is node * 2, plus one if negated.
  [[nodiscard]] std::uint32_t inputs() const { return inputs_; }
  [[nodiscard]] std::uint32_t size() const { return inputs_ + static_cast<std::uint32_t>(gates_.size()); }
  [[nodiscard]] Gate gate(std::uint32_t node) const { return gates_[node - inputs_]; }
  [[nodiscard]] std::span<const GroundLiteral> inputs_of(std::uint32_t node) const {
    const std::uint32_t g = node - inputs_;
    return {wires_.data() + first_[g], first_[g + 1] - first_[g]};
  }
  // Maps a literal of the ground program to the network.
  [[nodiscard]] GroundLiteral literal(GroundLiteral ground) const {
    if (is_constant(ground) || atom_of(ground) < inputs_) return ground;
    return derived_[atom_of(ground) - inputs_] ^ (ground & 1U);
  }
  // The strong component of a gate; numbers grow from inputs to users.
  [[nodiscard]] std::uint32_t component(std::uint32_t node) const { return component_[node - inputs_]; }
  [[nodiscard]] std::uint32_t component_count() const { return component_count_; }
  [[nodiscard]] Grouped gates_by_component() const {
    return {component_count_, size(), [&](std::uint32_t n) { return n < inputs_ ? kNone : component(n); }};
  }
  [[nodiscard]] std::size_t wire_count() const { return wires_.size(); }

 private:
  GroundLiteral make(Gate gate, std::vector<GroundLiteral> inputs);
  void append(Gate gate, std::span<const GroundLiteral> inputs);
  void find_components();

  std::uint32_t inputs_;
  std::vector<Gate> gates_;
  std::vector<std::uint32_t> first_ = {0};
  std::vector<GroundLiteral> wires_;
  std::vector<GroundLiteral> derived_;  // per derived atom
  std::vector<std::uint32_t> component_;
  std::uint32_t component_count_ = 0;
  IndexSet index_;
};

}  // namespace rgtrans::gdl
