// rgtrans stats: the size of the automaton and of its states, and measures of the rules by the language.
#include "backends/stats/stats.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rgtrans::cli {

namespace {

struct StatsArguments {
  GameArguments game;
  OptimizerArguments optimizer;
  bool json = false;
};

// The measures of the language about the rules as written, not about the automaton.
std::vector<Measure> measures(const ir::Game& game, const GameArguments& arguments) {
  const Sources::File* file = game.sources()->file_of(1);
  if (file == nullptr) return {};
  const Frontend& language = frontend_for(arguments.language, arguments.path, file->text);
  if (language.measure == nullptr) return {};
  Diagnostics ignored(game.sources());  // loading the game has reported them
  return language.measure(*file, ignored);
}

std::string text(const stats::Stats& stats, const std::vector<Measure>& measures) {
  std::string result = stats::text(stats);
  for (const Measure& measure : measures) result += fmt::format("{}: {}\n", measure.name, measure.sentence);
  return result;
}

std::string json(const stats::Stats& stats, const std::vector<Measure>& measures) {
  if (measures.empty()) return stats::json(stats);
  nlohmann::json object = nlohmann::json::parse(stats::json(stats));
  for (const Measure& measure : measures) {
    for (const auto& [name, figure] : measure.figures) object[measure.name][name] = figure;
  }
  return object.dump() + "\n";
}

}  // namespace

const Command kStats = {"stats", "print the size of the automaton and of its states", "rgtrans stats -O0 game.rbg",
                        [](OptionSet& app) -> std::function<int()> {
                          auto options = std::make_shared<StatsArguments>();
                          options->game.add_to(app);
                          options->optimizer.add_to(app, 2);
                          add_json(app, options->json);
                          return [options] {
                            FileRoles files = options->game.files();
                            options->optimizer.name_files(files);
                            ir::Game game = options->game.load();
                            const auto measured = measures(game, options->game);
                            options->optimizer.run(game);
                            const stats::Stats stats = stats::collect(game);
                            write_file("-", options->json ? json(stats, measured) : text(stats, measured));
                            return kSuccess;
                          };
                        }};

}  // namespace rgtrans::cli
