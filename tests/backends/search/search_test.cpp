// Tree search: it finds forced wins, keeps to its limits, and is the same for the same seed.
#include "backends/search/search.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/backends/search/games.hpp"

namespace rgtrans::search {
namespace {

// False when there is no such move.
bool make_move(Reasoner& game, const std::string& text) {
  for (std::size_t i = 0; i < game.move_count(); ++i) {
    if (game.move_text(i) != text) continue;
    game.apply(i);
    return true;
  }
  return false;
}

std::string best_text(Reasoner& at, const TreeReport& report) { return at.move_text(best_move(report)); }

TEST(Tree, FindsAForcedWin) {
  const auto game = own("hrg/tic-tac-toe.hrg");
  // Cross has two in the first row.
  for (const char* move : {"C__1_1", "C__2_2", "C__2_1", "C__3_3"}) {
    run_keeper(*game);
    ASSERT_TRUE(make_move(*game, move)) << move;
  }
  run_keeper(*game);
  const auto tree = make_tree(*game, {}, 1);
  const TreeReport report = tree->run(*game, {.simulations = 2000});
  EXPECT_TRUE(report.proven);
  EXPECT_THAT(report.values, testing::ElementsAre(100, 0));
  EXPECT_EQ(best_text(*game, report), "C__3_1");
  EXPECT_LT(report.simulations, 2000U);
}

TEST(Tree, ProvesThatTicTacToeIsADraw) {
  const auto game = own("hrg/tic-tac-toe.hrg");
  run_keeper(*game);
  const TreeReport report = make_tree(*game, {}, 3)->run(*game, {.simulations = 200'000});
  EXPECT_TRUE(report.proven);
  EXPECT_THAT(report.values, testing::ElementsAre(50, 50));
}

TEST(Tree, IsTheSameForTheSameSeed) {
  const auto game = own("hrg/connect-four.hrg", connect_four(5, 4));
  run_keeper(*game);
  const auto visits = [&](std::uint64_t seed) {
    std::vector<std::uint64_t> out;
    for (const RootMove& move : make_tree(*game, {}, seed)->run(*game, {.simulations = 500}).moves) {
      out.push_back(move.visits);
    }
    return out;
  };
  EXPECT_EQ(visits(5), visits(5));
  EXPECT_NE(visits(5), visits(6));
}

TEST(Tree, KeepsToItsLimits) {
  const auto game = own("hrg/breakthrough.hrg");
  run_keeper(*game);
  EXPECT_EQ(make_tree(*game, {}, 1)->run(*game, {.simulations = 321}).simulations, 321U);
  EXPECT_EQ(make_tree(*game, {}, 1)->run(*game, {.simulations = 321, .threads = 3}).simulations, 321U);
  const TreeReport timed = make_tree(*game, {}, 1)->run(*game, {.seconds = 0.1});
  EXPECT_GE(timed.seconds, 0.1);
  EXPECT_LT(timed.seconds, 1.0) << "on a busy machine, too";
  // With memory for hardly a node it still searches.
  TreeOptions narrow;
  narrow.memory = 20'000;
  const TreeReport small = make_tree(*game, narrow, 1)->run(*game, {.simulations = 500});
  EXPECT_EQ(small.simulations, 500U);
  EXPECT_LT(small.nodes, 100U);
}

// Copying what a new root reaches ends with the run. The tree stays whole then, and the next root is copied.
TEST(Tree, CopiesNoLongerThanItMayRun) {
  const auto game = own("hrg/breakthrough.hrg");
  run_keeper(*game);
  TreeOptions options;
  options.memory = 1U << 20U;
  const auto tree = make_tree(*game, options, 1);
  const TreeReport full = tree->run(*game, {.simulations = 3000});
  const auto next = [&](std::uint32_t move) {
    game->apply(move);
    run_keeper(*game);
  };
  next(best_move(full));
  const TreeReport late = tree->run(*game, {.seconds = 1e-9});
  EXPECT_GE(late.nodes, full.nodes);
  EXPECT_EQ(late.simulations, 0U);
  ASSERT_FALSE(late.moves.empty());
  next(best_move(late));
  EXPECT_LT(tree->run(*game, {.simulations = 1}).nodes, full.nodes);
}

TEST(Tree, ThreadsFindWhatOneThreadFinds) {
  constexpr unsigned kThreads = 3;
  constexpr std::uint64_t kSimulations = 12'000;
  const auto small = own("hrg/tic-tac-toe.hrg");
  run_keeper(*small);
  const TreeReport draw = make_tree(*small, {}, 3)->run(*small, {.simulations = 200'000, .threads = kThreads});
  EXPECT_TRUE(draw.proven);
  EXPECT_THAT(draw.values, testing::ElementsAre(50, 50));

  const auto game = own("hrg/connect-four.hrg", connect_four(5, 4));
  run_keeper(*game);
  TreeOptions all, narrow;
  all.rave = 100;
  all.mast = 0.5;
  all.minimax = 0.3;
  all.wins = 3;
  narrow.memory = 1U << 20U;
  for (const TreeOptions& options : {TreeOptions{}, all, narrow}) {
    const auto search = [&](unsigned threads) {
      return make_tree(*game, options, 1)->run(*game, {.simulations = kSimulations, .threads = threads});
    };
    const TreeReport one = search(1), many = search(kThreads);
    EXPECT_EQ(many.simulations, kSimulations);
    // Several moves are as good as each other.
    EXPECT_NEAR(one.moves[best_move(many)].value, one.moves[best_move(one)].value, 0.1);
    EXPECT_NEAR(many.values[0], one.values[0], 5);
    EXPECT_NEAR(many.values[0] + many.values[1], 100, 1e-6);
    std::uint64_t visits = 0;
    for (const RootMove& move : many.moves) visits += move.visits;
    EXPECT_EQ(visits, kSimulations) << "what was promised to an edge and not done is taken back";
    // Equal positions are one node, whichever thread finds them.
    EXPECT_NEAR(static_cast<double>(many.nodes), static_cast<double>(one.nodes), 0.2 * static_cast<double>(one.nodes));
  }
}

TEST(Tree, FindsAWinWhereMovesAreListed) {
  // Three in a row at the bottom of connect four: a fourth wins, and one that is blocked loses after that.
  const auto game = own("hrg/connect-four.hrg", connect_four(5, 4));
  run_keeper(*game);
  for (const std::size_t column : {1, 1, 2, 2, 3}) {
    game->apply(column);
    run_keeper(*game);
  }
  TreeOptions options;
  options.wins = 1;
  // Whatever the second player does, the first one has a column that wins at once.
  const TreeReport lost = make_tree(*game, options, 1)->run(*game, {.simulations = 60});
  EXPECT_TRUE(lost.proven);
  EXPECT_THAT(lost.values, testing::ElementsAre(100, 0));
  game->apply(0);
  run_keeper(*game);
  const TreeReport won = make_tree(*game, options, 1)->run(*game, {.simulations = 1});
  EXPECT_TRUE(won.proven);
  EXPECT_TRUE(won.moves[best_move(won)].proven);
  EXPECT_EQ(won.moves[best_move(won)].value, 1);
}

TEST(Tree, KeepsWhatItLearntForTheNextMove) {
  const auto game = own("hrg/connect-four.hrg", connect_four(5, 4));
  run_keeper(*game);
  const auto tree = make_tree(*game, {}, 1);
  const TreeReport first = tree->run(*game, {.simulations = 1000});
  const std::uint32_t move = best_move(first);
  game->apply(move);
  run_keeper(*game);
  const TreeReport second = tree->run(*game, {.simulations = 1});
  std::uint64_t known = 0;
  for (const RootMove& m : second.moves) known += m.visits;
  EXPECT_GT(known, first.moves[move].visits / 2);
}

TEST(Tree, ChanceNodesAreAveraged) {
  // A fair coin pays 100 or 0; the other choice pays 60.
  const auto game = own("hrg/kuhn-poker.hrg");
  EXPECT_TRUE(game->info().hidden);
  Diagnostics diagnostics;
  const ir::Game coin = load_text("coin.rg", R"(
type Player = { me, you };
type Score = { 0, 40, 60, 100 };
begin, choose: player = me;
choose, risked: $ risk;
choose, played: $ safe;
risked, toss: player = random;
toss, heads: $ heads;
toss, tails: $ tails;
heads, won: goals[me] = 100;
won, end: player = keeper;
tails, lost: goals[you] = 100;
lost, end: player = keeper;
played, safely: goals[me] = 60;
safely, safer: goals[you] = 40;
safer, end: player = keeper;
)",
                                  *find_frontend("rg"), diagnostics);
  const auto reasoner = make_interpreter(coin);
  run_keeper(*reasoner);
  const TreeReport report = make_tree(*reasoner, {}, 1)->run(*reasoner, {.simulations = 4000});
  EXPECT_EQ(best_text(*reasoner, report), "safe");
  for (const RootMove& move : report.moves) {
    if (reasoner->move_text(move.move) == "risk" && move.visits > 100) {
      EXPECT_NEAR(move.value, 0.5, 0.1);
    }
  }
}

TEST(Tree, PlaysForEachOfThreePlayers) {
  const auto game = own("gdl/three-player-nim.kif");
  ASSERT_EQ(game->info().players.size(), 3U);
  run_keeper(*game);
  const TreeReport report = make_tree(*game, {}, 1)->run(*game, {.simulations = 20'000});
  double sum = 0;
  for (const double v : report.values) sum += v;
  EXPECT_NEAR(sum, 150, 1e-6) << "100, 50 and nothing";
}

TEST(BestMove, AWinIsMadeAndALossAvoided) {
  TreeReport report;
  report.moves = {{0, 100, 0.6, false}, {1, 5, 1.0, true}, {2, 90, 0.5, false}};
  EXPECT_EQ(best_move(report), 1U);
  report.moves[1].value = 0;
  EXPECT_EQ(best_move(report), 0U);
  report.moves = {{0, 9, 0.0, true}, {1, 5, 0.5, true}, {2, 90, 0.0, true}};
  report.proven = true;
  EXPECT_EQ(best_move(report), 1U);
}

// --- Hidden information. ---

TEST(Knowledge, IsWhatThePlayerSaw) {
  const auto game = own("hrg/kuhn-poker.hrg");
  SeatKnowledge alice(*game, 0, 1);
  const auto play = game->clone();
  const auto make = [&](const std::string& wanted) {
    for (std::size_t i = 0; i < play->move_count(); ++i) {
      if (play->move_text(i) != wanted) continue;
      alice.observe(*play, i);
      play->apply(i);
      return;
    }
    FAIL() << wanted;
  };
  while (play->mover() == play->info().keeper()) play->apply(0);
  make("D__king_jack");
  while (play->mover() == play->info().keeper()) {
    alice.observe(*play, 0);
    play->apply(0);
  }
  // The other one has the jack or the queen.
  std::set<std::string> deals;
  const auto other = game->clone();
  for (const auto& state : alice.positions()) {
    other->set_state_bytes(state);
    for (const VariableView& v : other->variables()) {
      if (v.name == "deal") deals.insert(v.value);
    }
  }
  EXPECT_THAT(deals, testing::UnorderedElementsAre("D__king_jack", "D__king_queen"));
}

// With the king a bet is called, with the jack not.
TEST(InformationSearch, AnswersABetInKuhnPoker) {
  for (const auto& [deal, answer] : {std::pair("D__queen_king", "call"), std::pair("D__queen_jack", "fold")}) {
    const auto play = own("hrg/kuhn-poker.hrg");
    SeatKnowledge bob(*play, 1, 1);
    const auto start = play->clone();
    while (!play->terminal() && play->mover() != 1) {
      const std::string wanted = play->mover() == 0 ? "bet" : play->mover() == play->info().random() ? deal : "";
      std::size_t index = 0;
      while (!wanted.empty() && index < play->move_count() && play->move_text(index) != wanted) ++index;
      ASSERT_LT(index, play->move_count()) << wanted;
      bob.observe(*play, index);
      play->apply(index);
    }
    std::vector<std::string> moves;
    for (std::size_t i = 0; i < play->move_count(); ++i) moves.push_back(play->move_text(i));
    const TreeReport report = InformationSearch(*start, {}, 1).run(bob, moves, {.simulations = 3000});
    EXPECT_EQ(moves[best_move(report)], answer);
  }
}

TEST(InformationSearch, DefectsInThePrisonersDilemma) {
  const auto play = own("gdl/prisoners-dilemma.kif");
  SeatKnowledge row(*play, 0, 1);
  const auto start = play->clone();
  while (play->mover() == play->info().keeper()) {
    row.observe(*play, 0);
    play->apply(0);
  }
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < play->move_count(); ++i) moves.push_back(play->move_text(i));
  const TreeReport report = InformationSearch(*start, {}, 1).run(row, moves, {.simulations = 5000});
  EXPECT_EQ(moves[best_move(report)], "defect");
}

}  // namespace
}  // namespace rgtrans::search
