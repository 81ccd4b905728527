#include "backends/wasm/wasm.hpp"

#include "backends/wasm/frame.hpp"

namespace rgtrans::wasm {

std::string write(const ir::Game& game) {
  ModuleFrame frame(game);
  write_runtime(frame, write_searches(frame));
  return frame.module.bytes();
}

}  // namespace rgtrans::wasm
