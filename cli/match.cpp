// rgtrans match: players against each other.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "backends/rg/rg.hpp"
#include "backends/search/search.hpp"
#include "cli/engine.hpp"
#include "cli/package.hpp"
#include "cli/watch.hpp"

namespace rgtrans::cli {

namespace {

struct MatchArguments {
  EngineArguments engine;
  search::MatchOptions match;
  std::string records;
  std::string replay;
  bool json = false;
  Cluster cluster;
  ShowProgress progress = ShowProgress::on_terminal;
};

int check_records(const MatchArguments& options, const Reasoner& game) {
  FileLines lines(options.replay);
  try {
    write_file("-", fmt::format("{} plays are as recorded\n", search::check_records(game, lines)));
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", options.replay, e.what()));
  }
  return kSuccess;
}

void check_players(const std::vector<std::string>& players, std::size_t seats) {
  if (players.size() < std::min<std::size_t>(2, seats)) {
    throw UsageError(fmt::format("this game has {} players: name at least two", seats));
  }
  for (const std::string& player : players) search::make_player(player);
}

// Other processes play the game as it is now.
[[noreturn]] int run_on_cluster(const MatchArguments& options) {
  if (!options.records.empty() || !options.replay.empty())
    throw UsageError("--records and --replay need --cluster local");
  if (!options.engine.at_start())
    throw UsageError("--cluster begins in the initial state: leave --path and --moves out");
  if (options.engine.assert_proofs || options.engine.engine == "rules") {
    throw UsageError("--engine rules and --assert-proofs need --cluster local");
  }
  ir::Game game = options.engine.load();
  options.engine.optimizer.run(game);
  const search::MatchOptions& match = options.match;
  check_players(match.players, game.players().size());
  nlohmann::ordered_json out{{"command", "match"},
                             {"text", rg::print(game)},
                             {"players", match.players},
                             {"count", match.games},
                             {"seed", match.seed},
                             {"opening", match.limits.random_opening},
                             {"max_moves", match.limits.most_moves},
                             {"sprt", match.sprt},
                             {"elo0", match.elo0},
                             {"elo1", match.elo1},
                             {"engine", options.engine.engine},
                             {"jobs", options.match.parallel},
                             {"json", options.json},
                             {"progress", nullptr}};
  if (options.progress != ShowProgress::on_terminal) out["progress"] = options.progress == ShowProgress::always;
  run_in_package("match --cluster", options.cluster, std::move(out));
}

int run(MatchArguments options) {
  if (options.replay.empty() && options.match.players.empty()) {
    throw UsageError("a match needs players: random, mcts:1000, mcts:2s, solver:2s, command:./my-bot");
  }
  if (options.cluster.name != "local") return run_on_cluster(options);
  options.match.parallel = workers(options.match.parallel);
  options.engine.game.files().reads(options.replay).writes(options.records, "--records");
  const std::unique_ptr<Reasoner> game = options.engine.make();
  if (!options.replay.empty()) return check_records(options, *game);
  check_players(options.match.players, game->info().players.size());
  std::optional<FileWriter> file;
  if (!options.records.empty()) file.emplace(options.records);
  search::MatchRecords records(game->info(), options.match, [&](std::string_view text) { file->write(text); });
  Watch watch(options.progress, fmt::format("0 of {} plays", options.match.games));
  options.match.following = watch.following();
  const search::MatchResult result = search::run_match(*game, options.match, [&](const search::PlayRecord& record) {
    if (file) records.add(record);
  });
  watch.clear();
  if (file) {
    records.finish();
    file->finish();
  }
  write_file("-", options.json ? search::json(result) + "\n" : search::text(result));
  if (!Watch::interrupted()) return kSuccess;
  fmt::print(stderr, "interrupted after {} of {} plays; the intervals hold for these\n", result.plays,
             options.match.games);
  return kInterrupted;
}

}  // namespace

const Command kMatch = {
    "match", "let players play each other: results, Elo, records",
    "rgtrans match --engine cpp --games 200 game.hrg mcts:1000 mcts:1000,rave=100",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<MatchArguments>();
      options->engine.add_to(app);
      options->engine.search = true;
      app.add_option("PLAYER", options->match.players,
                     "random, mcts:1000 (simulations a move), mcts:2s (seconds), solver:2s, command:./my-bot")
          ->type_name("");
      add_count(app, options->match.games, "seats change from one to the next");
      add_secret_seed(app, options->match.seed, "but for players limited by time");
      add_jobs(app, options->match.parallel, "plays");
      app.add_option("--opening", options->match.limits.random_opening,
                     "random moves at the start, equal for all seatings")
          ->capture_default_str()
          ->type_name("N");
      add_max_moves(app, options->match.limits.most_moves, "");
      app.add_flag("--sprt", options->match.sprt, "stop once a test has decided whether the first player is stronger");
      app.add_option("--elo0", options->match.elo0, "of the test: not stronger than this")
          ->capture_default_str()
          ->type_name("E");
      app.add_option("--elo1", options->match.elo1, "of the test: at least so much stronger")
          ->capture_default_str()
          ->type_name("E");
      options->cluster.add_to(app, "plays run");
      app.add_option("--records", options->records, "a file for the plays, one JSON line each")->type_name("FILE");
      app.add_option("--replay", options->replay, "play the records of a file again and compare")->type_name("RECORDS");
      add_json(app, options->json);
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
