// rgtrans build: a game as a compiled program.
#include <fmt/format.h>

#include <filesystem>

#include "backends/cpp/cpp.hpp"
#include "cli/command.hpp"
#include "cli/project.hpp"
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
  bool shared = false;
  bool archive = false;
  ProjectArguments project;
  bool no_cache = false;
  bool verbose = false;
  ShowProgress progress = ShowProgress::on_terminal;
  std::string engine = "cpp";
};

void copy_program(const std::filesystem::path& from, const std::filesystem::path& to) {
  write_file(to, read_file(from));
  std::filesystem::permissions(
      to, std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
      std::filesystem::perm_options::add);
}

bool makes_library(const BuildArguments& options) { return options.shared || options.archive; }

// A default name may only replace an earlier program or library.
std::string output_name(const BuildArguments& options) {
  const std::string& title = options.project.title;
  const std::string standard = options.shared    ? fmt::format("lib{}.so", title)
                               : options.archive ? fmt::format("lib{}.a", title)
                                                 : title;
  const std::string output = options.output.empty() ? standard : options.output;
  const std::string_view kind = makes_library(options) ? "library" : "program";
  if (std::filesystem::is_directory(output))
    throw UsageError(fmt::format("{} is a folder; name the {} with -o", output, kind));
  if (options.output.empty() && std::filesystem::exists(output) &&
      !(makes_library(options) ? cpp::is_library(output) : cpp::is_program(output)))
    throw UsageError(
        fmt::format("there is a file {0}, which is no {1} made by rgtrans build; name the {1} with -o", output, kind));
  return output;
}

// A library, and the header of its C interface next to it.
void write_library(const cpp::Built& built, const BuildArguments& options, const std::string& output,
                   const std::filesystem::path& header, const cpp::GeneratedFile& text) {
  write_file(output, read_file(options.shared ? built.library : built.archive));
  write_file(header, text.text);
  fmt::print("{} and {}: {}\n", output, header.string(),
             options.shared ? "load the library, or link it to a program in C or C++"
                            : "link the library, and the standard library of C++ (-lstdc++), to a program");
}

int run(BuildArguments& options) {
  options.project.complete(options.game.path);
  cpp::BuildOptions build_options;
  build_options.generate = generate_options(options.project);
  FileRoles files = options.game.files();
  options.optimizer.name_files(files);
  const std::string output = output_name(options);
  files.writes(output, "-o");
  const cpp::GeneratedFile header = cpp::library_header(build_options.generate);
  const std::filesystem::path header_path = std::filesystem::path(output).parent_path() / header.name;
  if (makes_library(options)) files.writes(header_path, "-o");
  ir::Game game = options.game.load();
  options.optimizer.run(game);
  build_options.archive = options.archive;
  build_options.profile_guided = options.pgo || options.fast;
  build_options.link_time = options.fast;
  build_options.portable = options.portable;
  build_options.use_cache = !options.no_cache;
  const bool gpu = options.engine == "cuda";
  if (gpu && (options.pgo || options.fast || options.portable))
    throw UsageError("--pgo, --fast and --portable are for the processor: leave them out with --engine cuda");
  if (makes_library(options) && (gpu || options.fast))
    throw UsageError("--shared and --static are for the processor, and without --fast");
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
  if (makes_library(options)) {
    write_library(built, options, output, header_path, header);
    return kSuccess;
  }
  copy_program(built.executable, output);
  const bool plain = output.find('/') == std::string::npos;
  fmt::print("{0}{1}: try {0}{1} {2}\n", plain ? "./" : "", output,
             gpu ? "playouts 1000000" : "perft 3, playouts, play");
  return kSuccess;
}

}  // namespace

const Command kBuild = {
    "build", "compile a game to a program or library of its own", "rgtrans build -o chess games/hrg/chess.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<BuildArguments>();
      options->game.add_to(app);
      options->optimizer.add_to(app, 2);
      app.add_option("-o,--output", options->output, "the program or library, by default named like the game")
          ->type_name("NAME");
      add_engine(app, options->engine, {"cpp", "cuda"});
      const Option* const pgo = app.add_flag(
          "--pgo", options->pgo, "compile, play, and compile again with the profile: slower to build, faster");
      const Option* const fast = app.add_flag("--fast", options->fast,
                                              "as --pgo, and optimize all files together: for programs that run long");
      app.add_flag("--portable", options->portable,
                   "compile for other machines, too: several kinds of processors, chosen at the start")
          ->excludes(pgo)
          ->excludes(fast);
      const Option* const shared = app.add_flag("--shared", options->shared,
                                                "make a shared library, and the header of its C interface next to it");
      app.add_flag("--static", options->archive, "the same as a static library")->excludes(shared);
      options->project.add_to(app);
      app.add_flag("--no-cache", options->no_cache, "compile again even if the cache has the game");
      app.add_flag("--verbose", options->verbose, "show the commands of the compiler and the folder of the sources");
      add_progress(app, options->progress);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
