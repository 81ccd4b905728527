// Exclusive conditions: pairs of conditions that never hold in the same state, and thus outgoing edges of a node that
// are never legal together. Passes and engines share this analysis; each supplies its own knowledge of expression
// values.
//
// Two conditions exclude each other if one is the negation of the other, or if both compare one expression with
// disjoint sets of symbols. Example: `x == a` and `x == b`. On request, the analysis also tries all values of the
// variables that both conditions read.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/analysis/possible.hpp"
#include "core/ir/ir.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::analysis {

class Exclusive {
 public:
  // `tries`: a budget for trying values, 0 to turn that off. Engines use kTries.
  static constexpr std::size_t kTries = 20'000'000;
  Exclusive(const ir::Game& game, Possible& possible, std::size_t tries = 0);

  // Two edges out of the same reached node.
  bool never_both(ir::EdgeId a, ir::EdgeId b);
  // Two conditions evaluated in the same state at a node. Labels other than conditions never exclude each other.
  bool never_both(const ir::Label& a, const ir::Label& b, ir::NodeId node);

  // A largest group of outgoing edges of which at most one is legal. It contains every edge to each of its targets.
  // Empty if there is no such group of two or more edges.
  struct Group {
    std::vector<ir::EdgeId> edges;
    bool exhaustive = false;  // exactly one of them is legal
    const char* reason = "";
  };
  Group group(ir::NodeId node);

 private:
  static constexpr std::size_t kMostAtoms = 2;
  // The inputs of a comparison: variables, and whole maps.
  struct Test {
    bool known = false;  // the inputs are few and none is a map
    std::vector<ir::ExprId> atoms;
    // For a single atom: the positions in its set of values for which the sides can be equal, and can differ.
    SetId values = SymbolSets::kEmpty;
    std::array<Bits, 2> holds;
  };
  using Given = std::vector<std::pair<ir::ExprId, SymbolId>>;

  // The values of `expression` for which the comparison can hold.
  SetId when(const ir::Compare& compare, ir::ExprId expression, ir::NodeId node);
  [[nodiscard]] bool compare_same_side(const ir::Compare& a, const ir::Compare& b, ir::NodeId node);
  bool try_values(const ir::Compare& a, const ir::Compare& b, ir::NodeId node);
  bool try_pairs(const ir::Compare& a, const ir::Compare& b, const std::vector<ir::ExprId>& atoms, ir::NodeId node);
  Test& test(const ir::Compare& compare);
  const Bits& held(const ir::Compare& compare, Test& test, SetId values);
  [[nodiscard]] bool can_hold(const ir::Compare& compare, const Given& given) const;
  [[nodiscard]] bool spend(std::size_t tries);

  const ir::Game& game_;
  Possible& possible_;
  std::size_t tries_;          // remaining budget
  std::vector<bool> written_;  // by variable, computed when values are tried: some edge writes it
  std::map<std::pair<ir::ExprId, ir::ExprId>, Test> tests_;
  // Whether no pair of values satisfies both comparisons. Key: the sides of both, their atoms' values and their
  // negation.
  std::map<std::array<std::uint32_t, 8>, bool> pairs_;
};

}  // namespace rgtrans::analysis
