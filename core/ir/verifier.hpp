// The verifier checks every static rule of the language and reports each violation with its place. The reader of a text
// checks the rules for literals (duplicate keys, missing defaults), because a Value cannot represent such mistakes.
#pragma once

#include "core/ir/game.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

struct VerifyOptions {
  // Also warns about legal but suspicious parts: unused names, conditions that can never hold, dead ends, …
  bool warnings = true;
  // Also rejects parallel edges, which some tools cannot read.
  bool single_edges = false;
};

// Appends to `diagnostics`. The game is valid if no error was added. Takes time linear in the size of the game, except
// for the comparison of types by their members.
void verify(const Game& game, Diagnostics& diagnostics, const VerifyOptions& options = {});

}  // namespace rgtrans::ir
