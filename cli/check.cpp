// rgtrans check: everything that is wrong or suspicious in some files.
#include <fmt/format.h>

#include "backends/interpreter/interpreter.hpp"
#include "cli/command.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  std::vector<std::string> paths;
  std::string language;
  bool no_warnings = false;
  bool json_messages = false;
  bool quiet = false;
  DynamicCheckOptions dynamic{.plays = 0};
};

// Plays at random and shows what is improper; true when nothing is.
bool check_plays(const Options& options, const ir::Game& game) {
  const std::vector<Violation> violations = check_dynamic(game, options.dynamic);
  std::vector<Diagnostic> diagnostics;
  for (const Violation& v : violations) {
    diagnostics.push_back({Severity::error, v.where, v.message, fmt::format("seen in the state {}", v.path), {}});
  }
  show(diagnostics, *game.sources(), options.json_messages);
  return violations.empty();
}

bool check_file(const Options& options, const std::string& path) {
  Diagnostics diagnostics;
  bool good = true;
  try {
    const ir::Game game = load_game({path, options.language, {}, !options.no_warnings}, diagnostics);
    if (options.dynamic.plays > 0) good = check_plays(options, game);
  } catch (const Error& e) {
    show(e.diagnostics(), *e.sources(), options.json_messages);
    return false;
  }
  show(diagnostics.all(), *diagnostics.sources(), options.json_messages);
  if (good && !options.quiet) fmt::print("{}: ok\n", path);
  return good;
}

}  // namespace

const Command kCheck = {
    "check", "report everything that is wrong or suspicious", "rgtrans check games/*.rg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("FILE", options->paths, "the games, or - for standard input")->required()->type_name("");
      app.add_option("--from", options->language, "language of all files")->type_name("LANGUAGE");
      app.add_flag("--no-warnings", options->no_warnings, "errors only");
      app.add_flag("--json-messages", options->json_messages, "errors and warnings as JSON");
      app.add_option("--dynamic", options->dynamic.plays, "also play N random games and look for what is improper")
          ->type_name("N");
      app.add_option("--seed", options->dynamic.seed, "of these games")->capture_default_str()->type_name("K");
      app.add_flag("-q,--quiet", options->quiet, "no line for files without errors");
      return [options] {
        bool good = true;
        for (const std::string& path : options->paths) good = check_file(*options, path) && good;
        return good ? kSuccess : kInputProblem;
      };
    }};

}  // namespace rgtrans::cli
