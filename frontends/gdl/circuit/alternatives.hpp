// Conditions taken apart: each is a list of alternatives, and alternatives are told apart by the value of a variable or
// by a condition that some need and others exclude, instead of being compared with each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontends/gdl/circuit/refute.hpp"

namespace rgtrans::gdl {

struct Alternative {
  std::uint32_t owner = 0;       // which condition it belongs to
  std::vector<Wire> conditions;  // what it needs, all of it
};
using Alternatives = std::vector<Alternative>;

Alternatives alternatives_of(const Circuit& circuit, std::span<const Wire> wires);
// Those that are left when a condition is known to hold, without what it says.
Alternatives given(Circuit& circuit, const Alternatives& alternatives, Wire known);
// The node of a condition that some need and others exclude, the one with most of both. Of leaves, if they are asked
// for, one that is only needed will do. 0 when there is none.
std::uint32_t contested(const Circuit& circuit, const Alternatives& list, bool leaves);
// With a gate that some of them need taken apart, beside what is known; nothing when there is none. Of more conditions
// than are `enough` some may be missing.
std::optional<Alternatives> opened(Circuit& circuit, const Alternatives& list, const std::vector<Wire>& known,
                                   std::uint64_t enough = UINT64_MAX);

// Proves that at most one of some conditions holds.
class Separation {
 public:
  // The effort counts conditions that are looked at.
  Separation(Conditions& conditions, Refuter& refuter, Effort& effort)
      : c_(conditions), refuter_(refuter), effort_(effort) {}

  // No two of the wires hold together where what is known holds. False says nothing.
  bool exclusive(std::span<const Wire> wires, const std::vector<Wire>& known);

 private:
  bool apart_beside(const Alternatives& list, std::vector<Wire> known, Wire more, int depth);
  bool apart(const Alternatives& list, const std::vector<Wire>& known, int depth);
  bool one_by_one(const Alternatives& list, const std::vector<Wire>& known);
  struct Part {
    Wire known;
    Alternatives list;
  };
  std::vector<Part> by_value(const Alternatives& list, std::uint32_t variable, const std::vector<Wire>& known);

  Conditions& c_;
  Refuter& refuter_;
  Effort& effort_;
};

}  // namespace rgtrans::gdl
