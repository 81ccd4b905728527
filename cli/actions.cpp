// rgtrans actions: the numbers of a game's moves.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/scene.hpp"
#include "cli/command.hpp"
#include "core/analysis/analysis.hpp"
#include "core/passes/passes.hpp"

namespace rgtrans::cli {

namespace {

using analysis::ActionSpace;

struct ActionsArguments {
  GameArguments game;
  std::uint64_t most = ActionSpace::kMost;
  bool list = false;
  bool random = false;
  bool json = false;
  std::uint64_t plays = 0;
};

bool flat(const ActionSpace& space) { return space.form() == ActionSpace::Form::flat; }

std::string summary(const ActionSpace& space) {
  if (space.size() == 0) return "no moves\n";
  if (flat(space)) {
    return fmt::format("flat: {} moves of at most {} tags, as an automaton of {} nodes and {} edges over {} tags\n",
                       space.size(), space.longest(), space.nodes().size(), space.edges().size(), space.tags().size());
  }
  return fmt::format("factored: {} numbers, one for each of {} tags and 0 for the end of a move\n", space.size(),
                     space.tags().size());
}

std::string list(const ActionSpace& space, const scene::Wording& wording) {
  std::string out;
  for (std::uint64_t id = 0; id < space.size(); ++id) {
    const std::string text = space.text(id);
    out += fmt::format("{}\t{}\t{}\n", id, text, wording.full(text));
  }
  return out;
}

std::string json(const ActionSpace& space, bool list) {
  nlohmann::json object = {{"form", flat(space) ? "flat" : "factored"}, {"size", space.size()}, {"tags", space.tags()}};
  if (flat(space)) {
    object["longest"] = space.longest();
    object["nodes"] = space.nodes().size();
    object["edges"] = space.edges().size();
  }
  if (list) {
    auto& moves = object["actions"] = nlohmann::json::array();
    for (std::uint64_t id = 0; id < space.size(); ++id) moves.push_back(space.text(id));
  }
  return object.dump() + "\n";
}

// How many of the numbers random plays use.
std::size_t met(const ir::Game& game, const ActionSpace& space, const ActionsArguments& options) {
  constexpr unsigned kMostMoves = 2000;  // of a play
  ir::Game optimized = game;
  passes::optimize(optimized, {.level = 2});
  const std::unique_ptr<Reasoner> state = make_interpreter(optimized);
  std::set<std::uint64_t> numbers;
  std::mt19937_64 random(1);
  for (std::uint64_t play = 0; play < options.plays; ++play) {
    state->reset();
    for (unsigned moves = 0; !state->terminal() && moves < kMostMoves && state->move_count() > 0; ++moves) {
      const bool asked =
          options.random ? state->mover() == state->info().random() : state->mover() < state->info().keeper();
      for (std::size_t i = 0; asked && i < state->move_count(); ++i) {
        const std::string text = state->move_text(i);
        if (const auto id = space.id(text)) numbers.insert(*id);
        if (flat(space)) continue;
        for (const std::uint64_t part : space.ids(text).value_or(std::vector<std::uint64_t>())) numbers.insert(part);
      }
      state->apply(random() % state->move_count());
    }
  }
  return numbers.size();
}

int run(const ActionsArguments& options) {
  const ir::Game game = options.game.load();
  const ActionSpace space(game, options.random ? ActionSpace::Whose::random : ActionSpace::Whose::players,
                          options.most);
  if (options.json) {
    write_file("-", json(space, options.list));
  } else {
    std::string out = options.list ? list(space, scene::Wording(game)) : summary(space);
    if (options.plays > 0) {
      const std::size_t count = met(game, space, options);
      out += fmt::format(
          "legal somewhere in {} random plays: {} ({:.0f} %)\n", options.plays, count,
          100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(space.size(), 1)));
    }
    write_file("-", out);
  }
  return kSuccess;
}

}  // namespace

const Command kActions = {
    "actions", "number all moves that players can ever make, for learning programs",
    "rgtrans actions --list games/hrg/tic-tac-toe.hrg", [](OptionSet& app) -> std::function<int()> {
      auto options = std::make_shared<ActionsArguments>();
      options->game.add_to(app);
      app.add_flag("--list", options->list, "list each number with its move, as in RG and in the author's words");
      app.add_flag("--random", options->random, "number the moves of random instead");
      add_json(app, options->json);
      add_count(app, options->plays, "random plays in which to count the numbers that are ever legal");
      app.add_option("--most", options->most, "number tags instead of moves where there are more moves")
          ->between(std::uint64_t{1}, std::uint64_t{1} << 40U)
          ->capture_default_str()
          ->type_name("N");
      return [options] { return run(*options); };
    }};

}  // namespace rgtrans::cli
