// rgtrans limits: the limits that guard against inputs of unreasonable size.
#include <fmt/format.h>

#include "cli/command.hpp"

namespace rgtrans::cli {

namespace {

int run() {
  std::string text = fmt::format("{:<22} {:>12}  {:>12}  {}\n", "limit", "default", "at most", "what it counts");
  for (const Limit* limit : all_limits()) {
    const bool open = limit->most() > 1'000'000'000'000;
    text += fmt::format("{:<22} {:>12}  {:>12}  {}\n", limit->name(), limit->value(),
                        open ? "-" : std::to_string(limit->most()), limit->what());
  }
  write_file("-", text);
  return kSuccess;
}

}  // namespace

const Command kLimits = {"limits", "list the limits on nesting, expansion, tables, automata and states",
                         "rgtrans perft --limit hrg-edges=5000000 large.hrg 3",
                         [](OptionSet&) -> std::function<int()> { return [] { return run(); }; }};

}  // namespace rgtrans::cli
