// Emits a flow graph as an RG automaton.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// Records `claims` in the game if it wants claims.
void emit(const Description& description, const Relations& relations, const FlowGraph& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics, const FlowClaims& claims = {});

}  // namespace rgtrans::rbg
