#include "cli/engine.hpp"

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "backends/search/search.hpp"

namespace rgtrans::cli {

void EngineArguments::add_to(OptionSet& app) {
  game.add_to(app);
  optimizer.add_to(app, 2);
  app.add_option("--engine", engine, "what plays the game: cpp compiles it first (results are kept)")
      ->one_of({"interpreter", "cpp"})
      ->capture_default_str()
      ->type_name("ENGINE");
  app.add_option("--path", path, "start from the state after these moves, as /tags of a move/tags of the next/…/")
      ->type_name("/…/");
}

std::unique_ptr<Reasoner> EngineArguments::make() const {
  FileRoles files = game.files();
  optimizer.name_files(files);
  ir::Game loaded = game.load();
  optimizer.run(loaded);
  InterpreterOptions options;
  if (symmetries && engine != "cpp") options.symmetries = search::symmetries(loaded);
  std::unique_ptr<Reasoner> reasoner =
      engine == "cpp" ? make_reasoner(loaded, engine, search) : make_interpreter(loaded, options);
  if (!path.empty()) play::go_to(*reasoner, path);
  return reasoner;
}

std::unique_ptr<Reasoner> make_reasoner(const ir::Game& game, const std::string& engine, bool search) {
  if (engine != "cpp") return make_interpreter(game);
  cpp::BuildOptions options;
  options.generate.search = search;
  return cpp::make_cpp_reasoner(game, options);
}

}  // namespace rgtrans::cli
