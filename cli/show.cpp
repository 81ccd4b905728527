// rgtrans show: a state, drawn.
#include <fmt/format.h>

#include <algorithm>

#include "cli/emit.hpp"
#include "cli/engine.hpp"
#include "core/support/pieces.hpp"
#include "core/support/text.hpp"

namespace rgtrans::cli {

namespace {

struct ShowArguments {
  EngineArguments engine;
  StyleArguments style;
  std::string viewer;
  std::string form;
  std::string output = "-";
};

int run(const ShowArguments& options) {
  const std::string form = options.form.empty() ? form_by_name(options.output, {"svg", "json"}, "text") : options.form;
  options.engine.game.files().writes(options.output, "-o");
  const Table table = options.engine.open();
  scene::Witness witness = table.witness();
  witness.settle();
  const std::vector<std::string>& players = table.reasoner->info().players;
  std::optional<std::size_t> viewer;
  if (!options.viewer.empty()) {
    const auto it = std::ranges::find(players, options.viewer);
    if (it == players.end()) {
      throw UsageError(
          fmt::format("there is no player {}; the players are {}", options.viewer, fmt::join(players, ", ")));
    }
    viewer = static_cast<std::size_t>(it - players.begin());
  }
  Diagnostics hints(table.game.sources());
  scene::read_hints(table.game, hints);
  show(hints.all(), *hints.sources(), options.engine.game.json_messages);
  const scene::Scene scene = scene::Painter(table.game, witness).scene(witness, viewer);
  if (form == "svg") {
    write_file(options.output, scene::svg(scene, options.style.flip));
  } else if (form == "json") {
    write_file(options.output, scene::json(scene) + "\n");
  } else {
    scene::TextStyle style = options.style.style();
    style.colours = style.colours && options.output == "-";
    const std::string turn = scene.mover.empty() ? "" : scene.mover + " to move\n";
    std::string outcome;
    for (std::size_t p = 0; p < scene.outcome.size(); ++p) {
      outcome += fmt::format("{}: {}\n", scene.players[p], scene.outcome[p]);
    }
    const bool to_terminal = options.output == "-" && style.colours;
    FileWriter file(options.output, to_terminal);
    file.write(scene::text(scene, style));
    file.write(to_terminal ? terminal_text(turn + outcome) : turn + outcome);
    file.finish();
  }
  return kSuccess;
}

}  // namespace

const Command kShow = {
    "show", "draw a state", "rgtrans show --path \"//S(5,2) S(5,4)/\" -o board.svg games/hrg/chess.hrg",
    [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<ShowArguments>();
      options->engine.add_to(app);
      app.add_option("--as", options->viewer, "draw only what this player may know")->type_name("PLAYER");
      app.add_option("--to", options->form, "form of the drawing; by default the name of the output decides")
          ->one_of({"text", "svg", "json"});
      options->style.add_to(app);
      add_output(app, options->output);
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
