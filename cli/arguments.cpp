// Arguments that several commands share.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <system_error>

#include "cli/command.hpp"
#include "cli/parts.hpp"
#include "core/support/effort.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

std::vector<std::string> language_names() {
  std::vector<std::string> names;
  for (const Frontend* f : frontends()) names.emplace_back(f->name);
  return names;
}

namespace {

// "for gdl keep-forced, max-rules=N, …; for linegames published"
std::string option_help() {
  std::string text;
  for (const Frontend* f : frontends()) {
    for (const LanguageOption& option : f->options) {
      const bool first = &option == &f->options.front();
      text += first ? fmt::format("{}for {} ", text.empty() ? "" : "; ", f->name) : ", ";
      text += fmt::format("{}{}", option.name, option.value.empty() ? std::string() : fmt::format("={}", option.value));
    }
    if (f->own_options)
      text += fmt::format("{} those of the description, as in \"Board Size=9x9\"", f->options.empty() ? "" : " and");
  }
  return text;
}

}  // namespace

void set_language_option(FrontendOptions& options, const std::string& name, const std::string& value,
                         const std::string& written) {
  try {
    check_option(name, value);
  } catch (const Error& e) {
    const Diagnostic& first = e.diagnostics().front();
    throw UsageError(fmt::format("{}: {}\n  hint: {}", written, first.message, first.hint));
  }
  options.values[name] = value;
}

void add_language_options(OptionSet& app, std::string& language, FrontendOptions& options) {
  app.add_option("--from", language, "language of the input; by default the extension or the text decides")
      ->one_of(language_names())
      ->type_name("LANGUAGE");
  app.add_option_function(
         "--option",
         [&options](const std::vector<std::string>& items) {
           for (const std::string& item : items) {
             const std::size_t equals = item.find('=');
             const std::string name = item.substr(0, equals);
             const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
             set_language_option(options, name, value, "--option " + item);
           }
         },
         "an option of the language: " + option_help())
      ->type_name("NAME[=VALUE]");
  for (const Frontend* frontend : frontends()) {
    for (const LanguageOption& option : frontend->options) {
      if (option.of_commands) app.add_language_option(option, options);
    }
  }
}

Option* add_passes_option(OptionSet& app, std::vector<std::string>& passes) {
  return app
      .add_option_function(
          "--passes",
          [&passes](const std::vector<std::string>& items) {
            for (const std::string& item : items) std::ranges::copy(split_list(item), std::back_inserter(passes));
            if (passes.empty()) throw UsageError("--passes names no pass; -O0 runs none");
          },
          "run exactly these passes, in this order (see rgtrans passes)")
      ->type_name("A,B,…");
}

Option* add_output(OptionSet& app, std::string& path) {
  return app.add_option("-o,--output", path, "file to write; - is standard output")
      ->capture_default_str()
      ->type_name("FILE");
}

void GameArguments::add_to(OptionSet& app, const char* path_help) {
  add_language_options(app, language, frontend);
  app.add_flag("--json-messages", json_messages, "print errors and warnings as JSON");
  app.add_flag("--notes", notes, "report work that was left out because an effort ended (see rgtrans limits)")
      ->group("Limits");
  app.add_option("FILE", path, path_help)->required()->type_name("");
}

ir::Game GameArguments::load(bool warnings, GameOrigin* origin) const {
  if (notes) {
    // Also while the game is optimized and written.
    listen_to_notes([told = std::set<std::string>()](const std::string& note) mutable {
      if (told.insert(note).second) fmt::print(stderr, "note: {}\n", printable(note));
    });
  }
  Diagnostics diagnostics;
  ir::Game game = load_game({path, language, frontend, warnings}, diagnostics, origin);
  if (warnings) show(diagnostics.all(), *diagnostics.sources(), json_messages);
  return game;
}

void ProjectArguments::add_to(OptionSet& app) {
  app.add_option("--namespace", space, "the namespace of the generated code, by default reasoner")->type_name("NAME");
  app.add_option("--prefix", prefix,
                 "begins the name of the function in C, NAME_get_reasoner(); by default the name of the game")
      ->type_name("NAME");
  app.add_option("--licence", licence, "a file or a text, for the head of each generated file")->type_name("FILE|TEXT");
  const std::span<const std::string_view> techniques = parts().techniques;
  Option* const option =
      app.add_option("--without", without,
                     "leave out techniques that make reasoners fast (docs/reasoner.md), to measure their gain")
          ->delimiter(',')
          ->type_name("TECHNIQUE,…");
  if (!techniques.empty()) option->one_of({techniques.begin(), techniques.end()});
}

void ProjectArguments::complete(const std::string& path) {
  const std::filesystem::path file(path);
  title = path == "-" || file.stem().empty() ? "game" : file.stem().string();
  source = path == "-" ? "" : file.filename().string();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(licence, ignored)) {
    licence = read_file(licence);
  } else if (licence.find('/') != std::string::npos && licence.find(' ') == std::string::npos) {
    throw UsageError(fmt::format("--licence {}: there is no such file, and this is no sentence", licence));
  }
}

}  // namespace rgtrans::cli
