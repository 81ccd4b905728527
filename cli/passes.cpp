// rgtrans passes: the table of transformations.
#include "core/passes/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"

namespace rgtrans::cli {

const Command kPasses = {
    "passes", "list the transformations of the optimizer", "rgtrans passes", [](OptionSet&) -> std::function<int()> {
      return [] {
        std::size_t width = 0;
        for (const passes::Pass& pass : passes::all_passes()) {
          width = std::max(width, pass.name.size());
        }
        for (const passes::Pass& pass : passes::all_passes()) {
          const std::string level = pass.level == passes::kOnRequest ? "   " : fmt::format("-O{}", pass.level);
          fmt::print("{:{}}  {}  {}\n", pass.name, width, level, pass.help);
        }
        return kSuccess;
      };
    }};

}  // namespace rgtrans::cli
