// Figures about games: the lines of a description that no play used, and the time that plays may take.
#include <gmock/gmock.h>

#include <chrono>

#include "backends/search/search.hpp"
#include "tests/backends/search/games.hpp"

namespace rgtrans::search {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(Analyze, NamesTheLinesThatNothingCameBy) {
  constexpr std::string_view kLamp = R"(
type Player = { me, you };
type Score = { 0, 100 };
type Bit = { off, on };
var lamp: Bit = off;
begin, choose: player = me;
choose, gone: $ go;
gone, won: goals[me] = 100;
won, end: player = keeper;
choose, dead: lamp == on;
dead, never: $ never;
never, end: player = keeper;
)";
  Diagnostics diagnostics;
  const ir::Game game = load_text("lamp.rg", std::string(kLamp), *find_frontend("rg"), diagnostics);
  const auto reasoner = make_interpreter(game);
  Analysis analysis = analyze(*reasoner, "lamp", {}, {.games = 3, .simulations = 5, .depth = false});
  find_dead_rules(game, analysis);
  ASSERT_EQ(analysis.dead_rules.size(), 3U);
  EXPECT_THAT(analysis.dead_rules[0].place, EndsWith("lamp.rg:10"));
  EXPECT_EQ(analysis.dead_rules[0].text, "choose, dead: lamp == on;");
  EXPECT_THAT(analysis.dead_rules[1].place, EndsWith("lamp.rg:11"));
  EXPECT_THAT(analysis.dead_rules[2].place, EndsWith("lamp.rg:12"));
  EXPECT_THAT(verdict(analysis), HasSubstr("'choose, dead: lamp == on;'"));
  EXPECT_THAT(verdict(analysis), HasSubstr("and 1 more lines are never used"));
  EXPECT_THAT(verdict(analysis), HasSubstr("a play takes 1 turns"));
  ASSERT_NE(analysis.find("rules"), nullptr);
  EXPECT_NEAR(analysis.find("rules")->estimate.value, 4.0 / 7, 1e-9);
}

// The optimizer takes keeper's moves out; they are followed on the game as it was written.
TEST(Analyze, FollowsPlaysOfTheOptimizedGame) {
  const auto path = std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / "hrg" / "connect-four.hrg";
  Diagnostics diagnostics;
  const std::string text = read_file(path);
  const ir::Game game = load_text(path.string(), text, choose_frontend(path, text), diagnostics);
  const auto reasoner = own("hrg/connect-four.hrg");
  Analysis analysis = analyze(*reasoner, "connect four", {}, {.games = 4, .simulations = 5, .depth = false});
  find_dead_rules(game, analysis);
  double turns = 0;
  for (const double length : analysis.lengths) turns += length;
  EXPECT_GE(analysis.find("rules")->estimate.value, 0.8);
  EXPECT_GE(walked_edges(game, analysis.moves).states, static_cast<std::uint64_t>(turns));
}

TEST(Analyze, BeginsNoPlaysWhenTheTimeIsOver) {
  const auto game = own("hrg/breakthrough.hrg");
  const Analysis analysis = analyze(*game, "breakthrough", {}, {.games = 1'000'000, .simulations = 5, .seconds = 0.2});
  EXPECT_GE(analysis.plays, 1U);
  EXPECT_LT(analysis.plays, 1'000'000U);
  EXPECT_NE(analysis.find("depth"), nullptr);
}

// A single play would take many times as long.
TEST(Analyze, StopsAPlayThatTakesTooLong) {
  const auto game = own("hrg/breakthrough.hrg");
  const auto begin = std::chrono::steady_clock::now();
  const Analysis analysis = analyze(*game, "breakthrough", {}, {.games = 2, .simulations = 1'000, .seconds = 0.1});
  EXPECT_EQ(analysis.plays, 1U);
  EXPECT_EQ(analysis.find("ended")->estimate.value, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace rgtrans::search
