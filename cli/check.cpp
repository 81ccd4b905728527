// rgtrans check: everything that is wrong or suspicious in some files.
#include <fmt/format.h>

#include "cli/command.hpp"

namespace rgtrans::cli {

namespace {

struct Options {
  std::vector<std::string> paths;
  std::string language;
  bool no_warnings = false;
  bool json_messages = false;
  bool quiet = false;
};

bool check_file(const Options& options, const std::string& path) {
  Diagnostics diagnostics;
  try {
    load_game({path, options.language, {}, !options.no_warnings}, diagnostics);
  } catch (const Error& e) {
    show(e.diagnostics(), *e.sources(), options.json_messages);
    return false;
  }
  show(diagnostics.all(), *diagnostics.sources(), options.json_messages);
  if (!options.quiet) fmt::print("{}: ok\n", path);
  return true;
}

}  // namespace

const Command kCheck = {
    "check", "report everything that is wrong or suspicious", "rgtrans check games/*.rg",
    [](CLI::App& app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      app.add_option("FILE", options->paths, "the games, or - for standard input")->required()->type_name("");
      app.add_option("--from", options->language, "language of all files")->type_name("LANGUAGE");
      app.add_flag("--no-warnings", options->no_warnings, "errors only");
      app.add_flag("--json-messages", options->json_messages, "errors and warnings as JSON");
      app.add_flag("-q,--quiet", options->quiet, "no line for files without errors");
      return [options] {
        bool good = true;
        for (const std::string& path : options->paths) good = check_file(*options, path) && good;
        return good ? kSuccess : kInputProblem;
      };
    }};

}  // namespace rgtrans::cli
