// A whole game in the terminal, with opponents, hints and secrets.
#include "backends/terminal/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "core/support/letters.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/backends/play/squares.hpp"

namespace rgtrans {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// The output that a person sees after typing these lines.
std::string transcript(std::string_view text, const std::string& lines, const terminal::PlayOptions& options) {
  const ir::Game game = rg::parse_game(text);
  const auto reasoner = make_interpreter(game);
  scene::Witness witness(game);
  std::istringstream in(lines);
  std::ostringstream out;
  terminal::StreamLines typed(in, out);
  terminal::play(*reasoner, witness, game, typed, out, options);
  return out.str();
}

TEST(Terminal, PlaysAWholeGame) {
  const std::string out = transcript(kGame, "nonsense\na1 now\nundo\n2\n", {.people = {0}});
  EXPECT_THAT(out, HasSubstr("No move is or starts with 'nonsense'"));
  EXPECT_THAT(out, HasSubstr("o: 100"));
  EXPECT_THAT(out, HasSubstr("The play is over. o wins."));
}

// The list must leave the board in sight.
TEST(Terminal, ListsMovesInColumnsOfATerminal) {
  Diagnostics diagnostics;
  const auto path = std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / "hrg" / "chess.hrg";
  const ir::Game game = load_game({path.string(), "", {}, false}, diagnostics);
  const auto reasoner = make_interpreter(game);
  scene::Witness witness(game);
  std::istringstream in("e2e4\nquit\n");
  std::ostringstream out;
  terminal::StreamLines typed(in, out);
  terminal::play(*reasoner, witness, game, typed, out, {.people = {0, 1}});
  const std::string shown = out.str();
  EXPECT_THAT(shown, HasSubstr("white: e2 e4"));
  EXPECT_THAT(shown, HasSubstr("(♙)")) << "the last move is marked";
  const std::string first = shown.substr(0, shown.find("white to move"));
  EXPECT_LE(std::ranges::count(first, '\n'), 23);
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(count_characters(line), 80U) << line;
}

TEST(Terminal, CompletesWhatAllFittingTextsShare) {
  const std::vector<std::string> offered = {"e2 e3", "e2 e4", "d2 d3", "hint", "é1", "è2"};
  EXPECT_EQ(terminal::complete("e", offered).rest, "2 e");
  EXPECT_EQ(terminal::complete("e2 e", offered).rest, "");
  EXPECT_EQ(terminal::complete("e2 e", offered).fitting, (std::vector<std::string>{"e2 e3", "e2 e4"}));
  EXPECT_EQ(terminal::complete("d", offered).rest, "2 d3");
  EXPECT_EQ(terminal::complete("d2 d3", offered).fitting.size(), 1U);
  EXPECT_TRUE(terminal::complete("x", offered).fitting.empty());
  // The two last texts share the first byte of a character.
  EXPECT_EQ(terminal::complete("", {"é1", "è2"}).rest, "");
}

// Offers of Tab are those of the position, without control characters.
TEST(Terminal, OffersMovesAndCommands) {
  class Typed : public terminal::TypedLines {
   public:
    std::optional<std::string> next(const std::string& prompt, const std::vector<std::string>& offered) override {
      prompts.push_back(prompt);
      offers = offered;
      return std::nullopt;
    }
    std::vector<std::string> prompts, offers;
  };
  const ir::Game game = rg::parse_game(kGame);
  const auto reasoner = make_interpreter(game);
  scene::Witness witness(game);
  Typed typed;
  std::ostringstream out;
  terminal::play(*reasoner, witness, game, typed, out, {.people = {0}});
  ASSERT_EQ(typed.prompts.size(), 1U);
  EXPECT_THAT(typed.prompts[0], HasSubstr("x to move"));
  EXPECT_THAT(typed.offers, ::testing::Contains("a1 now"));
  EXPECT_THAT(typed.offers, ::testing::Contains("undo"));
}

TEST(Terminal, AsksAgainAfterAnEmptyLine) {
  const std::string out = transcript(kGame, "\n  \n2\n2\n", {.people = {0}});
  EXPECT_THAT(out, Not(HasSubstr("No move")));
  EXPECT_THAT(out, HasSubstr("help): x to move"));
}

// Random draws a card that nobody sees, and reveals to blue whether it is high.
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
  EXPECT_THAT(out, HasSubstr("    2  b1 now    4  b2 now\n"));
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

// Two players take one or two of five stones; the player with the last one wins. The first player wins by leaving
// three.
constexpr std::string_view kStones = R"(
type Player = { ann, bob };
type Score = { 0, 100 };
type Count = { none, one, two, three, four, five };
const less: Count -> Count = { one: none, two: one, three: two, four: three, five: four, :none };
var left: Count = five;
begin, annTurn: player = ann;
annTurn, annOne: $ one;
annTurn, annTwo: $ two;
annTwo, annSecond: left != one;
annSecond, annOne: left = less[left];
annOne, annTook: left = less[left];
annTook, annOver: player = keeper;
annOver, annWon: left == none;
annWon, annScored: goals[ann] = 100;
annScored, end: player = keeper;
annOver, bobTurn: left != none;
bobTurn, bobChoose: player = bob;
bobChoose, bobOne: $ one;
bobChoose, bobTwo: $ two;
bobTwo, bobSecond: left != one;
bobSecond, bobOne: left = less[left];
bobOne, bobTook: left = less[left];
bobTook, bobOver: player = keeper;
bobOver, bobWon: left == none;
bobWon, bobScored: goals[bob] = 100;
bobScored, end: player = keeper;
bobOver, begin: left != none;
)";

TEST(Terminal, OpponentsThinkAndAdviceIsGood) {
  const std::string out = transcript(kStones, "hint\neval\n1\n",
                                     {.people = {0}, .opponents = {"mcts:200"}, .adviser = "mcts:200", .seed = 3});
  EXPECT_THAT(out, HasSubstr("  2  two                  proven 100 for ann"));
  EXPECT_THAT(out, HasSubstr("Proven: ann 100, bob 0"));
  EXPECT_THAT(out, HasSubstr("bob: one\n")) << "leaves three";
  // All players know that a move was taken back: a second hint is about the position on the board.
  const std::string again =
      transcript(kStones, "1\nundo\nhint\n2\n1\n", {.people = {0}, .opponents = {"solver:1s"}, .adviser = "mcts:100"});
  EXPECT_THAT(again, HasSubstr("  2  two                  proven 100 for ann"));
}

TEST(Terminal, OpponentsPlayAmongThemselves) {
  EXPECT_THAT(transcript(kStones, "", {.opponents = {"mcts:200", "random"}}), HasSubstr("ann: 100"));
  EXPECT_THAT(transcript(kStones, "", {.opponents = {"random", "mcts:200"}, .seed = 1}), HasSubstr("over"));
  EXPECT_THAT(error_of([] {
                transcript(kStones, "", {.people = {0}, .opponents = {"random", "random"}});
              }),
              HasSubstr("2 opponents are named, and 1 seats"));
}

TEST(Terminal, AdviceKnowsNoSecrets) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string red = transcript(kCards, "hint\nguess\n", {.people = {0}, .adviser = "mcts:50", .seed = seed});
    for (const char* secret : {"ace", "ten", "high", "low"}) EXPECT_THAT(red, Not(HasSubstr(secret)));
  }
}

}  // namespace
}  // namespace rgtrans
