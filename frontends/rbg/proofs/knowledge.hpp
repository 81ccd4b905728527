// Data-flow analysis of the possible states at the nodes of a flow graph: the pieces that can be at the cursor, and the
// positions of the cursor.
#pragma once

#include <vector>

#include "core/support/bits.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

struct Knowledge {
  // Both are empty if the graph is too large for this analysis; everything is then assumed to be possible.
  ByNode<Bits> pieces;  // possible pieces at the cursor
  ByNode<Bits> cursors;

  [[nodiscard]] bool known() const { return !pieces.empty(); }
};

Knowledge analyse(const Description& description, const Relations& relations, const FlowGraph& flow);
// Computes the facts after a step. Returns false if the step is impossible in all states that satisfy the given facts.
bool advance(const Description& description, const Relations& relations, const FlowGraph& flow, const FlowStep& step,
             Bits& cursors, Bits& pieces);

Bits piece_bits(const Description& description, std::uint32_t piece_set);
// The pieces of a set as possible contents of a place, where one more value denotes "outside the board".
Bits contents_bits(const Description& description, std::uint32_t piece_set);

}  // namespace rgtrans::rbg
