// Compares engines state by state on games of a generator or of a folder. scripts/differential runs it, with jobs, a
// log, and again behind a game that ended it.
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "core/support/clock.hpp"
#include "core/support/support.hpp"
#include "tests/differential/driver/contest.hpp"
#include "tests/differential/driver/samples.hpp"
#include "tests/differential/driver/shrink.hpp"

namespace rgtrans::differential {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string generator, folder, engines, output = "differences";
  std::uint64_t seed = 1, count = 1000;
  double seconds = 0, game_seconds = 20, shrink_seconds = 20;
  std::size_t most_differences = 1000, together = 40;
  Bounds bounds;
  bool print = false, quiet = false, coverage = false, list = false;
};

// The game in hand, for a signal that ends the program.
char g_game[256] = "";

void give_up(int signal) {
  char line[400];
  const int length = std::snprintf(line, sizeof line, "%s\t%s\n", signal == SIGVTALRM ? "time" : "crash", g_game);
  [[maybe_unused]] const auto written = write(STDOUT_FILENO, line, static_cast<std::size_t>(length));
  _exit(signal == SIGVTALRM ? 4 : 3);
}

// Processor time from now on; 0 for no limit.
void allow(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = seconds > 0 ? 1 : 0;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

class Driver {
 public:
  explicit Driver(const Arguments& arguments) : a_(arguments), engines_(engines_named(arguments.engines)) {
    // Memory of one game is that of the next.
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    signal(SIGPIPE, SIG_IGN);  // a player in another process may end
    for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGVTALRM}) signal(number, give_up);
  }

  int run() {
    const auto begin = Clock::now();
    if (!a_.generator.empty()) {
      generator_ = find_generator(a_.generator);
      if (generator_ == nullptr) throw Error("there is no generator " + a_.generator);
    } else {
      paths_ = games_below(a_.folder);
    }
    const bool compiled = std::ranges::any_of(engines_, [](const EngineName& engine) {
      return engine.player == Player::cpp || engine.player == Player::tables;
    });
    if (a_.coverage) tally_.coverage = &coverage_.emplace();
    next_ = a_.seed;
    end_ = generator_ == nullptr ? paths_.size() + 1 : a_.seed + a_.count;
    while (next_ < end_ && differences_ < a_.most_differences) {
      if (a_.seconds > 0 && seconds_since(begin) > a_.seconds) break;
      compare_some(compiled ? a_.together : 1);
    }
    allow(0);
    report();
    return differences_ > 0 ? 1 : 0;
  }

 private:
  void report() const {
    fmt::print(
        "done\t{}\t{}\tgames {}\trefused {}\tdifferences {}\tstates {}\tmoves {}\tends {}\tstuck {}\twhole {}\t"
        "improper {}\tseconds {:.3f}\n",
        a_.seed, next_ - 1, tally_.games, tally_.refused, differences_, tally_.states, tally_.moves, tally_.ends,
        tally_.stuck, tally_.complete, tally_.improper, processor_seconds());
    fmt::print("bounds\tstates {}\tmoves {}\trules {}\n", a_.bounds.states, a_.bounds.moves, a_.bounds.rules);
    if (coverage_) coverage_->print();
    if (a_.quiet) return;
    for (const auto& [name, count] : tally_.played) fmt::print("played\t{}\t{}\n", count, name);
    for (const auto& [why, count] : tally_.missing) fmt::print("missing\t{}\t{}\n", count, why);
  }

  [[nodiscard]] Sample sample(std::uint64_t number) const {
    if (generator_ != nullptr) return generate(*generator_, number);
    const fs::path& path = paths_[number - 1];
    return {path.filename().string(), number, read_file(path)};
  }

  // This is the game in hand from now on.
  void hold(const Sample& sample) const {
    std::snprintf(g_game, sizeof g_game, "%llu\t%s", static_cast<unsigned long long>(sample.seed), sample.name.c_str());
    allow(a_.game_seconds);
  }

  void compare_some(std::size_t count) {
    test::Batch batch;
    std::vector<Contest> contests;
    for (; count > 0 && next_ < end_; --count, ++next_) {
      const Sample game = sample(next_);
      if (a_.print) {
        fmt::print("; {}\n{}\n", game.name, game.text);
        std::fflush(stdout);  // it may end the program
      }
      hold(game);
      contests.emplace_back(game, engines_, a_.bounds, batch, tally_);
    }
    if (batch.size() > 0 && !build(batch)) {
      for (const Contest& contest : contests) check(contest.sample(), compare_alone(contest.sample(), tally_));
      return;
    }
    for (Contest& contest : contests) {
      hold(contest.sample());
      check(contest.sample(), contest.run(batch, a_.bounds, tally_));
    }
  }
  static bool build(test::Batch& batch) {
    allow(0);
    try {
      batch.build();
    } catch (const Error&) {
      return false;
    }
    return true;
  }
  Outcome compare_alone(const Sample& sample, Tally& tally) const {
    try {
      return compare(sample, engines_, a_.bounds, tally);
    } catch (const Error& error) {
      return {false, error.what(), "build", "build"};
    }
  }

  void check(const Sample& game, const Outcome& outcome) {
    if (outcome.difference.empty()) return;
    ++differences_;
    std::string smaller = shrink(game, outcome);
    Outcome last = outcome;
    if (smaller.empty()) {
      smaller = game.text;
    } else {
      Tally ignored;
      last = compare_alone({game.name, game.seed, smaller}, ignored);
    }
    fs::create_directories(a_.output);
    const fs::path path = fs::path(a_.output) / game.name;
    const std::string mark = comment(path.extension().string());
    const std::string what = last.difference.substr(0, last.difference.find('\n'));
    write_file(path, mark.empty()
                         ? smaller
                         : fmt::format("{0} {1}\n{0} engines {2}, states {3}, moves {4}, seed {5}\n{6}", mark, what,
                                       a_.engines, a_.bounds.states, a_.bounds.moves, game.seed, smaller));
    fmt::print("difference\t{}\t{}\t{}\n", game.seed, path.string(), what);
    std::fflush(stdout);
  }

  // How a comment begins; "" where there is none.
  static std::string comment(const std::string& extension) {
    if (extension == ".kif" || extension == ".ldx") return ";";
    return extension == ".linegame" ? "" : "//";
  }

  std::string shrink(const Sample& game, const Outcome& outcome) const {
    if (a_.shrink_seconds <= 0) return "";
    allow(a_.game_seconds + 2 * a_.shrink_seconds);
    const auto shows = [&](const std::string& text) {
      Tally ignored;
      const Outcome smaller = compare_alone({game.name, game.seed, text}, ignored);
      return smaller.engine == outcome.engine && smaller.kind == outcome.kind;
    };
    std::string smaller;
    if (game.name.ends_with(".kif") || game.name.ends_with(".ldx") || game.name.ends_with(".lud"))
      smaller = shrink_lists(game.text, shows, a_.shrink_seconds);
    return smaller.empty() ? shrink_lines(game.text, shows, a_.shrink_seconds) : smaller;
  }

  const Arguments& a_;
  std::vector<EngineName> engines_;
  const Generator* generator_ = nullptr;
  std::vector<fs::path> paths_;
  std::uint64_t next_ = 1, end_ = 1;
  Tally tally_;
  std::optional<Coverage> coverage_;
  std::size_t differences_ = 0;
};

int run(int argc, char** argv) {
  Arguments a;
  CLI::App app("Compares engines state by state. " + engine_help(), "rgtrans_differential");
  std::string names;
  for (const Generator& generator : generators()) names += (names.empty() ? "" : ", ") + std::string(generator.name);
  auto* const generator = app.add_option("--generator", a.generator, "random games: " + names);
  app.add_option("--folder", a.folder, "games below a folder, or one file")->excludes(generator);
  app.add_option("--engines", a.engines, "the first that has a game is what the others are compared with");
  app.add_option("--seed", a.seed, "the first game: a seed, or a place in the folder")->capture_default_str();
  app.add_option("--count", a.count, "so many seeds")->capture_default_str();
  app.add_option("--seconds", a.seconds, "ends after so many seconds");
  app.add_option("--states", a.bounds.states, "most states of a game")->capture_default_str();
  app.add_option("--moves", a.bounds.moves, "most moves made in a game")->capture_default_str();
  app.add_option("--rules", a.bounds.rules, "most ground rules of a description; 0: as many as the language allows")
      ->capture_default_str();
  app.add_option("--depth", a.bounds.depth, "most decisions from the first state");
  app.add_option("--together", a.together, "so many games are compiled in one library")->capture_default_str();
  app.add_option("--game-seconds", a.game_seconds, "of processor time for a game, else the program ends")
      ->capture_default_str();
  app.add_option("--shrink-seconds", a.shrink_seconds, "to make a difference smaller")->capture_default_str();
  app.add_option("--most-differences", a.most_differences, "then it ends")->capture_default_str();
  app.add_option("--output", a.output, "folder for games with differences")->capture_default_str();
  app.add_flag("--print", a.print, "prints the games");
  app.add_flag("--coverage", a.coverage, "tells which constructs, rewrites, passes and techniques were reached");
  app.add_flag("--list", a.list, "prints the games of the folder, and does nothing");
  app.add_flag("--quiet", a.quiet, "no table of engines at the end");
  CLI11_PARSE(app, argc, argv);
  if (a.list) {
    for (const fs::path& path : games_below(a.folder)) fmt::print("{}\n", path.string());
    return 0;
  }
  if (a.generator.empty() == a.folder.empty()) throw Error("it takes --generator or --folder");
  if (a.engines.empty()) a.engines = standard_engines(a.generator.starts_with("gdl"));
  return Driver(a).run();
}

}  // namespace

}  // namespace rgtrans::differential

int main(int argc, char** argv) {
  try {
    return rgtrans::differential::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
