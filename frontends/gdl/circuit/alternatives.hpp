// Conditions in disjunctive form: lists of alternatives. A proof of mutual exclusion partitions the alternatives by the
// value of a variable, or by a condition that some need and others exclude, instead of comparing every pair.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontends/gdl/circuit/refute.hpp"

namespace rgtrans::gdl {

struct Alternative {
  std::uint32_t owner = 0;       // index of the condition that it belongs to
  std::vector<Wire> conditions;  // a conjunction
};
using Alternatives = std::vector<Alternative>;

Alternatives alternatives_of(const Circuit& circuit, std::span<const Wire> wires);
// The alternatives that are consistent with `known`, without the conditions that it entails.
Alternatives given(Circuit& circuit, const Alternatives& alternatives, Wire known);
// The condition that most alternatives need and most others exclude. If `leaves`, leaves count, too, and a leaf that is
// only needed is accepted. 0 if there is none.
std::uint32_t contested(const Circuit& circuit, const Alternatives& list, bool leaves);
// Expands a gate that some alternatives need, under the assumption `known`; null if there is none. If the result
// exceeds `enough` conditions, it may be incomplete.
std::optional<Alternatives> opened(Circuit& circuit, const Alternatives& list, const std::vector<Wire>& known,
                                   std::uint64_t enough = UINT64_MAX);

// Proves that at most one of several conditions holds.
class Separation {
 public:
  // The effort counts visited conditions.
  Separation(Conditions& conditions, CircuitRefuter& refuter, Effort& effort)
      : c_(conditions), refuter_(refuter), effort_(effort) {}

  // Proves that no two wires hold in any state in which `known` holds. False means that no proof was found.
  bool exclusive(std::span<const Wire> wires, const std::vector<Wire>& known);

 private:
  bool apart_under(const Alternatives& list, std::vector<Wire> known, Wire more, int depth);
  bool apart(const Alternatives& list, const std::vector<Wire>& known, int depth);
  bool one_by_one(const Alternatives& list, const std::vector<Wire>& known);
  struct Part {
    Wire known;
    Alternatives list;
  };
  std::vector<Part> by_value(const Alternatives& list, std::uint32_t variable, const std::vector<Wire>& known);

  Conditions& c_;
  CircuitRefuter& refuter_;
  Effort& effort_;
};

}  // namespace rgtrans::gdl
