// The lifted form: how facts are stored, what cannot be lifted, and games of ours beside their ground programs.
#include "frontends/gdl/lifted/lifted.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/gdl/gdl.hpp"
#include "tests/support/gdl_lifted.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

struct Lifted {
  std::optional<ir::Game> game;
  std::string why;
  lifted::LiftedNames names;
};

Lifted lift(const std::string& text) {
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  Program program = read_program(sources->add("game.kif", text), diagnostics, false);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *sources);
  Lifted result;
  result.game = lifted::lift(program, sources, {}, {}, result.why, &result.names);
  if (result.game) ir::verify(*result.game, diagnostics, {.warnings = false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *sources);
  return result;
}

std::string source(const char* game) {
  return read_file(corpus::fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl" / game);
}

// A game with the given rules, beside what it needs to be one.
std::string with(const std::string& rules) {
  return "(role r) (<= terminal (true (step 3))) (init (step 1)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) "
         "(succ 1 2) (succ 2 3) (goal r 100) " +
         rules;
}

TEST(GdlLifted, BoardsAreMaps) {
  const Lifted game = lift(source("breakthrough-6x6.kif"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains(HasSubstr(": 1 2 -> 3")));
  EXPECT_LT(game.game->graph.edge_count(), 250U);
}

TEST(GdlLifted, CountersAreScalars) {
  const Lifted game = lift(with("(legal r noop)"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("step: -> 1"));
}

// Neither argument tells the other: nothing says that such facts exclude each other.
TEST(GdlLifted, WhatIsNotProvedStaysBool) {
  const Lifted game =
      lift(with("(key k) (key l) (thing a) (thing b) (<= (legal r (put ?k ?x)) (key ?k) (thing ?x)) "
                "(<= (next (on ?k ?x)) (does r (put ?k ?x))) (<= (next (on ?k ?x)) (true (on ?k ?x))) "
                "(<= (legal r both) (true (on ?k a)) (true (on ?k b)))"));
  ASSERT_TRUE(game.game) << game.why;
  EXPECT_THAT(game.names.notes, Contains("on: 1 2 -> Bool"));
}

TEST(GdlLifted, SaysWhatCannotBeLifted) {
  EXPECT_EQ(lift(with("(<= (legal r (go (to ?x))) (succ ?x ?y))")).why, "nested terms with variables");
  EXPECT_THAT(lift(with("(legal r noop) (edge a b) (edge b c) (<= (path ?x ?y) (edge ?x ?y) (true (step 1))) "
                        "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= (legal r go) (path a c))"))
                  .why,
              HasSubstr("'path' depends on itself in a way that is no walk"));
  EXPECT_EQ(lift(with("(role random) (legal random noop) (legal r noop)")).why, "a role is random");
}

TEST(GdlLifted, OurGamesPlayLikeTheirGroundPrograms) {
  for (const char* name : {"blocker.kif", "breakthrough-6x6.kif", "connect-four.kif", "eight-puzzle.kif",
                           "prisoners-dilemma.kif", "silverman-4x5.kif", "three-player-nim.kif", "tic-tac-toe.kif"}) {
    const std::string text = source(name);
    Lifted lifted_game = lift(text);
    ASSERT_TRUE(lifted_game.game) << name << ": " << lifted_game.why;
    auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    const GroundProgram program = ground(sources->add(name, text), diagnostics);
    const Network network(program);
    Machine machine(program, network);
    LiftedPlay play(make_interpreter(*lifted_game.game), lifted_game.names);
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(play.beside(program, machine, seed, 60), "") << name << ", playout " << seed;
  }
}

}  // namespace
}  // namespace rgtrans::gdl
