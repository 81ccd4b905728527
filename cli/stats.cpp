// rgtrans stats: how large the automaton and its states are, and for RBG how long a move can be.
#include "backends/stats/stats.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.hpp"
#include "frontends/rbg/rbg.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  GameArguments game;
  OptimizerArguments optimizer;
  bool json = false;
};

// The straightness of a description in RBG; it is a property of the rules as they are written, not of the automaton.
std::optional<rbg::Straightness> straightness(const ir::Game& game, const GameArguments& arguments) {
  const Sources::File* file = game.sources()->file_of(1);
  if (file == nullptr) return std::nullopt;
  if (&frontend_for(arguments.language, arguments.path, file->text) != find_frontend("rbg")) return std::nullopt;
  Diagnostics ignored(game.sources());  // loading the game has reported them
  return rbg::straightness(*file, ignored);
}

std::string text(const stats::Stats& stats, const std::optional<rbg::Straightness>& straight) {
  std::string result = stats::text(stats);
  if (straight) {
    result += fmt::format("straightness: {} in a move, {} outside of patterns, {} everywhere\n",
                          rbg::to_string(straight->move), rbg::to_string(straight->main),
                          rbg::to_string(straight->applicational));
  }
  return result;
}

std::string json(const stats::Stats& stats, const std::optional<rbg::Straightness>& straight) {
  if (!straight) return stats::json(stats);
  nlohmann::json object = nlohmann::json::parse(stats::json(stats));
  object["straightness"] = {{"move", rbg::to_string(straight->move)},
                            {"main", rbg::to_string(straight->main)},
                            {"applicational", rbg::to_string(straight->applicational)}};
  return object.dump() + "\n";
}

}  // namespace

const Command kStats = {"stats", "size of the automaton and of its states", "rgtrans stats -O0 game.rbg",
                        [](OptionSet& app) -> std::function<int()> {
                          auto options = std::make_shared<Options>();
                          options->game.add_to(app);
                          options->optimizer.add_to(app, 2);
                          app.add_flag("--json", options->json, "as one JSON object");
                          return [options] {
                            FileRoles files = options->game.files();
                            options->optimizer.name_files(files);
                            ir::Game game = options->game.load();
                            const auto straight = straightness(game, options->game);
                            options->optimizer.run(game);
                            const stats::Stats stats = stats::collect(game);
                            write_file("-", options->json ? json(stats, straight) : text(stats, straight));
                            return kSuccess;
                          };
                        }};

}  // namespace rgtrans::cli
