// rgtrans format: canonical layout in the language of the file, comments kept.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "core/support/pieces.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

struct FormatArguments {
  std::vector<std::string> paths;
  std::string language;
  bool check = false;
  bool in_place = false;
};

// The formatted text; `text` receives what the file contains.
std::string formatted(const FormatArguments& options, const std::string& path, std::string& text) {
  text = read_description(path);
  const Frontend* frontend = options.language.empty() ? &choose_frontend(path, text) : find_frontend(options.language);
  if (frontend == nullptr) throw UsageError(fmt::format("unknown language {}", options.language));
  if (frontend->format == nullptr) throw Error(fmt::format("{}: there is no formatter for {}", path, frontend->name));
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(path == "-" ? "<stdin>" : path, text);
  std::string result = frontend->format(file, diagnostics);
  diagnostics.throw_if_errors();
  return result;
}

int run(const FormatArguments& options) {
  if (!options.check && !options.in_place && options.paths.size() > 1) {
    throw UsageError("several files need -i (rewrite them) or --check");
  }
  int code = kSuccess;
  for (const std::string& path : options.paths) {
    std::string text;
    try {
      const std::string result = formatted(options, path, text);
      if (options.check) {
        if (result == text) continue;
        fmt::print(stderr, "{}: not formatted\n", printable(path));
        code = kInputProblem;
      } else if (options.in_place && path != "-") {
        if (result != text) write_file(path, result);
      } else {
        write_file("-", result);
      }
    } catch (const Error& e) {
      show(e.diagnostics(), *e.sources(), false);
      code = kInputProblem;
    }
  }
  return code;
}

}  // namespace

const Command kFormat = {
    "format", "lay out a description, comments kept", "rgtrans format -i game.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<FormatArguments>();
      app.add_option("FILE", options->paths, "the descriptions, or - for standard input")->required()->type_name("");
      app.add_option("--from", options->language, "language of all files")
          ->one_of(language_names())
          ->type_name("LANGUAGE");
      auto* check = app.add_flag("--check", options->check, "change nothing; exit with 1 when a file is not formatted");
      app.add_flag("-i,--in-place", options->in_place, "rewrite the files")->excludes(check);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
