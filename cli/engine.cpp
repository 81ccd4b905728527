#include "cli/engine.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "backends/rules/rules.hpp"
#include "backends/search/search.hpp"
#include "core/support/pieces.hpp"
#include "frontends/gdl/gdl.hpp"

namespace rgtrans::cli {

void EngineArguments::add_to(OptionSet& app) {
  game.add_to(app);
  optimizer.add_to(app, 2);
  std::vector<std::string> engines = {"interpreter", "cpp"};
  if (cuda) engines.emplace_back("cuda");
  if (rules) engines.emplace_back("rules");
  add_engine(app, engine, engines);
  if (proofs) {
    app.add_flag("--assert-proofs", assert_proofs,
                 "during play, evaluate the claims that the translation relies on; one that fails ends the run with "
                 "exit code 70");
  }
  const auto* const by_path =
      app.add_option("--path", path,
                     "start from the state after these moves, as /tags of a move/tags of the next/…/; a slash in a tag "
                     "is \\/")
          ->type_name("/…/");
  app.add_option("--moves", line,
                 "start from the state after these moves, as \"e2 e4, e7 e5\"; keeper's moves are made for you")
      ->excludes(by_path)
      ->type_name("MOVES");
}

ir::Game EngineArguments::load() const {
  FileRoles files = game.files();
  optimizer.name_files(files);
  GameArguments wanted = game;
  wanted.frontend.claims = assert_proofs;
  return wanted.load();
}

std::unique_ptr<Reasoner> EngineArguments::engine_for(const ir::Game& optimized) const {
  if (assert_proofs) {
    auto plain = make_reasoner(optimized, engine);
    return claims::assert_proofs(std::move(plain), all_followers(optimized, game));
  }
  if (engine == "cpp") return make_reasoner(optimized, engine, search);
  InterpreterOptions options;
  if (symmetries) options.symmetries = search::symmetries(optimized);
  return make_interpreter(optimized, options);
}

// Nothing is made of the rules, so neither the optimizer nor a path in the words of the game has a say.
GameText EngineArguments::read_rules() const {
  auto [name, text] = read_game(game.path);
  const Frontend& language = frontend_for(game.language, name, text);
  if (language.name != gdl::frontend().name) throw UsageError("--engine rules needs a description in GDL");
  if (!at_start()) throw UsageError("--engine rules begins in the initial state: leave --path and --moves out");
  check_options(language, game.frontend);
  return {std::move(name), std::move(text)};
}

std::unique_ptr<gdl::Steps> EngineArguments::rules_as_they_stand() const {
  const auto [name, text] = read_rules();
  return std::make_unique<gdl::Direct>(text, name, game.frontend.has("fold-case"));
}

std::unique_ptr<Reasoner> EngineArguments::follow_rules() const {
  const auto [name, text] = read_rules();
  return rules::follow(text, name, game.frontend.has("fold-case"));
}

std::unique_ptr<Reasoner> EngineArguments::make() const {
  if (engine == "rules") {
    if (assert_proofs) throw UsageError("--engine rules proves nothing: leave --assert-proofs out");
    return follow_rules();
  }
  if (!at_start()) return open().reasoner;
  ir::Game optimized = load();
  optimizer.run(optimized);
  return engine_for(optimized);
}

// Passes that are named one by one may change the texts of moves; those of the pipeline do not.
Table EngineArguments::open() const {
  Table table{load(), nullptr, {}};
  ir::Game optimized = table.game;
  optimizer.run(optimized);
  if (!optimizer.passes.empty()) table.game = optimized;
  table.reasoner = engine_for(optimized);
  if (!at_start()) table.moves = go_to_start(*table.reasoner, table.game);
  return table;
}

std::vector<std::string> EngineArguments::go_to_start(Reasoner& reasoner, const ir::Game& written) const {
  const scene::Wording wording(written);
  return path.empty() ? play::follow_line(reasoner, line, wording) : play::go_to(reasoner, path, wording);
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
  app.add_flag("--ascii", ascii, "draw with ASCII alone, the default if the locale is not UTF-8");
  app.add_flag("--flip", flip, "draw the board from the opposite side");
}

scene::TextStyle StyleArguments::style() const {
  return {.unicode = !ascii && speaks_unicode(),
          .colours = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr,
          .flipped = flip};
}

std::unique_ptr<Reasoner> make_reasoner(const ir::Game& game, const std::string& engine, bool search) {
  if (engine != "cpp") return make_interpreter(game);
  cpp::BuildOptions options;
  options.generate.search = search;
  return cpp::make_cpp_reasoner(game, options);
}

}  // namespace rgtrans::cli
