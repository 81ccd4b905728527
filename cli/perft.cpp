// rgtrans perft: how many positions there are after 1, 2, … moves.
#include <fmt/format.h>

#include <cstdio>
#include <functional>

#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "cli/engine.hpp"
#include "cli/watch.hpp"
#include "core/support/clock.hpp"
#include "core/support/pieces.hpp"
#include "core/support/progress.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::cli {

namespace {

struct PerftArguments {
  EngineArguments engine;
  unsigned depth = 0;
  bool divide = false;
  bool walks = false;
  bool joint = false;
  ShowProgress progress = ShowProgress::on_terminal;
};

// Ends a count from within.
struct Interrupted {};

int print_joint(const JointCounts& counts) {
  for (std::size_t i = 0; i < counts.leaves.size(); ++i) fmt::print("{}\t{}\n", i + 1, counts.leaves[i]);
  if (!counts.complete) throw Error("too many different states to go deeper");
  return kSuccess;
}

JointCounts count(const PerftArguments& options, JointGame form) {
  Diagnostics diagnostics(form.game.sources());
  ir::verify(form.game, diagnostics, {.warnings = false});
  diagnostics.throw_if_errors();
  options.engine.optimizer.run(form.game);
  const std::unique_ptr<Reasoner> reasoner = make_interpreter(form.game);
  JointCounts counts{play::joint_perft(*reasoner, form.step, options.depth)};
  counts.complete = counts.leaves.size() == options.depth;
  return counts;
}

// Joint moves are counted by the language itself, in the form that it chooses.
int run_joint(const PerftArguments& options) {
  if (options.engine.engine == "cpp") {
    throw UsageError(
        "--joint counts by the rules of the description: compiled reasoners know the moves of one player at a time");
  }
  if (options.engine.engine == "rules") {
    return print_joint(gdl::joint_counts(gdl::joint_perft(*options.engine.rules_as_they_stand(), options.depth)));
  }
  Diagnostics diagnostics;
  auto [name, text] = read_game(options.engine.game.path);
  const Frontend& language = frontend_for(options.engine.game.language, name, text);
  if (language.count_joint == nullptr) {
    std::vector<std::string_view> names;
    for (const Frontend* frontend : frontends()) {
      if (frontend->count_joint != nullptr) names.push_back(frontend->name);
    }
    throw UsageError(fmt::format("--joint needs a description in {}", fmt::join(names, ", ")));
  }
  const Sources::File& file = diagnostics.sources()->add(std::move(name), std::move(text));
  check_options(language, options.engine.game.frontend);
  auto counted = language.count_joint(file, diagnostics, options.engine.game.frontend, options.depth);
  diagnostics.throw_if_errors();
  if (auto* const form = std::get_if<JointGame>(&counted)) return print_joint(count(options, std::move(*form)));
  return print_joint(std::get<JointCounts>(counted));
}

int run(const PerftArguments& options) {
  if (options.joint) return run_joint(options);
  if (options.walks && options.engine.engine != "interpreter") {
    throw UsageError("--walks needs --engine interpreter: compiled reasoners know moves only");
  }
  const std::unique_ptr<Reasoner> reasoner = options.engine.make();
  Watch watch(options.progress, "counting");
  const Following following = watch.following();
  const std::function<void()> check = [&] {
    if (following.stopped()) throw Interrupted();
  };
  const WhileWanted asking(check);  // the interpreter asks on its way
  std::uint64_t lines = 0;
  try {
    if (options.divide) {
      play::divide(*reasoner, options.depth, [&](const play::DivideLine& line) {
        watch.clear();
        fmt::print("{}\t{}\n", for_terminal(line.move), line.leaves);
        std::fflush(stdout);
        following.tell([&] { return fmt::format("{} moves counted", ++lines); });
        check();
      });
      return kSuccess;
    }
    for (unsigned depth = 1; depth <= options.depth; ++depth) {
      following.tell([&] { return fmt::format("depth {}", depth); });
      const auto begin = Clock::now();
      // Compiled code counts without asking anybody, so it gets the count in parts.
      constexpr unsigned kInParts = 2;
      const bool in_parts = options.engine.engine == "cpp" && depth > kInParts + 1;
      const std::uint64_t leaves = options.walks ? reasoner->perft_walks(depth)
                                   : in_parts    ? play::perft_in_steps(*reasoner, depth, check, depth - kInParts)
                                                 : reasoner->perft(depth);
      watch.clear();
      fmt::print("{}\t{}\t{:.3f}\n", depth, leaves, seconds_since(begin));
      std::fflush(stdout);
      ++lines;
      check();
    }
  } catch (const Interrupted&) {
    watch.clear();
    fmt::print(stderr, "interrupted: the {} above are exact, {} is not counted\n", options.divide ? "moves" : "depths",
               options.divide ? "the next one" : fmt::format("depth {}", lines + 1));
    return kInterrupted;
  }
  return kSuccess;
}

}  // namespace

const Command kPerft = {
    "perft", "count the positions after a number of moves", "rgtrans perft games/hrg/chess.hrg 3",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<PerftArguments>();
      options->engine.rules = true;
      options->engine.proofs = true;
      options->engine.add_to(app);
      app.add_option("DEPTH", options->depth, "moves of players and of random; moves of keeper do not count")
          ->required()
          ->between(1, 1000)
          ->type_name("");
      auto* divide =
          app.add_flag("--divide", options->divide, "print a line for each first move instead of one per depth");
      app.add_flag("--walks", options->walks, "count walks of the automaton instead of distinct moves")

          ->excludes(divide);
      app.add_flag("--joint", options->joint, "count joint moves, one of every role at a time (GDL)")->excludes(divide);
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
