// Exclusive conditions: which conditions never hold in the same state, and so which outgoing edges of a node are never
// legal in the same state. Passes and engines ask the same question here; what they know of the values of expressions
// differs, and is handed over.
//
// One of three things shows it: one condition is the opposite of the other; both compare one expression, with different
// symbols; or, where that was asked for, all values of what both read were tried, and with none of them both hold.
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
  // `tries`: so many values are tried in all; engines give them.
  static constexpr std::size_t kTries = 20'000'000;
  Exclusive(const ir::Game& game, Possible& possible, std::size_t tries = 0);

  // Two edges out of the same reached node.
  bool never_both(ir::EdgeId a, ir::EdgeId b);
  // Two conditions in one state at a node; labels that are none never exclude each other.
  bool never_both(const ir::Label& a, const ir::Label& b, ir::NodeId node);

  // A largest group of outgoing edges of which at most one is legal. Every edge to one of their targets is in the
  // group. Empty when there are no two such edges.
  struct Group {
    std::vector<ir::EdgeId> edges;
    bool exhaustive = false;  // exactly one of them is legal
    const char* reason = "";
  };
  Group group(ir::NodeId node);

 private:
  static constexpr std::size_t kMostAtoms = 2;
  // What a comparison changes with: variables, and cells of maps as a whole.
  struct Test {
    bool known = false;  // there are few, and no maps
    std::vector<ir::ExprId> atoms;
    // Of one atom: the places, in the set of its values, with which the sides can be equal, and can differ.
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
  std::size_t tries_;          // left
  std::vector<bool> written_;  // by variable, when values are tried: some edge writes it
  std::map<std::pair<ir::ExprId, ir::ExprId>, Test> tests_;
  // By the sides of both, the values of the atoms, and whether they are negated: no pair of values lets both hold.
  std::map<std::array<std::uint32_t, 8>, bool> pairs_;
};

}  // namespace rgtrans::analysis
