#include "cli/engine.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"

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

// Passes that are named one by one may change the texts of moves; those of the pipeline do not.
Table EngineArguments::open() const {
  Table table{game.load(), nullptr, {}};
  ir::Game optimized = table.game;
  optimizer.run(optimized);
  if (!optimizer.passes.empty()) table.game = optimized;
  table.reasoner = engine == "cpp" ? cpp::make_cpp_reasoner(optimized) : make_interpreter(optimized);
  if (!path.empty()) table.moves = play::go_to(*table.reasoner, path, scene::Wording(table.game));
  return table;
}

scene::Witness Table::witness() const {
  scene::Witness witness(game);
  for (const std::string& move : moves) witness.apply(move);
  return witness;
}

namespace {

bool speaks_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos || text.find("utf8") != std::string_view::npos ||
           text.find("utf-8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

void StyleArguments::add_to(OptionSet& app) {
  app.add_flag("--ascii", ascii, "draw with ASCII alone; so it is where the locale is not UTF-8");
  app.add_flag("--flip", flip, "as seen from the other side of the board");
}

scene::TextStyle StyleArguments::style() const {
  return {.unicode = !ascii && speaks_unicode(),
          .colours = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr,
          .flipped = flip};
}

}  // namespace rgtrans::cli
