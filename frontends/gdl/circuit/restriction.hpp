// Partial evaluation of the circuit. It restricts everything to a phase of the game first; then, for each move, it
// reevaluates only the nodes that depend on that move.
//
// Example: in the phase of white, the leaf "control = white" becomes true. For the move (mark 1 1), only the conditions
// that mention it are evaluated again.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/circuit/circuit.hpp"

namespace rgtrans::gdl {

class Restriction {
 public:
  // Covers the nodes on which the roots depend; nodes created later keep their meaning.
  Restriction(Circuit& circuit, const std::vector<Wire>& roots);

  // The variable has one of these values.
  void know(std::uint32_t variable, std::vector<std::uint32_t> values);
  // The variable has a value that no leaf lists, until choose() fixes it.
  void postpone(std::uint32_t variable);
  void run();
  // The image of a wire under the known and chosen values.
  [[nodiscard]] Wire operator()(Wire wire) const {
    const std::uint32_t n = node_of(wire);
    if (n >= image_.size()) return wire;
    return (stamp_[n] == current_ ? chosen_[n] : image_[n]) ^ (wire & 1U);
  }
  // Limits later calls of choose() to the nodes on which these roots depend.
  void attend(const std::vector<Wire>& roots);
  // Fixes the value of a postponed variable and drops the previous choice. changed() contains the nodes whose image
  // changes.
  void choose(std::uint32_t variable, std::uint32_t value);
  void forget() { ++current_, changed_.clear(); }
  [[nodiscard]] const std::vector<std::uint32_t>& changed() const { return changed_; }
  // Number of gates that choose() has evaluated.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  [[nodiscard]] Wire leaf_image(std::uint32_t node) const;
  Wire gate_image(std::uint32_t node);

  Circuit& circuit_;
  std::vector<std::uint32_t> cone_;  // sorted
  std::vector<bool> attended_;       // per node
  enum class Knowledge : std::uint8_t { none, values, postponed };
  std::vector<Knowledge> knowledge_;                // per variable
  std::vector<std::vector<std::uint32_t>> values_;  // per variable
  std::vector<Wire> image_, chosen_;                // per node
  std::vector<std::uint32_t> stamp_;
  std::uint32_t current_ = 1;
  std::vector<std::uint32_t> changed_;
  Grouped users_;                             // per node
  std::vector<std::uint32_t> first_listing_;  // per variable: index of its values in listing_; kNone if not postponed
  Grouped listing_;                           // leaves by postponed value
  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> queued_;  // stamps
  std::vector<Wire> scratch_;
  std::uint64_t work_ = 0;
};

// The nodes on which the wires depend, sorted. Does not enter recursive nodes.
std::vector<std::uint32_t> cone_of(const Circuit& circuit, const std::vector<Wire>& roots);

}  // namespace rgtrans::gdl
