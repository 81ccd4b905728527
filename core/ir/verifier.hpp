// The verifier: every static rule of the language, each violation with its place. Rules about the form of
// literals (duplicate keys, missing defaults) are checked where a text is read, because a Value has no
// such mistakes.
#pragma once

#include "core/ir/game.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

struct VerifyOptions {
  // Also report what is legal but suspicious (unused names, conditions that can never hold, dead ends, …).
  bool warnings = true;
  // Also reject two edges between the same pair of nodes, which some tools cannot read.
  bool single_edges = false;
};

// Appends to `diagnostics`; the game is sound when no error was added. Linear in the size of the game, but for
// the memberships of types that are compared.
void verify(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options = {});

}  // namespace rgtrans::ir
