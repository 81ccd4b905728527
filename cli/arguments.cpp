// Arguments that several commands share.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/command.hpp"
#include "core/support/effort.hpp"

namespace rgtrans::cli {

namespace {

// "gdl: max-rules=N, fold-case; linegames: published"
std::string listed_options() {
  std::string text;
  for (const Frontend* frontend : frontends()) {
    if (frontend->options.empty()) continue;
    text += fmt::format("{}{}: ", text.empty() ? "" : "; ", frontend->name);
    for (const LanguageOption& option : frontend->options) {
      text += fmt::format("{}{}{}{}", &option == frontend->options.data() ? "" : ", ", option.name,
                          option.value.empty() ? "" : "=", option.value);
    }
  }
  return text;
}

void set_language_option(FrontendOptions& options, const std::string& item) {
  const std::size_t equals = std::min(item.find('='), item.size());
  const std::string name = item.substr(0, equals);
  std::vector<std::string_view> known;
  for (const Frontend* frontend : frontends()) {
    for (const LanguageOption& option : frontend->options) known.push_back(option.name);
  }
  if (std::ranges::find(known, name) == known.end()) {
    const std::string near = did_you_mean(name, known);
    throw Error(fmt::format("no language has an option {}", name),
                near.empty() ? "there are " + listed_options() : near);
  }
  options.values[name] = item.substr(std::min(equals + 1, item.size()));
}

}  // namespace

void add_language_options(OptionSet& app, std::string& language, FrontendOptions& options) {
  std::vector<std::string> names;
  for (const Frontend* f : frontends()) names.emplace_back(f->name);
  app.add_option("--from", language, "language of the input; by default told by the extension or the text")
      ->one_of(names)
      ->type_name("LANGUAGE");
  app.add_option_function(
         "--option",
         [&options](const std::vector<std::string>& items) {
           for (const std::string& item : items) set_language_option(options, item);
         },
         "an option of the language: " + listed_options())
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
}

void GameArguments::add_to(OptionSet& app, const char* path_help) {
  add_language_options(app, language, frontend);
  app.add_flag("--json-messages", json_messages, "errors and warnings as JSON");
  app.add_flag("--notes", notes, "tell what was left out because an effort ended (see rgtrans limits)")
      ->group("Limits");
  app.add_option("FILE", path, path_help)->required()->type_name("");
}

ir::Game GameArguments::load(bool warnings) const {
  if (notes) {
    // Also while the game is optimized and written.
    listen_to_notes([told = std::set<std::string>()](const std::string& note) mutable {
      if (told.insert(note).second) fmt::print(stderr, "note: {}\n", note);
    });
  }
  Diagnostics diagnostics;
  ir::Game game = load_game({path, language, frontend, warnings}, diagnostics);
  if (warnings) show(diagnostics.all(), *diagnostics.sources(), json_messages);
  return game;
}

}  // namespace rgtrans::cli
