// Arguments that several commands share.
#include <sstream>

#include "cli/command.hpp"

namespace rgtrans::cli {

void add_language_options(OptionSet& app, std::string& language, FrontendOptions& options) {
  std::vector<std::string> names;
  for (const Frontend* f : frontends()) names.emplace_back(f->name);
  app.add_option("--from", language, "language of the input; by default told by the extension or the text")
      ->one_of(names)
      ->type_name("LANGUAGE");
  app.add_option_function(
         "--option",
         [&options](const std::vector<std::string>& items) {
           for (const std::string& item : items) {
             const std::size_t equals = item.find('=');
             options.values[item.substr(0, equals)] = equals == std::string::npos ? "" : item.substr(equals + 1);
           }
         },
         "an option of the language, as NAME or NAME=VALUE (see its page in docs/)")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

void GameArguments::add_to(OptionSet& app, const char* path_help) {
  add_language_options(app, language, frontend);
  app.add_flag("--json-messages", json_messages, "errors and warnings as JSON");
  app.add_option("FILE", path, path_help)->required()->type_name("");
}

ir::Game GameArguments::load(bool warnings) const {
  Diagnostics diagnostics;
  ir::Game game = load_game({path, language, frontend, warnings}, diagnostics);
  if (warnings) show(diagnostics.all(), *diagnostics.sources(), json_messages);
  return game;
}

}  // namespace rgtrans::cli
