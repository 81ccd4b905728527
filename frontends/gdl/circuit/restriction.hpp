// The circuit when something is known about its variables. First everything is restricted to what is known in a phase
// of the game; then, move by move, only what depends on that move is looked at again.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/circuit/circuit.hpp"

namespace rgtrans::gdl {

class Restriction {
 public:
  // Looks at what the roots depend on; nodes made later are left alone.
  Restriction(Circuit& circuit, const std::vector<Wire>& roots);

  // The variable has one of these values.
  void know(std::uint32_t variable, std::vector<std::uint32_t> values);
  // The variable has a value that no leaf lists; choose() tells later which one it is.
  void postpone(std::uint32_t variable);
  void run();
  // The image of a wire under what is known and chosen.
  [[nodiscard]] Wire operator()(Wire wire) const {
    const std::uint32_t n = node_of(wire);
    if (n >= image_.size()) return wire;
    return (stamp_[n] == current_ ? chosen_[n] : image_[n]) ^ (wire & 1U);
  }
  // From now on choose() follows a choice only to what these roots depend on.
  void attend(const std::vector<Wire>& roots);
  // A postponed variable has this value; forgets the choice before. The nodes whose image differs then are in
  // changed().
  void choose(std::uint32_t variable, std::uint32_t value);
  void forget() { ++current_, changed_.clear(); }
  [[nodiscard]] const std::vector<std::uint32_t>& changed() const { return changed_; }
  // Gates computed by choose() so far.
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
  std::vector<std::uint32_t> first_listing_;  // per variable, of its values in listing_; kNone where not postponed
  Grouped listing_;                           // leaves
  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> queued_;  // stamps
  std::vector<Wire> scratch_;
  std::uint64_t work_ = 0;
};

// The nodes that wires depend on, sorted; recursive nodes are not looked into.
std::vector<std::uint32_t> cone_of(const Circuit& circuit, const std::vector<Wire>& roots);

}  // namespace rgtrans::gdl
