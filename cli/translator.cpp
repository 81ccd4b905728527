// The translator: the commands that need front ends, optimizer and printers alone.
#include <array>

#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "cli/parts.hpp"

namespace rgtrans::cli {

bool is_whole() { return false; }

const Parts& parts() {
  static constexpr std::array kCommands = {&kTranslate, &kFormat, &kGround, &kPasses, &kLimits, &kSchema};
  static constexpr std::array kForms = {
      Form{"rg", [](const ir::Game& game) { return rg::print(game); }, nullptr},
      Form{"json", [](const ir::Game& game) { return json::print(game) + "\n"; }, nullptr},
      Form{"dot", nullptr, nullptr},
      Form{"svg", nullptr, nullptr},
      Form{"stats", nullptr, nullptr},
      Form{"cpp", nullptr, nullptr},
      Form{"cuda", nullptr, nullptr},
  };
  static constexpr Parts kParts = {kCommands, kForms, nullptr, nullptr};
  return kParts;
}

}  // namespace rgtrans::cli
