// Three-valued evaluation of the network for partially known inputs: every node is true, false or unknown. A node is
// true or false only if it is so for every completion of the inputs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/truth.hpp"
#include "frontends/gdl/network/network.hpp"

namespace rgtrans::gdl {

class AbstractEvaluation {
 public:
  explicit AbstractEvaluation(const Network& network);

  // Evaluates all gates for these inputs, one per fact and move.
  void run(const std::vector<Truth>& inputs);
  [[nodiscard]] Truth operator()(GroundLiteral network_literal) const {
    if (is_constant(network_literal)) return truth_of(network_literal == kTrue);
    const Truth t = truth_[atom_of(network_literal)];
    return is_negated(network_literal) ? !t : t;
  }

 private:
  [[nodiscard]] Truth evaluate(std::uint32_t node) const;

  const Network& network_;
  Grouped gates_;  // by component
  std::vector<Truth> truth_;
};

}  // namespace rgtrans::gdl
