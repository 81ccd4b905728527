// Paths, lists of moves, counting by first move, pictures and a whole game in the terminal.
#include "backends/play/play.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kGame = R"(
type Player = { x, o };
type Score = { 0, 100 };
type Square = { a1, b1, a2, b2 };
type Mark = { empty, x, o };
var board: Square -> Mark = { :empty };
var at: Square = a1;
begin, choose: player = x;
choose, chosen: at = Square(*);
chosen, free: $$ at;
free, put: board[at] == empty;
put, side: board[at] = x;
side, tag: $ now;
tag, reply: player = o;
reply, replied: at = Square(*);
replied, open: board[at] == empty;
open, answer: $$ at;
answer, mark: board[at] = o;
mark, after: player = keeper;
after, score: goals[o] = 100;
score, end: player = keeper;
)";

std::unique_ptr<Reasoner> make() { return make_interpreter(rg::parse_game(kGame)); }

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    std::string out = error.what();
    for (const Diagnostic& diagnostic : error.diagnostics()) out += "\n" + diagnostic.message + "\n" + diagnostic.hint;
    return out;
  }
  return "";
}

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

// What a person sees who types these lines.
std::string transcript(std::string_view text, const std::string& lines, const play::PlayOptions& options) {
  const ir::Game game = rg::parse_game(text);
  const auto reasoner = make_interpreter(game);
  scene::Witness witness(game);
  std::istringstream in(lines);
  std::ostringstream out;
  play::play(*reasoner, witness, game, in, out, options);
  return out.str();
}

TEST(Terminal, PlaysAWholeGame) {
  const std::string out = transcript(kGame, "nonsense\na1 now\nundo\n2\n", {.people = {0}});
  EXPECT_THAT(out, HasSubstr("No move is or starts with 'nonsense'"));
  EXPECT_THAT(out, HasSubstr("o: 100"));
}

// Random draws a card that nobody sees, and tells blue whether it is high.
constexpr std::string_view kCards = R"(
type Player = { red, blue };
type Score = { 0, 100 };
type Card = { ace, ten, two };
type Answer = { high, low };
var card: Card = two;
begin, draw: player = random;
draw, hide: visible[red] = 0;
hide, both: visible[blue] = 0;
both, drawn: card = Card(*);
drawn, said: $$ card;
said, tell: player = keeper;
tell, asked: visible[blue] = 1;
asked, isHigh: card != two;
asked, isLow: card == two;
isHigh, told: $ high;
isLow, told: $ low;
told, show: visible[red] = 1;
show, turn: player = red;
turn, guess: $ guess;
guess, last: player = blue;
last, call: $ call;
call, judge: player = keeper;
judge, won: goals[red] = 100;
won, end: player = keeper;
)";

TEST(Terminal, HelpsAndTakesTheStartOfAMove) {
  const std::string out = transcript(kGame, "help\n?\nb\nb1\n", {.people = {0}});
  EXPECT_THAT(out, HasSubstr("back to your last decision"));
  EXPECT_THAT(out, HasSubstr("    2  b1 now\n    4  b2 now\n"));
  EXPECT_THAT(out, HasSubstr("x: b1 now"));
}

TEST(Terminal, HidesWhatThePlayerMayNotKnow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string red = transcript(kCards, "state\nguess\n", {.people = {0}, .seed = seed});
    for (const char* secret : {"ace", "ten", "two", "high", "low"}) EXPECT_THAT(red, Not(HasSubstr(secret)));
    EXPECT_THAT(red, HasSubstr("blue: call"));
    const std::string all = transcript(kCards, "guess\n", {.people = {0}, .seed = seed, .reveal = true});
    EXPECT_THAT(all, HasSubstr("random: "));
    EXPECT_THAT(all, ContainsRegex("ace|ten|two"));
  }
}

TEST(Terminal, TwoPeopleDoNotShareATerminalWhereOneHasSecrets) {
  EXPECT_THAT(error_of([] { transcript(kCards, "", {.people = {0, 1}}); }), HasSubstr("see each other's"));
  EXPECT_THAT(transcript(kCards, "guess\ncall\n", {.people = {0, 1}, .reveal = true}), HasSubstr("over"));
}

}  // namespace
}  // namespace rgtrans
