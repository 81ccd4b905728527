// The parts of the verifier; see verifier.hpp.
#pragma once

#include "core/ir/verifier.hpp"

namespace rgtrans::ir {

// Definitions: unique names, known and finite types, values that fit. False when types are so broken that nothing
// else can be checked.
bool verify_declarations(const Game& game, Diagnostics& diagnostics);
// Labels of all edges, and the names in pragmas.
void verify_labels(const Game& game, Diagnostics& diagnostics);
// The shape of the automaton: reachability of end, tag loops, recursion of checks.
void verify_graph(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options);
// What is legal but suspicious in declarations and labels.
void warn_unused(const Game& game, Diagnostics& diagnostics);

}  // namespace rgtrans::ir
