// Engines side by side on random games of every language: the naive evaluator, the interpreter and generated C++, the
// game as it is and optimised. By default a few games each; RGTRANS_DIFFERENTIAL_GAMES plays more, from RGTRANS_SEED
// on. scripts/differential does the same for as long as one likes.
#include <gtest/gtest.h>

#include "tests/differential/driver/contest.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::differential {
namespace {

class EnginesOn : public testing::TestWithParam<Generator> {};

TEST_P(EnginesOn, RandomGamesAgree) {
  const Generator& generator = GetParam();
  const std::uint64_t games = test::from_environment("RGTRANS_DIFFERENTIAL_GAMES", corpus::full() ? 500 : 8);
  const std::uint64_t first = test::from_environment("RGTRANS_SEED", 1);
  constexpr std::uint64_t kTogether = 50;
  const auto engines =
      engines_named(generator.extension == ".kif" ? "rules,ground-O0-cpp/2,ground-O1-tables/3,ground-O2-cpp"
                                                  : "game-O0-naive,game-O0,game-O0-cpp/2,game-O1-tables/3,game-O2-cpp");
  Tally tally;
  for (std::uint64_t seed = first; seed < first + games;) {
    test::Batch batch;
    std::vector<Contest> contests;
    for (; contests.size() < kTogether && seed < first + games; ++seed)
      contests.emplace_back(generate(generator, seed), engines, Bounds(), batch, tally);
    if (batch.size() > 0) batch.build();
    for (Contest& contest : contests)
      EXPECT_EQ(contest.run(batch, Bounds(), tally).difference, "") << contest.sample().text;
  }
  std::printf("%zu games, %zu states compared, %zu refused\n", tally.games, tally.states, tally.refused);
  EXPECT_GT(tally.states, tally.games);
}

INSTANTIATE_TEST_SUITE_P(Engines, EnginesOn, testing::ValuesIn(generators().begin(), generators().end()),
                         [](const auto& test) { return corpus::test_name(std::string(test.param.name)); });

}  // namespace
}  // namespace rgtrans::differential
