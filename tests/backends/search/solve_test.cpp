// Exact values of small games, compared with their known values, with proofs that are checked.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "backends/search/search.hpp"
#include "tests/backends/search/games.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::search {
namespace {

using testing::HasSubstr;

// Verifies the proof, too.
Solution solved(const Reasoner& game, const ir::Game& written, const SolveOptions& options = {.seconds = 100}) {
  const auto [solution, proof] = prove(game, written, options);
  EXPECT_TRUE(solution.solved && solution.proven) << solution.stopped;
  const ProofVerdict verdict = ProofChecker(written).judge(proof);
  EXPECT_TRUE(verdict.holds) << verdict.text;
  EXPECT_THAT(verdict.text, HasSubstr(fmt::format("value: {} gets {}", game.info().players[0], solution.values[0])));
  return solution;
}

void expect_value(double first, const std::string& file, const Replacements& replacements = {},
                  bool symmetric = false) {
  const auto game = symmetric ? own_with_symmetries(file, replacements) : own(file, replacements);
  const Solution solution = solved(*game, load_written(file, replacements));
  ASSERT_FALSE(solution.values.empty());
  EXPECT_EQ(solution.values[0], first);
  // The line ends with that value.
  const auto r = game->clone();
  run_keeper(*r);
  for (const std::string& move : solution.line) {
    std::size_t index = 0;
    while (index < r->move_count() && r->move_text(index) != move) ++index;
    ASSERT_LT(index, r->move_count()) << move;
    r->apply(index);
    run_keeper(*r);
  }
  if (!solution.repeats) {
    EXPECT_TRUE(r->terminal());
    EXPECT_EQ(goal_numbers(*r)[0], first);
  }
}

TEST(Solve, TicTacToeIsADraw) { expect_value(50, "hrg/tic-tac-toe.hrg"); }
// The sum of 3, 4 and 5 without carries is 2, not 0 (Bouton 1901).
TEST(Solve, NimIsWonByTheFirst) { expect_value(100, "hrg/nim.hrg"); }
TEST(Solve, NimWithSumZeroIsLost) {
  expect_value(0, "hrg/nim.hrg", {{"c = N(5)", "c = N(4)"}, {"a = N(3)", "a = N(0)"}});
}
// Drawn on all small boards (John Tromp's table).
TEST(Solve, ConnectFourOnSmallBoardsIsADraw) {
  expect_value(50, "hrg/connect-four.hrg", connect_four(4, 4), true);
  if (!corpus::full()) return;
  expect_value(50, "hrg/connect-four.hrg", connect_four(5, 4), true);
  expect_value(50, "hrg/connect-four.hrg", connect_four(4, 5), true);
}
// The first player wins Hex on every board (John Nash).
TEST(Solve, HexIsWonByTheFirst) {
  expect_value(100, "hrg/hex.hrg", hex(2));
  expect_value(100, "hrg/hex.hrg", hex(3));
}
// On 4x4 with symmetries, whose images the proof has to follow.
TEST(Solve, HexOnFourByFourIsWonByTheFirst) { expect_value(100, "hrg/hex.hrg", hex(4), true); }
TEST(Solve, BreakthroughOnSmallBoardsIsLost) {
  expect_value(0, "hrg/breakthrough.hrg", breakthrough(4, 4));
  if (corpus::full()) expect_value(0, "hrg/breakthrough.hrg", breakthrough(4, 5), true);
}
TEST(Solve, ClobberIsWonByTheFirst) {
  expect_value(100, "hrg/clobber.hrg", clobber(4, 4), true);
  if (corpus::full()) expect_value(100, "hrg/clobber.hrg", clobber(4, 5), true);
}
TEST(Solve, DotsAndBoxes) {
  expect_value(100, "hrg/dots-and-boxes.hrg", dots_and_boxes(2, 2), true);
  if (corpus::full()) expect_value(0, "hrg/dots-and-boxes.hrg", dots_and_boxes(3, 2), true);
}

// Positions come back: the way is found from the ends backwards, and nobody can force a win.
constexpr std::string_view kRing = R"(
type Player = { one, two };
type Score = { 50, 0, 100 };
type Place = { a, b, c };
var at: Place = a;
begin, turnOne: player = one;
turnOne, oneStays: $ wait;
turnOne, oneGives: $ give;
oneGives, giveEnd: goals[two] = 100;
giveEnd, gave: goals[one] = 0;
gave, end: player = keeper;
oneStays, turnTwo: player = two;
turnTwo, twoStays: $ wait;
turnTwo, twoGives: $ give;
twoGives, giveToo: goals[one] = 100;
giveToo, gaveToo: goals[two] = 0;
gaveToo, end: player = keeper;
twoStays, begin: player = keeper;
)";

TEST(Solve, APlayWithoutEndIsADraw) {
  const ir::Game game = load_rg(std::string(kRing));
  const Solution solution = solved(*make_interpreter(game), game);
  EXPECT_TRUE(solution.cyclic);
  EXPECT_TRUE(solution.repeats);
  EXPECT_EQ(solution.values[0], 50);
}

// Taking the first answer, both get 50; with the other moves, which proof numbers need not follow, both get 100.
TEST(Solve, GoalsBehindTheFirstAnswerMayHaveAnotherSum) {
  const auto game = [](const char* both) {
    return load_rg(std::string(R"(
type Player = { x, o };
type Score = { 0, 50, 100 };
type Choice = { a, b };
var choice: Choice = a;
begin, first: player = o;
first, chosen: choice = Choice(*);
chosen, named: $$ choice;
named, judge: player = keeper;
judge, draw: choice == a;
draw, half: goals[x] = 50;
half, ends: goals[o] = 50;
ends, end: player = keeper;
judge, on: choice == b;
on, second: player = x;
second, takes: $ take;
takes, draw: ;
second, waits: $ wait;
waits, third: player = o;
third, gives: $ give;
gives, best: goals[x] = )") +
                   both + ";\nbest, ends: goals[o] = " + both + ";\n");
  };
  const Solution better = solve(*make_interpreter(game("100")), {});
  EXPECT_EQ(better.values, std::vector<double>({100, 100}));
  EXPECT_EQ(better.method, "backward induction");
  EXPECT_FALSE(better.assumes_sum);
  const Solution constant = solve(*make_interpreter(game("50")), {});
  EXPECT_EQ(constant.values, std::vector<double>({50, 50}));
  EXPECT_TRUE(constant.assumes_sum);
}

// Far too many positions for a table of them all, and plays without end; but the first player wins with its third move.
TEST(Solve, AWinIsFoundAmongCycles) {
  std::string text = R"(
type Player = { one, two };
type Score = { 0, 100 };
type Bit = { off, on };
type Count = { none, one, two };
const more: Count -> Count = { none: one, :two };
type Place = {)";
  for (int i = 0; i < 40; ++i) text += (i > 0 ? ", c" : " c") + std::to_string(i);
  text += R"( };
var lamps: Place -> Bit = { :off };
var at: Place = c0;
var steps: Count = none;
begin, first: player = one;
first, climbs: $ climb;
climbs, up: steps != two;
up, climbed: steps = more[steps];
climbed, second: player = two;
climbs, wins: steps == two;
wins, won: goals[one] = 100;
won, end: player = keeper;
first, some: at = Place(*);
some, tagged: $$ at;
tagged, off: lamps[at] == on;
tagged, on: lamps[at] == off;
off, next: lamps[at] = off;
on, next: lamps[at] = on;
next, second: player = two;
second, other: at = Place(*);
other, said: $$ at;
said, dark: lamps[at] == on;
said, light: lamps[at] == off;
dark, begin: lamps[at] = off;
light, begin: lamps[at] = on;
)";
  const ir::Game game = load_rg(text);
  const Solution solution = solved(*make_interpreter(game), game, {.memory = 4U << 20U});
  EXPECT_EQ(solution.values[0], 100);
  EXPECT_TRUE(solution.cyclic);
}

TEST(Solve, APuzzleHasAShortestWay) {
  const std::string file = "gdl/eight-puzzle.kif";
  const Solution solution = solved(*own(file), load_written(file));
  EXPECT_EQ(solution.values[0], 100);
  EXPECT_EQ(solution.method, "search of a puzzle");
}

// A row of lamps; each is lit or left dark in its turn. Of half a million ways of equal length one is right. A search
// by distance would have to store all steps but the last of all ways.
TEST(Solve, APuzzleWithManyWaysIsSolvedDepthFirst) {
  std::string text = R"(
type Player = { me };
type Score = { 0, 100 };
type Bit = { off, on };
type Place = {)";
  constexpr int kLamps = 19;
  for (int i = 0; i < kLamps; ++i) text += (i > 0 ? ", c" : " c") + std::to_string(i);
  text += R"( };
var lamps: Place -> Bit = { :off };
begin, at0: player = me;
)";
  for (int i = 0; i < kLamps; ++i) {
    text += "at@, dark@: $ dark;\nat@, light@: $ light;\nlight@, lit@: lamps[c@] = on;\n";
    text +=
        i + 1 < kLamps ? "dark@, at#: player = me;\nlit@, at#: player = me;\n" : "dark@, judge: ;\nlit@, judge: ;\n";
    for (std::size_t at = 0; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, std::to_string(i));
    for (std::size_t at = 0; (at = text.find('#')) != std::string::npos;) text.replace(at, 1, std::to_string(i + 1));
  }
  for (int i = 0; i < kLamps; ++i) {
    const char* here = i % 3 == 0 ? "on" : "off";
    text += (i == 0 ? "judge" : "seen" + std::to_string(i)) + ", seen" + std::to_string(i + 1) + ": lamps[c" +
            std::to_string(i) + "] == " + here + ";\n";
    text += (i == 0 ? "judge" : "seen" + std::to_string(i)) + ", wrong: lamps[c" + std::to_string(i) + "] != " + here +
            ";\n";
  }
  text += "seen" + std::to_string(kLamps) + ", won: goals[me] = 100;\nwon, end: player = keeper;\n" +
          "wrong, end: player = keeper;\n";
  const ir::Game game = load_rg(text);
  const Solution solution = solved(*make_interpreter(game), game, {.memory = 40U << 20U});
  EXPECT_EQ(solution.values[0], 100);
  EXPECT_EQ(solution.method, "search of a puzzle, depth first");
}

TEST(Solve, ThreePlayersByInduction) {
  const std::string file = "gdl/three-player-nim.kif";
  const auto [solution, proof] = prove(*own(file), load_written(file));
  EXPECT_EQ(solution.values.size(), 3U);
  EXPECT_EQ(solution.method, "backward induction");
  EXPECT_FALSE(solution.proven);
}

// x moves to one of two images of a position. There y is indifferent, and y's first move decides the goal of x.
TEST(Solve, TiesAreDecidedByTextsInEveryEngine) {
  const std::string text = R"(
type Player = {x, y}; type Score = {0, 50, 100};
begin, p: player = x;
p, l: $ l; l, pl: player = y;
p, r: $ r; r, pr: player = y;
pl, lb: $ b; lb, e1: player = keeper;
pl, la: $ a; la, e0: player = keeper;
pr, ra: $ a; ra, e1: player = keeper;
pr, rb: $ b; rb, e0: player = keeper;
e0, f: goals[y] = 50;
e1, e2: goals[x] = 100; e2, f: goals[y] = 50;
f, end: player = keeper;
)";
  const ir::Game game = load_rg(text);
  InterpreterOptions options;
  options.symmetries = symmetries(game);
  EXPECT_FALSE(options.symmetries.empty());
  for (const auto& reasoner : {make_interpreter(game), make_interpreter(game, options)}) {
    const Solution solution = solve(*reasoner, {});
    EXPECT_EQ(solution.values, (std::vector<double>{100, 50}));
    EXPECT_EQ(solution.line, (std::vector<std::string>{"r", "a"}));
  }
}

// Both of x's moves are worth 7/3 to x, but sums of rounded parts depend on their order.
TEST(Solve, TiesBehindChanceAreExact) {
  const std::string text = R"(
type Player = {x, y}; type Score = {0, 1, 2, 3, 4, 10};
begin, p: player = x;
p, a: $ a; a, r: player = random;
p, b: $ b; b, s: player = random;
r, r1: $ 1; r1, e1: player = keeper;
r, r2: $ 2; r2, e2: player = keeper;
r, r3: $ 3; r3, e3: player = keeper;
s, s1: $ 1; s1, f2: player = keeper;
s, s2: $ 2; s2, f3: player = keeper;
s, s3: $ 3; s3, f1: player = keeper;
e1, e: goals[x] = 1; e2, e: goals[x] = 2; e3, e: goals[x] = 4;
f1, f: goals[x] = 1; f2, f: goals[x] = 2; f3, f: goals[x] = 4;
e, end: player = keeper;
f, f4: goals[y] = 10;
f4, end: player = keeper;
)";
  const Solution solution = solve(*make_interpreter(load_rg(text)), {});
  ASSERT_TRUE(solution.solved);
  EXPECT_EQ(solution.values[1], 0);
  EXPECT_EQ(solution.line, std::vector<std::string>{"a"});
}

TEST(Solve, LimitsHold) {
  const auto game = own("hrg/connect-four.hrg");
  const Solution small = solve(*game, {.memory = 1U << 20U});
  EXPECT_FALSE(small.solved);
  EXPECT_THAT(small.stopped, HasSubstr("memory"));
  const Solution quick = solve(*game, {.seconds = 0.2});
  EXPECT_FALSE(quick.solved);
  EXPECT_THAT(quick.stopped, HasSubstr("time"));
  EXPECT_LT(quick.seconds, 2);
  EXPECT_THROW(solve(*own("hrg/kuhn-poker.hrg"), {}), Error);
}

}  // namespace
}  // namespace rgtrans::search
