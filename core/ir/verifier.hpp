// The verifier: every static rule of the language, each violation with its place.
#pragma once

#include "core/ir/game.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

struct VerifyOptions {
  // Also report what is legal but suspicious (unused names, conditions that can never hold, …).
  bool warnings = true;
};

// Appends to `diagnostics`; the game is sound when no error was added.
void verify(Game& game, Diagnostics& diagnostics, const VerifyOptions& options = {});

}  // namespace rgtrans::ir
