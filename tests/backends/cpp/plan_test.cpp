// The choices of the generator for small games: the strategy of each function and of each choice of a value, with its
// cost, its reason and the alternatives. No compiler is needed.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>

#include "backends/cpp/cpp.hpp"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cpp {
namespace {

// A board of cells in a row, of which one is full. The rules lead from `begin` to `keep`; then the keeper fills the
// cell x, and goes on as long as the first cell is empty.
struct SmallGame {
  unsigned cells;
  const char* rules;
};

std::string text_of(const SmallGame& game) {
  std::string cells;
  std::string next;
  for (unsigned i = 0; i < game.cells; ++i) {
    cells += (i > 0 ? ", x" : "x") + std::to_string(i);
    if (i + 1 < game.cells) next += "x" + std::to_string(i) + ": x" + std::to_string(i + 1) + ", ";
  }
  return "type Player = {p}; type Score = {0}; type C = {stone, gap, tree}; type X = {" + cells +
         "};\nconst east: X -> X = {" + next +
         ":x0}; var x: X = x0; var y: X = x0; var squares: X -> C = {x1: stone, :gap};\n" + game.rules +
         "\nkeep, k: squares[x] = stone; k, begin: squares[x0] == gap; k, over: squares[x0] != gap; over, end: player "
         "= keeper;\n";
}

std::string plan_of(const std::string& text, const std::string& without) {
  Diagnostics diagnostics;
  const ir::Game game = load_text("test.rg", text, *find_frontend("rg"), diagnostics);
  GenerateOptions options;
  std::istringstream names(without);
  for (std::string name; std::getline(names, name, ',');) EXPECT_TRUE(options.techniques.leave_out(name));
  return std::regex_replace(plan_text(game, options), std::regex(R"( \(test\.rg:\d+\))"), "");
}

constexpr SmallGame kDropGame = {
    12, "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kDrop5Game = {
    5, "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kBoard20Game = {
    300, "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kNeighbourGame = {
    12, "begin, s: player = p; s, t: x = X(*); t, u: squares[east[x]] == gap; u, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kTwoGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, t2: squares[x] == gap; t2, u: squares[east[x]] != stone;"
    "u, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kForkGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; t, u2: squares[x] == tree; u, v: $$ x;"
    "u2, u3: $ x0; u3, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kStepGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == stone; u, u1: $$ x; u1, u2: x = east[x];"
    "u2, u3: squares[x] == gap; u3, u4: $$ x; u4, keep: player = keeper;"};
constexpr SmallGame kRayGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == stone; u, u1: $$ x; u1, r: x = east[x];"
    "r, u4: squares[x] == gap; u4, r2: x != x0; r2, r: x = east[x]; u4, w: $$ x; w, keep: player = keeper;"};
constexpr SmallGame kRaysGame = {
    64,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == stone; u, u1: $$ x; u1, r: x = east[x];"
    "r, u4: squares[x] == gap; u4, r: x = east[x]; u4, w: $$ x; w, keep: player = keeper;"};
constexpr SmallGame kCheckGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, c: squares[x] == gap; c, u: ? a -> b; u, v: $$ x;"
    "v, keep: player = keeper; a, a2: y = X(*); a2, b: squares[y] == stone;"};
constexpr SmallGame kPatternGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, c: squares[x] == gap; c, u: ! a -> b; u, v: $$ x;"
    "v, keep: player = keeper; a, p0: squares[x0] == stone; p0, q0: squares[x1] == stone;"
    "q0, b: squares[x2] == stone; a, p1: squares[x1] == stone; p1, q1: squares[x2] == stone;"
    "q1, b: squares[x3] == stone; a, p2: squares[x2] == stone; p2, q2: squares[x3] == stone;"
    "q2, b: squares[x4] == stone; a, p3: squares[x3] == stone; p3, q3: squares[x4] == stone;"
    "q3, b: squares[x5] == stone; a, p4: squares[x4] == stone; p4, q4: squares[x5] == stone;"
    "q4, b: squares[x6] == stone; a, p5: squares[x5] == stone; p5, q5: squares[x6] == stone;"
    "q5, b: squares[x7] == stone; a, p6: squares[x6] == stone; p6, q6: squares[x7] == stone;"
    "q6, b: squares[x8] == stone; a, p7: squares[x7] == stone; p7, q7: squares[x8] == stone;"
    "q7, b: squares[x9] == stone; a, p8: squares[x8] == stone; p8, q8: squares[x9] == stone;"
    "q8, b: squares[x10] == stone; a, p9: squares[x9] == stone; p9, q9: squares[x10] == stone;"
    "q9, b: squares[x11] == stone;"};
constexpr SmallGame kLastGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, w: squares[x] = stone; w, c: ? a -> b;"
    "c, v: $$ x; v, keep: player = keeper; a, a2: squares[x1] == stone; a2, a3: squares[x2] == stone;"
    "a3, b: squares[x3] == stone;"};
constexpr SmallGame kFloodGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, c: squares[x] == gap; c, u: ? a -> b; u, v: $$ x;"
    "v, keep: player = keeper; a, a1: y = x; a1, a2: ; a2, a3: y = east[y]; a3, a1: squares[y] == gap;"
    "a1, b: y == x11;"};
constexpr SmallGame kAllGame = {
    12, "begin, s: player = p; s, t: x = X(*); t, u: x != x3; u, v: $$ x; v, keep: player = keeper;"};
constexpr SmallGame kNoneGame = {
    12, "begin, s: player = p; s, u: squares[x1] == gap; u, v: $ x1; v, keep: player = keeper;"};
constexpr SmallGame kCompareGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == squares[east[x]]; u, v: $$ x;"
    "v, keep: player = keeper;"};
constexpr SmallGame kPairGame = {12,
                                 "begin, s: player = p; s, t: x = X(*); t, t1: squares[x] == gap; t1, t2: y = X(*);"
                                 "t2, t3: squares[y] == stone; t3, u: $$ x; u, v: $$ y; v, keep: player = keeper;"};
constexpr SmallGame kJumpGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == stone; u, u1: $$ x; u1, u2: x = east[x];"
    "u2, u3: squares[x] == gap; u3, u4: x = east[x]; u4, u5: $$ x; u5, keep: player = keeper; u5, u1: ;"};
constexpr SmallGame kTwiceGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, u1: ; u, u2: ; u1, v: $$ x; u2, v: $$ x;"
    "v, keep: player = keeper;"};
constexpr SmallGame kTwoWaysGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, v: $$ x; v, keep: player = keeper;"
    "s, n: $ x0; n, keep: player = keeper;"};
constexpr SmallGame kKeeperGame = {
    12,
    "begin, s: player = p; s, t: x = X(*); t, u: squares[x] == gap; u, v: $$ x; v, kk: player = keeper;"
    "kk, k1: y = x0; k1, k2: squares[y] == gap; k1, k3: squares[y] != gap; k3, k4: y == x11; k3, k5: y != x11;"
    "k5, k1: y = east[y]; k2, keep: squares[y] = stone; k4, keep: ;"};

struct PlanCase {
  const char* name;
  SmallGame game;
  const char* without;  // techniques
  const char* plan;

  friend void PrintTo(const PlanCase& plan_case, std::ostream* out) { *out << plan_case.name; }
};

const PlanCase kCases[] = {
    {"StoneOnAnEmptyCell", kDropGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 14: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"FewValuesAreNoSet", kDrop5Game, "",
     R"(moves: 1 tags of 3 bits at most, in one word
list moves
  s:
    walk
    x = any of 5: one by one: no condition decides for all 5 values at once
      - sets: 5 values, at least 6 pay
)"},
    {"ManyWords", kBoard20Game, "",
     R"(moves: 1 tags of 9 bits at most, in one word
squares: 1 bit plane, 5 words each: its cells are read together, and few are written
list moves
  s:
    walk
    x = any of 300: sets, cost 70: what follows is a function of the value; 300 values are 5 words
      - one by one: 300 values, each with what follows
    a move is drawn: guess: one of 299 possible moves is tested before the others
)"},
    {"EmptyNeighbour", kNeighbourGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 14: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"TwoConditions", kTwoGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 18: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 10 possible moves is tested before the others
)"},
    {"WaysPartByContents", kForkGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 14: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"PieceThatSteps", kStepGame, "",
     R"(moves: 2 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 21: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"PieceThatSlides", kRayGame, "",
     R"(moves: 2 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: pairs, cost 2: 1 condition filters 12 values, 64 at once; a pair of a value and one of 11 targets is drawn
      - sets: few values have many walks
    x = any of 12: targets, cost 2: 11 targets of a value at most, 1 words decide each
      - walk, cost 66: conditions one by one
apply a move
  u4:
    tag: the tag that comes next is all that matters
)"},
    {"SlidesOnALargeBoard", kRaysGame, "",
     R"(moves: 2 tags of 7 bits at most, in one word
squares: 1 bit plane, 1 word each: its cells are read together, and few are written
list moves
  s:
    walk
    x = any of 64: bits: 1 condition filters 64 values, 64 at once
      - sets: few values have many walks
      - pairs: a walk has too many steps
apply a move
  u4:
    tag: the tag that comes next is all that matters
)"},
    {"CheckOfACell", kCheckGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 15: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
checks
  a:
    walk
      - patterns: its walks do more than read cells of one board
    y = any of 12: sets, cost 5: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
)"},
    {"CheckOfRows", kPatternGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 15: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
checks
  a:
    patterns, cost 4: 9 clauses about the cells of one board
      - walk, cost 25: conditions that are tested on average
)"},
    {"CheckAfterAWrite", kLastGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 25: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
)"},
    {"FloodFromTheStone", kFloodGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 99: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
  c:
    walk
      - targets: some walk is no list of cells
checks
  a:
    walk
      - patterns: its walks do more than read cells of one board
)"},
    {"ValuesWithoutCells", kAllGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 11: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"NoChoice", kNoneGame, "",
     R"(moves: 1 tags of 1 bits at most, in one word
)"},
    {"CellsThatAreCompared", kCompareGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: one by one: no condition decides for all 12 values at once
      - sets: a condition is no function of the value
)"},
    {"TwoChoices", kPairGame, "",
     R"(moves: 2 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 168: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
)"},
    {"ChainOfJumps", kJumpGame, "",
     R"(moves: 254 tags of 4 bits at most, in an array
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: most values go on one by one
      - pairs: moves are not drawn here
  u1:
    walk
      - targets: a move is no number
)"},
    {"MoveFoundTwice", kTwiceGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: most values go on one by one
      - pairs: a move might be found twice
apply a move
  u:
    tag: the tag that comes next is all that matters
)"},
    {"OtherMovesBeside", kTwoWaysGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: most values go on one by one
      - pairs: a move might be found twice
apply a move
  s:
    search: 2 ways are tried one after the other
)"},
    {"KeeperThatSearchesACell", kKeeperGame, "",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 14: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
moves of the keeper
  k1:
    next value: a loop only looks for the next value with which a condition holds
)"},
    {"StoneWithoutGuesses", kDropGame, "guesses",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 14: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
)"},
    {"StoneWithoutSets", kDropGame, "sets",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: left out
      - pairs: no cell decides
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"StoneWithoutMasks", kDropGame, "sets,loops",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: one by one: no condition decides for all 12 values at once
      - sets: left out
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"StoneWithoutNumbers", kDropGame, "numbers",
     R"(moves: 1 tags of 4 bits at most, in an array
list moves
  s:
    walk
    x = any of 12: sets, cost 14: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"LargeBoardWithoutSets", kBoard20Game, "sets",
     R"(moves: 1 tags of 9 bits at most, in one word
squares: 1 bit plane, 5 words each: its cells are read together, and few are written
list moves
  s:
    walk
    x = any of 300: bits: 1 condition filters 300 values, 64 at once
      - sets: left out
      - pairs: no cell decides
    a move is drawn: guess: one of 299 possible moves is tested before the others
)"},
    {"NeighbourWithoutSets", kNeighbourGame, "sets",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: one by one: no condition decides for all 12 values at once
      - sets: left out
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"WaysPartWithoutSets", kForkGame, "sets",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: left out
      - pairs: no cell decides
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"WaysPartWithoutMasks", kForkGame, "sets,loops",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: one by one: no condition decides for all 12 values at once
      - sets: left out
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"SlidesWithoutTargets", kRayGame, "targets",
     R"(moves: 2 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: few values have many walks
      - pairs: left out
apply a move
  u4:
    tag: the tag that comes next is all that matters
)"},
    {"SlidesWithoutNumbers", kRayGame, "numbers",
     R"(moves: 2 tags of 4 bits at most, in an array
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: few values have many walks
      - pairs: moves are not drawn here
apply a move
  u4:
    tag: the tag that comes next is all that matters
)"},
    {"RowsWithoutPatterns", kPatternGame, "patterns",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 15: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
checks
  a:
    walk
      - patterns: left out
)"},
    {"CellWithoutPatterns", kCheckGame, "patterns",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: sets, cost 15: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
checks
  a:
    walk
      - patterns: left out
    y = any of 12: sets, cost 5: what follows is a function of the value; 12 values are 1 word
      - one by one: 12 values, each with what follows
)"},
    {"FloodWithoutSets", kFloodGame, "sets",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: waiting values: the move that is drawn goes on alone, 1 moves behind a value at most
      - sets: left out
  c:
    walk
      - targets: some walk is no list of cells
checks
  a:
    walk
      - patterns: its walks do more than read cells of one board
)"},
    {"StepWithoutSets", kStepGame, "sets",
     R"(moves: 2 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: left out
      - pairs: 1 targets of a value, at least 8 pay
    a move is drawn: guess: one of 11 possible moves is tested before the others
)"},
    {"FloodWithoutWaiting", kFloodGame, "sets,waiting",
     R"(moves: 1 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: bits: 1 condition filters 12 values, 64 at once
      - sets: left out
      - pairs: some walk is no list of cells
checks
  a:
    walk
      - patterns: its walks do more than read cells of one board
)"},
    {"TwoChoicesWithoutSets", kPairGame, "sets",
     R"(moves: 2 tags of 4 bits at most, in one word
list moves
  s:
    walk
    x = any of 12: waiting values: the move that is drawn goes on alone, 12 moves behind a value at most
      - sets: left out
    x = any of 12: targets, cost 2: 12 targets of a value at most, 1 words decide each
      - walk, cost 11: conditions one by one
)"},
};

class SmallPlan : public testing::TestWithParam<PlanCase> {};

TEST_P(SmallPlan, IsAsExpected) { EXPECT_EQ(plan_of(text_of(GetParam().game), GetParam().without), GetParam().plan); }

// Names decide nothing.
TEST_P(SmallPlan, DoesNotDependOnNames) {
  const auto renamed = [](std::string text) {
    for (const auto& [from, to] : {std::pair("squares", "a_long_name_of_a_board"), std::pair("stone", "zzz"),
                                   std::pair("tree", "another_content"), std::pair("east", "b_east")})
      text = std::regex_replace(text, std::regex(std::string("\\b") + from + "\\b"), to);
    return text;
  };
  EXPECT_EQ(plan_of(renamed(text_of(GetParam().game)), GetParam().without), renamed(GetParam().plan));
}

INSTANTIATE_TEST_SUITE_P(Games, SmallPlan, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

// The strategy for the choice of x on boards of several sizes, and why its values are no set: the borders between the
// strategies.
struct BorderCase {
  unsigned cells;
  const char* name;
  SmallGame game;
  const char* without;  // techniques
  const char* strategy;
  const char* no_sets;

  friend void PrintTo(const BorderCase& border, std::ostream* out) { *out << border.name << border.cells; }
};

const BorderCase kBorders[] = {
    {9, "Drop", kDropGame, "", "sets, cost 14", ""},
    {63, "Drop", kDropGame, "", "sets, cost 14", ""},
    {64, "Drop", kDropGame, "", "sets, cost 14", ""},
    {65, "Drop", kDropGame, "", "sets, cost 28", ""},
    {128, "Drop", kDropGame, "", "sets, cost 28", ""},
    {129, "Drop", kDropGame, "", "sets, cost 42", ""},
    {256, "Drop", kDropGame, "", "sets, cost 56", ""},
    {257, "Drop", kDropGame, "", "sets, cost 70", ""},
    {512, "Drop", kDropGame, "", "sets, cost 112", ""},
    {513, "Drop", kDropGame, "", "bits", "sets: a set has too many words"},
    {9, "Drop", kDropGame, "sets", "bits", "sets: left out"},
    {64, "Drop", kDropGame, "sets", "bits", "sets: left out"},
    {513, "Drop", kDropGame, "guesses", "bits", "sets: a set has too many words"},
    {9, "Drop", kDropGame, "values", "sets, cost 14", ""},
    {9, "Drop", kDropGame, "tables", "sets, cost 14", ""},
    {9, "Drop", kDropGame, "choices", "sets, cost 14", ""},
    {9, "Drop", kDropGame, "memory,turns", "sets, cost 14", ""},
    {513, "Drop", kDropGame, "loops", "one by one", "sets: a set has too many words"},
    {9, "Ray", kRayGame, "", "pairs, cost 1", "sets: few values have many walks"},
    {10, "Ray", kRayGame, "", "pairs, cost 2", "sets: few values have many walks"},
    {17, "Ray", kRayGame, "", "pairs, cost 2", "sets: few values have many walks"},
    {33, "Ray", kRayGame, "", "pairs, cost 4", "sets: few values have many walks"},
    {64, "Ray", kRayGame, "", "bits", "sets: few values have many walks"},
    {9, "Ray", kRayGame, "sets", "pairs, cost 1", "sets: left out"},
    {9, "Ray", kRayGame, "loops", "one by one", "sets: few values have many walks"},
    {33, "Ray", kRayGame, "values", "bits", "sets: a move might be found twice"},
    {5, "Ray", kRayGame, "", "one by one", "sets: 5 values, at least 6 pay"},
    {65, "Neighbour", kNeighbourGame, "", "sets, cost 28", ""},
    {65, "Neighbour", kNeighbourGame, "loops", "sets, cost 28", ""},
    {513, "Neighbour", kNeighbourGame, "", "one by one", "sets: a set has too many words"},
    {9, "Two", kTwoGame, "", "sets, cost 18", ""},
    {65, "Two", kTwoGame, "", "sets, cost 36", ""},
    {12, "Two", kTwoGame, "sets", "bits", "sets: left out"},
    {513, "Two", kTwoGame, "", "bits", "sets: a set has too many words"},
    {65, "Fork", kForkGame, "", "sets, cost 28", ""},
    {513, "Fork", kForkGame, "", "bits", "sets: a set has too many words"},
    {5, "Fork", kForkGame, "", "one by one", "sets: 5 values, at least 6 pay"},
    {64, "Step", kStepGame, "", "sets, cost 21", ""},
    {65, "Step", kStepGame, "", "sets, cost 42", ""},
    {257, "Step", kStepGame, "", "sets, cost 105", ""},
    {513, "Step", kStepGame, "", "bits", "sets: a set has too many words"},
    {9, "Step", kStepGame, "sets,targets", "bits", "sets: left out"},
    {9, "Pair", kPairGame, "", "sets, cost 126", ""},
    {16, "Pair", kPairGame, "", "sets, cost 224", ""},
    {17, "Pair", kPairGame, "", "bits", "sets: most values go on one by one"},
    {65, "Pair", kPairGame, "", "bits", "sets: most values go on one by one"},
    {12, "Pair", kPairGame, "waiting,sets", "pairs, cost 2", "sets: left out"},
    {12, "Pair", kPairGame, "targets,sets", "waiting values", "sets: left out"},
    {5, "Check", kCheckGame, "", "waiting values", "sets: 5 values, at least 6 pay"},
    {65, "Check", kCheckGame, "", "sets, cost 30", ""},
    {5, "Check", kCheckGame, "waiting", "one by one", "sets: 5 values, at least 6 pay"},
    {513, "Check", kCheckGame, "", "waiting values", "sets: a set has too many words"},
    {65, "All", kAllGame, "", "sets, cost 22", ""},
    {513, "All", kAllGame, "", "bits", "sets: a set has too many words"},
    {9, "All", kAllGame, "sets,loops", "one by one", "sets: left out"},
    {65, "Compare", kCompareGame, "", "one by one", "sets: a condition is no function of the value"},
    {12, "Compare", kCompareGame, "values", "one by one", "sets: a condition is no function of the value"},
    {65, "Jump", kJumpGame, "", "bits", "sets: most values go on one by one"},
    {12, "Jump", kJumpGame, "waiting", "bits", "sets: most values go on one by one"},
    {65, "Twice", kTwiceGame, "", "bits", "sets: most values go on one by one"},
    {12, "Twice", kTwiceGame, "values", "bits", "sets: most values go on one by one"},
    {65, "TwoWays", kTwoWaysGame, "", "bits", "sets: most values go on one by one"},
    {5, "TwoWays", kTwoWaysGame, "", "one by one", "sets: 5 values, at least 6 pay"},
    {65, "Last", kLastGame, "", "sets, cost 50", ""},
    {12, "Last", kLastGame, "waiting", "sets, cost 25", ""},
    {12, "Last", kLastGame, "sets", "waiting values", "sets: left out"},
};

class Border : public testing::TestWithParam<BorderCase> {};

TEST_P(Border, LiesWhereItShould) {
  const BorderCase& border = GetParam();
  const std::string plan = plan_of(text_of({border.cells, border.game.rules}), border.without);
  const std::string choice = "x = any of " + std::to_string(border.cells) + ": ";
  EXPECT_THAT(plan, testing::HasSubstr(choice + border.strategy + ":"));
  if (*border.no_sets != '\0') {
    EXPECT_THAT(plan, testing::HasSubstr(std::string("      - ") + border.no_sets + "\n"));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Border, testing::ValuesIn(kBorders), [](const auto& info) {
  std::string name = info.param.name + std::to_string(info.param.cells) + "_" + info.param.without;
  std::ranges::replace(name, ',', '_');
  return name;
});

// A plan is to be read by people.
TEST(Plan, OfAChessFitsOnAFewPages) {
  for (const char* const name : {"hrg/chess.hrg", "rbg/amazons.rbg"}) {
    const std::string path = std::string(RGTRANS_SOURCE_DIR) + "/games/" + name;
    Diagnostics diagnostics;
    ir::Game game = load_text(path, read_file(path), *find_frontend(std::string(name).substr(0, 3)), diagnostics);
    passes::optimize(game);
    const std::string text = plan_text(game);
    EXPECT_LT(std::ranges::count(text, '\n'), 150) << text;
    EXPECT_GT(std::ranges::count(text, '\n'), 10) << text;
  }
}

}  // namespace
}  // namespace rgtrans::cpp
