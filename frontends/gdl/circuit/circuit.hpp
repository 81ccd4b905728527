// The conditions of a game over many-valued variables: a leaf is true for a set of values of one variable, a gate is a
// conjunction, negations are on the wires. Nodes are hash-consed, and a gate has at most one leaf per variable.
//
// Example: a cell has the values x, o and b. Then the conjunction of "not x" and "not o" is the leaf {b}.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

// Node * 2, plus one if negated. Node 0 is the constant true.
using Wire = std::uint32_t;
inline constexpr Wire kAlways = 0;
inline constexpr Wire kNever = 1;

constexpr std::uint32_t node_of(Wire wire) { return wire >> 1U; }
constexpr bool is_inverted(Wire wire) { return (wire & 1U) != 0; }
constexpr Wire invert(Wire wire) { return wire ^ 1U; }
constexpr bool is_fixed(Wire wire) { return wire <= kNever; }

class Circuit {
 public:
  enum class Kind : std::uint8_t { constant, leaf, conjunction, recursive };

  Circuit();

  // Values are numbered from 0.
  std::uint32_t add_variable(std::uint32_t values);
  // Removes the last variable, which no node may mention.
  void drop_variable() { domains_.pop_back(); }
  [[nodiscard]] std::uint32_t variables() const { return static_cast<std::uint32_t>(domains_.size()); }
  [[nodiscard]] std::uint32_t domain(std::uint32_t variable) const { return domains_[variable]; }

  // The variable has one of these values (sorted, without repetitions).
  Wire leaf(std::uint32_t variable, std::vector<std::uint32_t> values);
  Wire conjunction(std::vector<Wire> inputs);
  Wire disjunction(std::vector<Wire> inputs);
  // A condition whose definition is recursive and stored elsewhere.
  Wire recursive();

  // Normalises the inputs of a conjunction. False if it is unsatisfiable.
  bool normalise(std::vector<Wire>& inputs);

  // Inputs have smaller numbers than the gates that use them.
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kinds_.size()); }
  [[nodiscard]] Kind kind(std::uint32_t node) const { return kinds_[node]; }
  [[nodiscard]] bool is_leaf(Wire wire) const { return kinds_[node_of(wire)] == Kind::leaf; }
  [[nodiscard]] std::uint32_t variable(std::uint32_t leaf) const { return variables_[leaf]; }
  // At most half of the variable's values.
  [[nodiscard]] std::span<const std::uint32_t> values(std::uint32_t leaf) const { return content(leaf); }
  [[nodiscard]] std::span<const Wire> inputs(std::uint32_t gate) const { return content(gate); }
  // The leaf, with its negation, holds for a value.
  [[nodiscard]] bool allows(Wire leaf, std::uint32_t value) const;

 private:
  [[nodiscard]] std::span<const std::uint32_t> content(std::uint32_t node) const {
    return {content_.data() + first_[node], first_[node + 1] - first_[node]};
  }
  std::uint32_t find_or_add(Kind kind, std::uint32_t variable, std::span<const std::uint32_t> content);
  void add(Kind kind, std::uint32_t variable, std::span<const std::uint32_t> content);
  Wire meet(std::uint32_t variable, std::span<const Wire> leaves);
  void sort_inputs(std::vector<Wire>& inputs);

  std::vector<std::uint32_t> domains_;
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> variables_;
  std::vector<std::size_t> first_ = {0};
  std::vector<std::uint32_t> content_;
  std::vector<std::uint64_t> order_;  // scratch of sort_inputs
  IndexSet index_;
};

// The disjunction of conjunctions. Merges bodies that differ in one variable, and factors common conditions out.
Wire factor(Circuit& circuit, std::vector<std::vector<Wire>> bodies);

}  // namespace rgtrans::gdl
