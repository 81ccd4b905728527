// rgtrans moves: the legal moves of a state.
#include "backends/play/play.hpp"
#include "cli/engine.hpp"

namespace rgtrans::cli {

const Command kMoves = {"moves", "list the legal moves of a state", "rgtrans moves --path \"//\" game.rg",
                        [](OptionSet& app) -> std::function<int()> {
                          auto options = std::make_shared<EngineArguments>();
                          options->add_to(app);
                          return [options] {
                            const Table table = options->open();
                            write_file("-", play::moves_text(*table.reasoner, scene::Wording(table.game)));
                            return kSuccess;
                          };
                        }};

}  // namespace rgtrans::cli
