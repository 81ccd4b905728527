// rgtrans moves: the legal moves of a state.
#include <fmt/format.h>

#include "backends/play/play.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

const Command kMoves = {"moves", "list the legal moves of a state, after the steps of keeper before a choice",
                        "rgtrans moves --path \"//\" game.rg", [](OptionSet& app) -> std::function<int()> {
                          auto options = std::make_shared<EngineArguments>();
                          options->add_to(app);
                          return [options] {
                            const Table table = options->open();
                            if (table.reasoner->terminal()) fmt::print(stderr, "the play is over in this state\n");
                            write_file("-", play::moves_text(*table.reasoner, scene::Wording(table.game)));
                            return kSuccess;
                          };
                        }};

}  // namespace rgtrans::cli
