// Paths, lists of moves, counting by first move.
#include "backends/play/play.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/backends/play/squares.hpp"

namespace rgtrans {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::unique_ptr<Reasoner> make() { return make_interpreter(rg::parse_game(kGame)); }

TEST(Paths, LeadToStates) {
  const auto reasoner = make();
  play::go_to(*reasoner, "/");
  EXPECT_EQ(play::moves_text(*reasoner), "/a1 now/\n/b1 now/\n/a2 now/\n/b2 now/\n") << "keeper's move comes first";
  play::go_to(*reasoner, "//");
  EXPECT_EQ(play::moves_text(*reasoner), "a1 now/\nb1 now/\na2 now/\nb2 now/\n");
  play::go_to(*reasoner, "//b1 now/a2/");
  EXPECT_EQ(reasoner->mover(), reasoner->info().keeper());
  play::go_to(*reasoner, "//b1 now/a2//");
  EXPECT_TRUE(reasoner->terminal());
  EXPECT_EQ(reasoner->goal(1), "100");
  EXPECT_EQ(play::moves_text(*reasoner), "");
}

// Moves whose words have slashes and backslashes come back as they went.
TEST(Paths, SlashesInMovesAreWritten) {
  const auto reasoner = make();
  // The author calls the squares otherwise.
  ir::Game game = rg::parse_game(kGame);
  ir::Words words;
  words.texts[game.symbols.find("a1")] = "a/1";
  words.texts[game.symbols.find("b1")] = "b\\1/";
  game.words = std::make_shared<const ir::Words>(std::move(words));
  const scene::Wording wording(game);
  play::go_to(*reasoner, "//");
  EXPECT_EQ(play::moves_text(*reasoner, wording), "a\\/1 now/\nb\\\\1\\/ now/\na2 now/\nb2 now/\n");
  EXPECT_THAT(play::go_to(*reasoner, "//a\\/1 now/", wording), ElementsAre("", "a1 now"));
  EXPECT_THAT(play::go_to(*reasoner, "//b\\\\1\\/ now/", wording), ElementsAre("", "b1 now"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "//a\\/1 now\\/", wording); }), HasSubstr("start and end"));
}

TEST(Paths, ExplainWhatIsWrong) {
  const auto reasoner = make();
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, ""); }), HasSubstr("start and end"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "a1"); }), HasSubstr("start and end"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "/a1 now/"); }), HasSubstr("one more '/'"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "//a1/"); }), HasSubstr("a1 now"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "//a1 now/a2///"); }), HasSubstr("already over"));
}

TEST(Perft, DividesByFirstMove) {
  const auto reasoner = make();
  EXPECT_EQ(reasoner->perft(2), 12U);
  std::uint64_t sum = 0;
  for (const play::DivideLine& line : play::divide(*reasoner, 2)) sum += line.leaves;
  EXPECT_EQ(sum, 12U);
  EXPECT_EQ(play::divide(*reasoner, 1).size(), 4U);
  EXPECT_EQ(reasoner->mover(), reasoner->info().keeper());
  const auto lines = play::perft(*reasoner, 0, 3);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[3].leaves, 0U);
}

// Behind the keeper's first move, which shows nothing.
TEST(Moves, AreFoundByTheirTexts) {
  const auto reasoner = make();
  EXPECT_EQ(reasoner->mover_name(), "keeper");
  EXPECT_TRUE(reasoner->keeper_moves());
  EXPECT_TRUE(reasoner->moves_unseen());
  EXPECT_EQ(reasoner->find_move("a1 now"), std::nullopt);
  reasoner->apply(reasoner->find_move("").value());
  EXPECT_EQ(reasoner->mover_name(), "x");
  EXPECT_FALSE(reasoner->moves_unseen());
  EXPECT_THAT(reasoner->move_texts(), ElementsAre("a1 now", "b1 now", "a2 now", "b2 now"));
  reasoner->apply(reasoner->find_move("b1 now").value());
  EXPECT_EQ(reasoner->mover_name(), "o");
  EXPECT_EQ(reasoner->find_move("b1"), std::nullopt);
  reasoner->apply(reasoner->find_move("a2").value());
  reasoner->apply(0);
  EXPECT_TRUE(reasoner->terminal());
  EXPECT_EQ(reasoner->mover_name(), "");
  EXPECT_FALSE(reasoner->keeper_moves());
  EXPECT_THAT(reasoner->move_texts(), IsEmpty());
  EXPECT_EQ(reasoner->find_move(""), std::nullopt);
}

// A die is thrown, then guessed twice: throws that lead to equal states are one position.
constexpr std::string_view kDie = R"(
type Player = { p };
type Score = { 0, 100 };
type Number = { 1, 2, 3, 4 };
type Side = { odd, even };
const parity: Number -> Side = { 1: odd, 3: odd, :even };
var thrown: Number = 1;
var side: Side = odd;
var guess: Number = 1;
begin, throw: player = random;
throw, told: thrown = Number(*);
told, shown: $$ thrown;
shown, kept: side = parity[thrown];
kept, first: thrown = 1;
first, guessed: player = p;
guessed, said: guess = Number(*);
said, again: $$ guess;
again, second: player = p;
second, both: guess = Number(*);
both, last: $$ guess;
last, end: player = keeper;
)";

TEST(Perft, InStepsIsTheSame) {
  const auto squares = make();
  const auto die = make_interpreter(rg::parse_game(kDie));
  std::uint64_t steps = 0;
  for (Reasoner* reasoner : {squares.get(), die.get()}) {
    for (unsigned depth = 0; depth <= 4; ++depth) {
      EXPECT_EQ(play::perft_in_steps(*reasoner, depth, [&] { ++steps; }), reasoner->perft(depth)) << depth;
    }
  }
  EXPECT_EQ(die->perft(3), 2U * 4 * 4);
  EXPECT_GT(steps, 10U);
}

TEST(Perft, EndsWhenTheCheckThrows) {
  const auto reasoner = make();
  unsigned steps = 0;
  const auto check = [&] {
    if (++steps == 3) throw Error("enough");
  };
  EXPECT_THAT(error_of([&] { play::perft_in_steps(*reasoner, 4, check); }), HasSubstr("enough"));
  EXPECT_EQ(steps, 3U);
}

}  // namespace
}  // namespace rgtrans
