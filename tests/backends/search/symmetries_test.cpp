// The symmetries of boards, found on the automaton.
#include <gmock/gmock.h>

#include <set>

#include "backends/search/search.hpp"
#include "tests/backends/search/games.hpp"

namespace rgtrans::search {
namespace {

TEST(Symmetries, OfBoards) {
  EXPECT_EQ(symmetries(load_own("hrg/breakthrough.hrg", breakthrough(4, 4))).size(), 1U) << "left and right";
  EXPECT_EQ(symmetries(load_own("hrg/nim.hrg")).size(), 0U) << "the heaps differ";
  EXPECT_EQ(symmetries(load_own("hrg/nim.hrg", {{"c = N(5)", "c = N(3)"}})).size(), 1U) << "two heaps are alike";
}

// A class of states that are images of each other has the same value, and one key.
TEST(Symmetries, JoinStates) {
  const auto game = own_with_symmetries("hrg/breakthrough.hrg", breakthrough(4, 4));
  run_keeper(*game);
  std::set<std::vector<std::byte>> keys;
  const std::size_t moves = game->move_count();
  for (std::size_t i = 0; i < moves; ++i) {
    game->apply(i);
    const bool over = !run_keeper(*game);
    EXPECT_FALSE(over);
    std::vector<std::byte> state = game->state_bytes();
    game->canonical(state, true);
    keys.insert(state);
    game->reset();
    run_keeper(*game);
  }
  EXPECT_EQ(keys.size(), moves / 2) << "each move has its mirror image";
}

// The number of positions that a solver looks at shrinks, the value stays.
TEST(Symmetries, CutTheSpaceOfTheSolver) {
  for (const auto& [file, replacements] : {std::pair("hrg/breakthrough.hrg", breakthrough(4, 4)),
                                           std::pair("hrg/nim.hrg", Replacements{{"c = N(5)", "c = N(3)"}})}) {
    const Solution plain = solve(*own(file, replacements), {});
    const ir::Game written = load_written(file, replacements);
    const auto [cut, proof] = prove(*own_with_symmetries(file, replacements), written);
    EXPECT_EQ(plain.values, cut.values) << file;
    EXPECT_LT(cut.positions, plain.positions) << file;
    EXPECT_TRUE(ProofChecker(written).judge(proof).holds) << file;
  }
}

}  // namespace
}  // namespace rgtrans::search
