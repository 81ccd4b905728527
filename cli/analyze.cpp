// rgtrans analyze: figures about games, estimated from plays.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "backends/search/search.hpp"
#include "cli/engine.hpp"
#include "cli/watch.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

struct AnalyzeArguments {
  std::vector<std::string> files;
  std::string language;
  FrontendOptions frontend;
  OptimizerArguments optimizer;
  std::string engine = "interpreter";
  search::AnalyzeOptions analyze;
  bool no_depth = false;
  unsigned jobs = 1;
  std::string report;
  ShowProgress progress = ShowProgress::on_terminal;
};

// The parts that moves can have.
std::vector<std::string> tags_of(const ir::Game& game) {
  std::set<std::string> tags;
  for (const ir::EdgeId edge : game.graph.edges()) {
    if (const auto* tag = std::get_if<ir::Tag>(&game.graph.label(edge))) tags.insert(game.symbols.str(tag->symbol));
  }
  return {tags.begin(), tags.end()};
}

search::Analysis analyze_file(const AnalyzeArguments& options, const std::string& path) {
  Diagnostics diagnostics;
  LoadRequest request{path, options.language, options.frontend, false};
  ir::Game game = load_game(request, diagnostics);
  const std::vector<std::string> tags = tags_of(game);
  const ir::Game written = game;
  options.optimizer.run(game);
  const std::unique_ptr<Reasoner> reasoner = make_reasoner(game, options.engine, true);
  search::Analysis out = search::analyze(*reasoner, std::filesystem::path(path).stem().string(), tags, options.analyze);
  search::find_dead_rules(written, out);
  return out;
}

int run(AnalyzeArguments options) {
  FileRoles files;
  for (const std::string& file : options.files) files.reads(file);
  files.writes(options.report, "--report");
  options.optimizer.name_files(files);
  options.analyze.depth = !options.no_depth;
  std::vector<search::Analysis> games(options.files.size());
  std::vector<std::string> problems(options.files.size());
  Watch watch(options.progress, "analyzing");
  options.analyze.following = watch.following();
  std::mutex mutex;
  std::size_t next = 0;
  const auto work = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::lock_guard lock(mutex);
        if (next == options.files.size() || Watch::interrupted()) return;
        mine = next++;
      }
      try {
        games[mine] = analyze_file(options, options.files[mine]);
      } catch (const std::exception& e) {
        problems[mine] = e.what();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers(options.jobs) && i < options.files.size(); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  watch.clear();
  std::vector<search::Analysis> good;
  std::string out;
  bool failed = false;
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (problems[i].empty() && games[i].plays == 0) {
      fmt::print(stderr, "{}: not begun\n", printable(options.files[i]));
    } else if (problems[i].empty()) {
      if (Watch::interrupted())
        fmt::print(stderr, "{}: {} of {} plays; the intervals hold for these\n", printable(options.files[i]),
                   games[i].plays, options.analyze.games);
      out += search::text(games[i]);
      good.push_back(std::move(games[i]));
    } else {
      fmt::print(stderr, "{}: {}\n", printable(options.files[i]), terminal_text(problems[i]));
      failed = true;
    }
  }
  if (options.report.ends_with(".html")) {
    write_file(options.report, search::html(good, options.analyze));
  } else if (options.report.ends_with(".json")) {
    write_file(options.report, search::json(good));
  } else if (options.report.ends_with(".csv")) {
    write_file(options.report, search::csv(good));
  } else if (!options.report.empty()) {
    throw UsageError("--report ends in .html, .json or .csv");
  }
  write_file("-", out);
  if (Watch::interrupted()) return kInterrupted;
  return failed ? kInputProblem : kSuccess;
}

}  // namespace

const Command kAnalyze = {
    "analyze", "estimate balance, length and depth from self-play, with intervals",
    "rgtrans analyze --report out.html games/hrg/tic-tac-toe.hrg games/hrg/breakthrough.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<AnalyzeArguments>();
      app.add_option("FILE", options->files, "the games")->required()->type_name("");
      add_language_options(app, options->language, options->frontend);
      options->optimizer.add_to(app, 2);
      add_engine(app, options->engine, {"interpreter", "cpp"});
      add_count(app, options->analyze.games, "of equal players");
      app.add_option("--simulations", options->analyze.simulations, "simulations of each player per move")
          ->between(std::uint64_t{1}, std::uint64_t{1'000'000'000})
          ->capture_default_str()
          ->type_name("N");
      add_max_moves(app, options->analyze.most_moves, "");
      add_seconds(app, options->analyze.seconds, "of each game; one play may take twice as long; 0: no limit", 0);
      add_seed(app, options->analyze.seed, "");
      app.add_flag("--no-depth", options->no_depth,
                   "leave out the matches against a player with ten times the simulations");
      add_jobs(app, options->jobs, "games");
      app.add_option("--report", options->report, "write a page, JSON or CSV")->type_name("FILE");
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
