// Arguments that several commands share.
#include "cli/command.hpp"

namespace rgtrans::cli {

void GameArguments::add_to(CLI::App& app, const char* path_help) {
  std::vector<std::string> names;
  for (const Frontend* f : frontends()) names.emplace_back(f->name);
  app.add_option("--from", language, "language of the input; by default told by the extension or the text")
      ->check(CLI::IsMember(names))
      ->type_name("LANGUAGE");
  app.add_flag("--json-messages", json_messages, "errors and warnings as JSON");
  app.add_option_function<std::vector<std::string>>(
         "--option",
         [this](const std::vector<std::string>& items) {
           for (const std::string& item : items) {
             const std::size_t equals = item.find('=');
             frontend.values[item.substr(0, equals)] = equals == std::string::npos ? "" : item.substr(equals + 1);
           }
         },
         "an option of the language, as NAME or NAME=VALUE (see its page in docs/)")
      ->type_name("NAME[=VALUE]")
      ->take_all();
  app.add_option("FILE", path, path_help)->required()->type_name("");
}

ir::Game GameArguments::load(bool warnings) const {
  Diagnostics diagnostics;
  ir::Game game = load_game({path, language, frontend, warnings}, diagnostics);
  if (warnings) show(diagnostics.all(), *diagnostics.sources(), json_messages);
  return game;
}

}  // namespace rgtrans::cli
