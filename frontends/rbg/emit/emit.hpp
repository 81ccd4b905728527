// Emits a flow graph as an RG automaton.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// Facts about the flow graph to claim in the game, if claims are wanted.
struct FlowClaims {
  std::string_view rewrite;                          // the pass that relies on the facts
  const Knowledge* known = nullptr;                  // possible cursors and pieces at each node
  std::vector<std::pair<NodeId, NodeId>> ways = {};  // some walk leads from the first node to the second
};

void emit(const Description& description, const Relations& relations, const FlowGraph& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics, const FlowClaims& claims = {});

}  // namespace rgtrans::rbg
