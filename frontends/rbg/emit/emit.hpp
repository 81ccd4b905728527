// Writing a flow graph down in RG.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/rbg/flow/flow.hpp"
#include "frontends/rbg/passes/passes.hpp"
#include "frontends/rbg/proofs/knowledge.hpp"

namespace rgtrans::rbg {

// `claims` are recorded where the game wants claims.
void emit(const Description& description, const Relations& relations, const FlowGraph& flow, const Knowledge& knowledge,
          ir::Game& game, Diagnostics& diagnostics, const FlowClaims& claims = {});

}  // namespace rgtrans::rbg
