// rgtrans moves: the legal moves of a state.
#include <fmt/format.h>

#include "backends/play/play.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

namespace {

// Without a path people ask for the first choice of a player. Keeper's steps before it are said, because paths have
// them.
void pass_keeper(Reasoner& reasoner) {
  constexpr std::size_t kMostSteps = 1000;
  std::string path = "/";
  std::size_t steps = 0;
  for (; steps < kMostSteps && !reasoner.terminal() && reasoner.mover() == reasoner.info().keeper(); ++steps) {
    if (reasoner.move_count() != 1) break;
    path += reasoner.move_text(0) + "/";
    reasoner.apply(0);
  }
  if (steps == 0) return;
  fmt::print(stderr, "after {} of keeper; as a path: {}\n", steps == 1 ? "a step" : fmt::format("{} steps", steps),
             path);
}

}  // namespace

const Command kMoves = {"moves", "list the legal moves of a state: by default the first choice of a player",
                        "rgtrans moves --path \"//\" game.rg", [](OptionSet& app) -> std::function<int()> {
                          auto options = std::make_shared<EngineArguments>();
                          options->add_to(app);
                          return [options] {
                            const std::unique_ptr<Reasoner> reasoner = options->make();
                            if (options->path.empty()) pass_keeper(*reasoner);
                            if (reasoner->terminal()) fmt::print(stderr, "the play is over in this state\n");
                            write_file("-", play::moves_text(*reasoner));
                            return kSuccess;
                          };
                        }};

}  // namespace rgtrans::cli
