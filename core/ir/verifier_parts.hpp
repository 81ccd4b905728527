// The parts of the verifier; see verifier.hpp.
#pragma once

#include "core/ir/verifier.hpp"

namespace rgtrans::ir {

// Checks definitions: unique names, known and finite types, values that fit their types. Returns false if broken types
// make all further checks impossible.
bool verify_declarations(const Game& game, Diagnostics& diagnostics);
// Checks the labels of all edges and the names in pragmas.
void verify_labels(const Game& game, Diagnostics& diagnostics);
// Checks the shape of the automaton: reachability of end, cycles with tags, recursion of checks.
void verify_graph(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options);
// Warns about legal but suspicious declarations and labels.
void warn_unused(const Game& game, Diagnostics& diagnostics);

}  // namespace rgtrans::ir
