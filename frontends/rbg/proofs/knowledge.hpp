// What is known at the nodes of a flow graph, by data-flow over all ways to them: which pieces can lie below the
// cursor, and where the cursor can be.
#pragma once

#include <vector>

#include "core/support/bits.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

struct Knowledge {
  // Both empty when the graph is too large to be analysed; then everything is possible.
  ByNode<Bits> pieces;  // below the cursor
  ByNode<Bits> cursors;

  [[nodiscard]] bool known() const { return !pieces.empty(); }
};

Knowledge analyse(const Description& description, const Relations& relations, const FlowGraph& flow);
// What holds after a step; false when the step is never possible in a state of which this is known.
bool advance(const Description& description, const Relations& relations, const FlowGraph& flow, const FlowStep& step,
             Bits& cursors, Bits& pieces);

Bits piece_bits(const Description& description, std::uint32_t piece_set);
// The same among what can be at a place: the pieces and, as one more value, that it is outside the board.
Bits contents_bits(const Description& description, std::uint32_t piece_set);

}  // namespace rgtrans::rbg
