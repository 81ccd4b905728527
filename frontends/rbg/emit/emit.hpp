// Writing a flow graph down in RG.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// What is claimed of the flow graph, where the game wants claims.
struct FlowClaims {
  std::string_view rewrite;                          // that relies on it
  const Knowledge* known = nullptr;                  // what can be at each node
  std::vector<std::pair<NodeId, NodeId>> ways = {};  // a walk leads from the first to the second
};

void emit(const Description& description, const Relations& relations, const FlowGraph& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics, const FlowClaims& claims = {});

}  // namespace rgtrans::rbg
