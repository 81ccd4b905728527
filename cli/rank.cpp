// rgtrans rank: games by the million, in the Python package (rgtrans.scale). This program only hands over the options.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/package.hpp"
#include "core/support/support.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cli {

namespace {

namespace fs = std::filesystem;

struct RankArguments {
  std::vector<std::string> sources, parameters, reports;
  std::string out;
  std::uint64_t total = 0, seed = 1, best = 100, plays = 20, matches = 6, simulations = 20, max_moves = 500;
  std::uint64_t memory = 1024;
  unsigned jobs = 0;
  int level = 2;
  double timeout = 60;
  bool prove = false, merge = false, quiet = false;
  std::string shard, until = "search";
  Cluster cluster;
  ShowProgress progress = ShowProgress::on_terminal;
};

nlohmann::ordered_json as_json(const RankArguments& a) {
  nlohmann::ordered_json out{{"command", "rank"},
                             {"sources", a.sources},
                             {"set", a.parameters},
                             {"report", a.reports},
                             {"out", a.out},
                             {"count", nullptr},
                             {"seed", a.seed},
                             {"best", a.best},
                             {"plays", a.plays},
                             {"matches", a.matches},
                             {"simulations", a.simulations},
                             {"max_moves", a.max_moves},
                             {"memory_mib", a.memory},
                             {"jobs", a.jobs},
                             {"level", a.level},
                             {"timeout", a.timeout},
                             {"prove", a.prove},
                             {"merge", a.merge},
                             {"until", a.until},
                             {"quiet", a.quiet},
                             {"shard", a.shard},
                             {"progress", nullptr}};
  for (const Limit* limit : all_limits()) {
    if (limit->value() != limit->standard()) out["limits"].push_back(fmt::format("{}={}", limit->name(), *limit));
  }
  if (a.total > 0) out["count"] = a.total;
  if (a.progress != ShowProgress::on_terminal) out["progress"] = a.progress == ShowProgress::always;
  return out;
}

int run(const RankArguments& options) {
  if (options.out.empty()) throw UsageError("the folder for the results is missing: -o FOLDER");
  FileRoles files;
  for (const std::string& source : options.sources) {
    std::error_code error;
    if (fs::is_regular_file(source, error)) files.reads(source);
  }
  for (const std::string& report : options.reports) files.writes(report, "--report");
  run_in_package("rank", options.cluster, as_json(options));
}

void add_rank_effort(OptionSet& app, RankArguments& a) {
  const auto number = [&](const char* name, std::uint64_t& target, const char* help) {
    app.add_option(name, target, help)
        ->between(std::uint64_t{1}, std::uint64_t{1'000'000'000})
        ->capture_default_str()
        ->type_name("N");
  };
  number("--plays", a.plays, "plays at random of each game");
  number("--best", a.best, "so many of the best are searched");
  number("--matches", a.matches, "plays of equal players in the search of a game, and as many against a stronger one");
  number("--simulations", a.simulations, "simulations of these players per move");
  add_max_moves(app, a.max_moves, "");
  app.add_option("--until", a.until, "the last stage: distinct, play, search; a command with a later one goes on")
      ->one_of({"distinct", "play", "search"})
      ->capture_default_str()
      ->type_name("STAGE");
  app.add_flag("--prove", a.prove,
               "decide by proofs whether a game is proper (rgtrans check --prove), not only by plays");
  app.add_option("-O", a.level, "optimize: 0 nothing, 1 cheap and readable, 2 everything that is safe")
      ->between(0, 2)
      ->capture_default_str()
      ->type_name("LEVEL");
  add_timeout(app, a.timeout, "processor time for one game in a stage");
  app.add_option("--memory", a.memory, "memory of a process")
      ->between(std::uint64_t{64}, std::uint64_t{1} << 20)
      ->capture_default_str()
      ->type_name("MB");
}

}  // namespace

const Command kRank = {
    "rank", "generate or read many games, drop equal and bad ones, and rank the others",
    "rgtrans rank -o ranking --total 1000 linegames", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<RankArguments>();
      app.add_option("SOURCE", options->sources,
                     "folders, archives, games, GENERATOR.py (its function generate(index, random)), linegames (random "
                     "ones), or mutate:PATH")
          ->type_name("");
      app.add_option("-o,--output", options->out, "the folder for the results; a run that was ended goes on there")
          ->required()
          ->type_name("FOLDER");
      app.add_option("--total", options->total, "how many games; by default all of a source that ends")
          ->between(std::uint64_t{1}, std::uint64_t{1} << 40U)
          ->type_name("N");
      app.add_option("--set", options->parameters,
                     "values of {{NAME}} in a source that is a template: NAME=1..5 or NAME=a,b")
          ->type_name("NAME=VALUES");
      add_seed(app, options->seed, "");
      add_rank_effort(app, *options);
      add_jobs(app, options->jobs, "processes");
      options->cluster.add_to(app, "games are ranked");
      app.add_option("--shard", options->shard, "only the I-th of N parts")->type_name("I/N");
      app.add_flag("--merge", options->merge, "put the shards of the folder together, and search the best games");
      app.add_option("--report", options->reports, "also write the table or a page: .csv, .csv.gz, .parquet or .html")
          ->type_name("FILE");
      app.add_flag("-q,--quiet", options->quiet, "print no summary");
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
