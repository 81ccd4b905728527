// Whether conditions can hold together: propagation over the circuit and a bounded search through alternatives.
#pragma once

#include <cstdint>
#include <vector>

#include "frontends/gdl/circuit/conditions.hpp"

namespace rgtrans::gdl {

class Refuter {
 public:
  Refuter(Conditions& conditions, std::uint64_t budget) : c_(conditions), budget_(budget) {}

  // True when they cannot, given that every role makes a legal move. False says nothing.
  bool impossible(std::vector<Wire> wires, int depth);
  [[nodiscard]] bool exhausted() const { return budget_ == 0; }

 private:
  enum class Outcome : std::uint8_t { impossible, stuck, more };
  Outcome propagate(std::vector<Wire>& wires, std::vector<Wire>& choice);
  bool expand(std::vector<Wire>& wires);
  // -1: cannot hold beside the wires, 1: holds anyway, 0: neither is known.
  [[nodiscard]] int judge(Wire wire, const std::vector<Wire>& wires, int depth) const;
  [[nodiscard]] int judge_leaf(Wire wire, const std::vector<Wire>& wires) const;

  Conditions& c_;
  std::uint64_t budget_;
};

}  // namespace rgtrans::gdl
