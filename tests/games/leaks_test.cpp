// A player is shown only facts that this player may know. Tested over random plays of every game that hides something:
// a player's picture is equal in any two states that the player's observations cannot distinguish.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "backends/scene/scene.hpp"
#include "backends/terminal/terminal.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans {
namespace {

const int kPlays = corpus::full() ? 40 : 12;
const std::size_t kMaxMoves = corpus::full() ? 24 : 12;

// Everything that a player has observed: the moves as that player saw them, the player to move, the outcome.
std::string knowledge(const scene::Witness& witness, std::size_t viewer) {
  const Reasoner& state = witness.state();
  std::string out;
  for (const scene::Seen& seen : witness.seen(viewer)) out += fmt::format("{} {}\n", seen.mover, seen.text);
  if (!state.terminal()) return out + fmt::format("turn {}", state.mover());
  for (std::size_t p = 0; p < state.info().players.size(); ++p) out += state.goal(p) + " ";
  return out;
}

struct Hiding {
  std::string name;
  ir::Game game;
};
std::vector<Hiding> hiding_games() {
  std::vector<Hiding> found;
  for (const std::string& name : own_games::all()) {
    ir::Game game = own_games::load(name);
    if (ir::hides_moves(game)) found.push_back({name, std::move(game)});
  }
  return found;
}

void compare_views(const ir::Game& game) {
  scene::Witness witness(game);
  const scene::Painter painter(game);
  const auto reasoner = make_interpreter(game);
  const auto shown = [&](std::size_t viewer) {
    const scene::Scene scene = painter.scene(witness, viewer);
    return scene::text(scene) + scene::svg(scene) + scene::json(scene);
  };
  struct View {
    std::string text;
    std::vector<std::byte> state;
  };
  std::map<std::pair<std::size_t, std::string>, View> views;
  std::size_t compared = 0;
  std::mt19937_64 random(7);
  for (int play = 0; play < kPlays; ++play) {
    reasoner->reset();
    witness.reset();
    for (std::size_t moves = 0; moves <= kMaxMoves; ++moves) {
      for (std::size_t player = 0; player < reasoner->info().players.size(); ++player) {
        const View view{shown(player), witness.state().state_bytes()};
        const auto [known, fresh] = views.try_emplace({player, knowledge(witness, player)}, view);
        EXPECT_EQ(known->second.text, view.text) << "for " << reasoner->info().players[player] << ", who knows:\n"
                                                 << known->first.second;
        compared += known->second.state != view.state ? 1U : 0U;
      }
      if (reasoner->terminal()) break;
      const std::size_t move = std::uniform_int_distribution<std::size_t>(0, reasoner->move_count() - 1)(random);
      witness.apply(reasoner->move_text(move));
      reasoner->apply(move);
    }
  }
  EXPECT_GT(compared, 5U) << "states that differ behind equal observations";
}

// The whole text of plays in the terminal, in which the person takes the first move a few times and then leaves.
void compare_transcripts(const ir::Game& game) {
  const auto reasoner = make_interpreter(game);
  scene::Witness witness(game);
  std::size_t alike = 0;
  for (std::size_t player = 0; player < reasoner->info().players.size(); ++player) {
    for (const std::size_t decisions : {0U, 1U, 8U}) {
      std::map<std::string, std::string> transcripts;
      for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(kPlays); ++seed) {
        reasoner->reset();
        witness.reset();
        std::string lines;
        for (std::size_t i = 0; i < decisions; ++i) lines += "state\n1\n";
        std::istringstream in(lines);
        std::ostringstream out;
        terminal::StreamLines typed(in, out);
        terminal::play(*reasoner, witness, game, typed, out, {.people = {player}, .seed = seed});
        const auto [known, fresh] = transcripts.try_emplace(knowledge(witness, player), out.str());
        EXPECT_EQ(known->second, out.str());
        alike += fresh ? 0U : 1U;
      }
    }
  }
  EXPECT_GT(alike, 5U) << "plays that one player could not tell apart";
}

TEST(Hiding, WhatOneIsShownDependsOnObservationsAlone) {
  const std::vector<Hiding> games = hiding_games();
  EXPECT_GE(games.size(), 5U);
  for (const Hiding& hiding : games) {
    SCOPED_TRACE(hiding.name);
    compare_views(hiding.game);
    compare_transcripts(hiding.game);
  }
}

}  // namespace
}  // namespace rgtrans
