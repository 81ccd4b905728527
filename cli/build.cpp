// rgtrans build: a game as a compiled program.
#include <fmt/format.h>

#include <filesystem>

#include "backends/cpp/cpp.hpp"
#include "cli/command.hpp"
#include "core/support/progress_line.hpp"

namespace rgtrans::cli {

namespace {

struct BuildArguments {
  GameArguments game;
  OptimizerArguments optimizer;
  std::string output;
  bool pgo = false;
  bool fast = false;
  bool portable = false;
  bool no_cache = false;
  bool verbose = false;
  ShowProgress progress = ShowProgress::on_terminal;
  std::string engine = "cpp";
  std::vector<std::string> without;
};

// "games/hrg/chess.hrg" -> "chess"
std::string default_name(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return path == "-" || stem.empty() ? "game" : stem;
}

void copy_program(const std::filesystem::path& from, const std::filesystem::path& to) {
  write_file(to, read_file(from));
  std::filesystem::permissions(
      to, std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
      std::filesystem::perm_options::add);
}

// A default name may only replace an earlier program.
std::string output_name(const BuildArguments& options) {
  const std::string output = options.output.empty() ? default_name(options.game.path) : options.output;
  if (std::filesystem::is_directory(output))
    throw UsageError(fmt::format("{} is a folder; name the program with -o", output));
  if (options.output.empty() && std::filesystem::exists(output) && !cpp::is_program(output))
    throw UsageError(
        fmt::format("there is a file {}, which is no program made by rgtrans build; name the program with -o", output));
  return output;
}

int run(const BuildArguments& options) {
  FileRoles files = options.game.files();
  options.optimizer.name_files(files);
  const std::string output = output_name(options);
  files.writes(output, "-o");
  ir::Game game = options.game.load();
  options.optimizer.run(game);
  cpp::BuildOptions build_options;
  build_options.generate.title = default_name(options.game.path);
  build_options.profile_guided = options.pgo || options.fast;
  build_options.link_time = options.fast;
  build_options.portable = options.portable;
  build_options.use_cache = !options.no_cache;
  for (const std::string& technique : options.without) build_options.generate.techniques.leave_out(technique);
  const bool gpu = options.engine == "cuda";
  if (gpu && (options.pgo || options.fast || options.portable))
    throw UsageError("--pgo, --fast and --portable are for the processor: leave them out with --engine cuda");
  build_options.generate.device = build_options.nvcc = gpu;
  ProgressLine progress(options.progress);
  progress.show([] { return "Compiling …"; });
  const cpp::Built built = cpp::build(game, build_options);
  progress.clear();
  if (options.verbose) {
    if (built.tables) fmt::print(stderr, "the automaton is large: it is compiled as tables (docs/reasoner.md)\n");
    for (const std::string& command : built.commands) fmt::print(stderr, "{}\n", command);
    fmt::print(stderr, "{}{}\n", built.folder.string(), built.found ? " (found in the cache)" : "");
  }
  copy_program(built.executable, output);
  const bool plain = output.find('/') == std::string::npos;
  fmt::print("{0}{1}: try {0}{1} {2}\n", plain ? "./" : "", output,
             gpu ? "playouts 1000000" : "perft 3, playouts, play");
  return kSuccess;
}

}  // namespace

const Command kBuild = {
    "build", "compile a game to a program that plays it", "rgtrans build -o chess games/hrg/chess.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<BuildArguments>();
      options->game.add_to(app);
      options->optimizer.add_to(app, 2);
      app.add_option("-o,--output", options->output, "the program, by default named like the game")->type_name("NAME");
      add_engine(app, options->engine, {"cpp", "cuda"});
      const Option* const pgo = app.add_flag(
          "--pgo", options->pgo, "compile, play, and compile again with the profile: slower to build, faster");
      const Option* const fast = app.add_flag("--fast", options->fast,
                                              "as --pgo, and optimize all files together: for programs that run long");
      app.add_flag("--portable", options->portable,
                   "compile for other machines, too: several kinds of processors, chosen at the start")
          ->excludes(pgo)
          ->excludes(fast);
      app.add_option("--without", options->without,
                     "leave out techniques that make reasoners fast (docs/reasoner.md), to measure their gain")
          ->one_of({cpp::kTechniques.begin(), cpp::kTechniques.end()})
          ->delimiter(',')
          ->type_name("TECHNIQUE,…");
      app.add_flag("--no-cache", options->no_cache, "compile again even if the cache has the game");
      app.add_flag("--verbose", options->verbose, "show the commands of the compiler and the folder of the sources");
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
