// Compares engines state by state on games of a generator or of a folder. scripts/differential runs it, with jobs, a
// log, and again behind a game that ended it.
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>

#include "core/support/clock.hpp"
#include "core/support/support.hpp"
#include "tests/differential/driver/engines.hpp"
#include "tests/differential/driver/samples.hpp"
#include "tests/differential/driver/shrink.hpp"

namespace rgtrans::differential {

namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string generator, folder, engines = "rules,ground-O0,lifted-O0,ground-O2/8,lifted-O2/8", output = "differences";
  std::uint64_t seed = 1, count = 1000;
  double seconds = 0, game_seconds = 20, shrink_seconds = 20;
  std::size_t most_differences = 1000;
  Bounds bounds;
  bool print = false, quiet = false;
};

// The game in hand, for a signal that ends the program.
char g_game[256] = "";

void give_up(int signal) {
  char line[400];
  const int length = std::snprintf(line, sizeof line, "%s\t%s\n", signal == SIGVTALRM ? "time" : "crash", g_game);
  [[maybe_unused]] const auto written = write(STDOUT_FILENO, line, static_cast<std::size_t>(length));
  _exit(signal == SIGVTALRM ? 4 : 3);
}

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
    for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGVTALRM}) signal(number, give_up);
  }

  int run() {
    const auto begin = Clock::now();
    const Generator* const generator = a_.generator.empty() ? nullptr : find_generator(a_.generator);
    if (!a_.generator.empty() && generator == nullptr) throw Error("there is no generator " + a_.generator);
    const std::vector<fs::path> paths = generator == nullptr ? games_below(a_.folder) : std::vector<fs::path>();
    const std::uint64_t end = generator == nullptr ? paths.size() + 1 : a_.seed + a_.count;
    std::uint64_t next = a_.seed;
    for (; next < end && differences_ < a_.most_differences; ++next) {
      if (a_.seconds > 0 && seconds_since(begin) > a_.seconds) break;
      const Sample sample = generator != nullptr ? generate(*generator, next) : read(paths[next - 1], next);
      std::snprintf(g_game, sizeof g_game, "%llu\t%s", static_cast<unsigned long long>(next), sample.name.c_str());
      if (a_.print) fmt::print("; {}\n{}\n", sample.name, sample.text);
      allow(a_.game_seconds);
      check(sample, next);
    }
    allow(0);
    fmt::print(
        "done\t{}\t{}\tgames {}\trefused {}\tdifferences {}\tstates {}\tmoves {}\tends {}\tstuck {}\twhole {}\t"
        "improper {}\tseconds {:.3f}\n",
        a_.seed, next - 1, tally_.games, tally_.refused, differences_, tally_.states, tally_.moves, tally_.ends,
        tally_.stuck, tally_.complete, tally_.improper, processor_seconds());
    if (a_.quiet) return differences_ > 0 ? 1 : 0;
    for (const auto& [name, count] : tally_.played) fmt::print("played\t{}\t{}\n", count, name);
    for (const auto& [why, count] : tally_.missing) fmt::print("missing\t{}\t{}\n", count, why);
    return differences_ > 0 ? 1 : 0;
  }

 private:
  static Sample read(const fs::path& path, std::uint64_t number) {
    return {path.filename().string(), number, read_file(path)};
  }

  void check(const Sample& sample, std::uint64_t number) {
    const Outcome outcome = compare(sample, engines_, a_.bounds, tally_);
    if (outcome.difference.empty()) return;
    ++differences_;
    std::string smaller = shrink(sample, outcome);
    fs::create_directories(a_.output);
    const fs::path name = fs::path(sample.name);
    const fs::path path = fs::path(a_.output) / name;
    Outcome last = outcome;
    if (smaller.empty()) {
      smaller = sample.text;
    } else {
      Tally ignored;
      last = compare({sample.name, sample.seed, smaller}, engines_, a_.bounds, ignored);
    }
    const std::string mark = comment(name.extension().string());
    write_file(path, mark.empty() ? smaller
                                  : fmt::format("{0} {1}\n{0} engines {2}, states {3}, moves {4}, seed {5}\n{6}", mark,
                                                last.difference, a_.engines, a_.bounds.states, a_.bounds.moves,
                                                sample.seed, smaller));
    fmt::print("difference\t{}\t{}\t{}\n", number, path.string(), last.difference);
    std::fflush(stdout);
  }

  static std::string comment(const std::string& extension) {
    if (extension == ".kif" || extension == ".ldx") return ";";
    return extension == ".linegame" ? "" : "//";
  }

  std::string shrink(const Sample& sample, const Outcome& outcome) {
    if (a_.shrink_seconds <= 0) return "";
    allow(a_.game_seconds + 2 * a_.shrink_seconds);
    const auto shows = [&](const std::string& text) {
      Tally ignored;
      const Outcome smaller = compare({sample.name, sample.seed, text}, engines_, a_.bounds, ignored);
      return smaller.engine == outcome.engine && smaller.kind == outcome.kind;
    };
    const std::string extension = fs::path(sample.name).extension().string();
    std::string smaller;
    if (extension == ".kif") smaller = shrink_lists(sample.text, shows, a_.shrink_seconds);
    if (smaller.empty()) smaller = shrink_lines(sample.text, shows, a_.shrink_seconds);
    return smaller;
  }

  const Arguments& a_;
  std::vector<EngineName> engines_;
  Tally tally_;
  std::size_t differences_ = 0;
};

int run(int argc, char** argv) {
  Arguments a;
  CLI::App app("Compares engines state by state.\n\nEngines:\n" + engine_help(), "rgtrans_differential");
  std::string names;
  for (const Generator& generator : generators()) names += (names.empty() ? "" : ", ") + std::string(generator.name);
  auto* const generator = app.add_option("--generator", a.generator, "random games: " + names);
  app.add_option("--folder", a.folder, "games below a folder, or one file")->excludes(generator);
  app.add_option("--engines", a.engines,
                 "what the first that has a game is compared with; with /N one in one game of N")
      ->capture_default_str();
  app.add_option("--seed", a.seed, "the first game: a seed, or a place in the folder")->capture_default_str();
  app.add_option("--count", a.count, "so many seeds")->capture_default_str();
  app.add_option("--seconds", a.seconds, "ends after so many seconds");
  app.add_option("--states", a.bounds.states, "most states of a game")->capture_default_str();
  app.add_option("--moves", a.bounds.moves, "most moves made in a game")->capture_default_str();
  app.add_option("--depth", a.bounds.depth, "most decisions from the first state");
  app.add_option("--game-seconds", a.game_seconds, "of processor time for a game, else the program ends")
      ->capture_default_str();
  app.add_option("--shrink-seconds", a.shrink_seconds, "to make a difference smaller")->capture_default_str();
  app.add_option("--most-differences", a.most_differences, "then it ends")->capture_default_str();
  app.add_option("--output", a.output, "folder for games with differences")->capture_default_str();
  app.add_flag("--print", a.print, "prints the games");
  app.add_flag("--quiet", a.quiet, "no table of engines at the end");
  CLI11_PARSE(app, argc, argv);
  if (a.generator.empty() == a.folder.empty()) throw Error("it takes --generator or --folder");
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
