// rgtrans passes: the table of transformations.
#include "core/passes/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"

namespace rgtrans::cli {

const Command kPasses = {"passes", "list the transformations of the optimizer and the rewrites of each language",
                         "rgtrans passes", [](OptionSet&) -> std::function<int()> {
                           return [] {
                             std::size_t width = 0;
                             for (const passes::Pass& pass : passes::all_passes()) {
                               width = std::max(width, pass.name.size());
                             }
                             for (const passes::Pass& pass : passes::all_passes()) {
                               const std::string level =
                                   pass.level == passes::kOnRequest ? "   " : fmt::format("-O{}", pass.level);
                               fmt::print("{:{}}  {}  {}\n", pass.name, width, level, pass.help);
                             }
                             for (const Frontend* language : frontends()) {
                               if (language->rewrites == nullptr) continue;
                               fmt::print("\nBefore these, for {}:\n", language->name);
                               for (const NamedRewrite& rewrite : language->rewrites())
                                 fmt::print("{:{}}       {}\n", rewrite.name, width, rewrite.help);
                             }
                             return kSuccess;
                           };
                         }};

}  // namespace rgtrans::cli
