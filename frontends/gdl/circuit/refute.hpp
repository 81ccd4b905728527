// A satisfiability test for conditions: unit propagation over the circuit and a bounded search through alternatives.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/effort.hpp"
#include "core/support/truth.hpp"
#include "frontends/gdl/circuit/conditions.hpp"

namespace rgtrans::gdl {

class CircuitRefuter {
 public:
  // The effort counts visited and sorted wires.
  CircuitRefuter(Conditions& conditions, const Effort& effort) : c_(conditions), effort_(effort) {}

  // True if the wires cannot hold at once, assuming that every role makes a legal move. False means that no proof was
  // found.
  bool impossible(std::vector<Wire> wires, int depth);

 private:
  enum class Outcome : std::uint8_t { impossible, stuck, more };
  Outcome propagate(std::vector<Wire>& wires, std::vector<Wire>& choice);
  bool expand(std::vector<Wire>& wires);
  bool normalise(std::vector<Wire>& wires);
  // The value of a wire under the assumption of all `wires`.
  [[nodiscard]] Truth value_under(Wire wire, const std::vector<Wire>& wires, int depth);
  [[nodiscard]] Truth leaf_value_under(Wire wire, const std::vector<Wire>& wires);

  Conditions& c_;
  Effort effort_;
};

}  // namespace rgtrans::gdl
