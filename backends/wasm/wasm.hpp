// The WebAssembly back end: writes the reasoner of a game as a binary module, without a compiler. docs/wasm.md
// describes the exports.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::wasm {

// The bytes of the module. The game must have passed the verifier. Throws Error if the game exceeds a limit.
std::string write(const ir::Game& game);

}  // namespace rgtrans::wasm
