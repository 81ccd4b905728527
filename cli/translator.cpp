// The translator: the commands that need front ends, optimizer and printers alone.
#include <array>

#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "cli/parts.hpp"

namespace rgtrans::cli {

bool is_whole() { return false; }

const ProgramParts& parts() {
  static constexpr std::array kCommands = {&kTranslate, &kFormat, &kGround, &kPasses, &kLimits, &kSchema, &kVerify};
  static constexpr std::array kForms = {
      OutputForm{"rg", [](const ir::Game& game, const ProjectArguments&) { return rg::print(game); }, nullptr},
      OutputForm{"json", [](const ir::Game& game, const ProjectArguments&) { return json::print(game) + "\n"; },
                 nullptr},
      OutputForm{"dot", nullptr, nullptr},
      OutputForm{"svg", nullptr, nullptr},
      OutputForm{"stats", nullptr, nullptr},
      OutputForm{"plan", nullptr, nullptr},
      OutputForm{"wasm", nullptr, nullptr},
      OutputForm{"cpp", nullptr, nullptr},
      OutputForm{"cuda", nullptr, nullptr},
  };
  static constexpr ProgramParts kParts = {kCommands, kForms, {}, nullptr, nullptr, nullptr, nullptr, nullptr};
  return kParts;
}

}  // namespace rgtrans::cli
