// Each condition of proper descriptions: proved by an analysis alone, refuted by a play, or left open.
#include "backends/proper/proper.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "backends/proper/matching.hpp"
#include "backends/proper/solver.hpp"
#include "core/support/play_path.hpp"
#include "frontends/hrg/hrg.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::proper {
namespace {

using testing::HasSubstr;

constexpr const char* kTypes =
    "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type Mark = { e, o };\n"
    "type Board = T -> Mark; const up: T -> T = { 1: 2, 2: 3, :3 };\n";

ir::Game game_of(const std::string& text) { return rg::parse_game(kTypes + text); }

DutyAnswer by_analysis(Duty duty, const std::string& text) {
  ProperOptions options;
  options.search = false;
  return examine(game_of(text), options).answers[static_cast<std::size_t>(duty)];
}
DutyAnswer by_search(Duty duty, const std::string& text) {
  ProperOptions options;
  options.prove = false;
  return examine(game_of(text), options).answers[static_cast<std::size_t>(duty)];
}

// Marks cells until none is empty.
constexpr const char* kFilling =
    "var x: T = 1; var b: Board = { :e };\n"
    "begin, s: player = p; s, a: x = T(*); a, c: b[x] == e; c, d: b[x] = o; d, f: $$ x; f, k: player = keeper;\n"
    "k, z: ! h -> i; z, end: player = keeper; k, g: ? h -> i; g, s: player = p;\n"
    "h, j: x = T(*); j, i: b[x] == e;\n";

class Proofs : public testing::Test {
 protected:
  void SetUp() override {
    if (!solver_found()) GTEST_SKIP() << "Z3 is not installed";
  }
};

TEST_F(Proofs, FilledCellsEndThePlay) {
  const DutyAnswer answer = by_analysis(Duty::ends, kFilling);
  EXPECT_EQ(answer.standing, DutyStanding::proved) << answer.reason;
  EXPECT_THAT(answer.reason, HasSubstr("a measure of b falls"));
}

TEST_F(Proofs, CellsThatAreEmptiedDoNot) {
  std::string text = kFilling;
  text.replace(text.find("g, s: player = p"), 16, "g, s0: b[x] = e; s0, s: player = p");
  EXPECT_EQ(by_analysis(Duty::ends, text).standing, DutyStanding::open);
}

TEST_F(Proofs, ACounterThatStopsAtItsLimitEndsThePlay) {
  const std::string counter =
      "var n: T = 1; begin, s: player = p; s, a: n != 3; a, b: n = up[n]; b, s: player = p; s, z: n == 3;"
      "z, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::ends, counter).standing, DutyStanding::proved);
  // At 3 it stays.
  const std::string stays =
      "var n: T = 1; begin, s: player = p; s, b: n = up[n]; b, s: player = p; s, z: n == 3; z, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::ends, stays).standing, DutyStanding::open);
}

// A man moves up the cells and never back, but the number of men stays: only weights of single cells prove it.
TEST_F(Proofs, MenThatAdvanceEndThePlay) {
  const std::string men =
      "var x: T = 1; var b: Board = { 1: o, :e }; begin, s: player = p; s, a: x = T(*); a, c: b[x] == o;"
      "c, c1: x != 3; c1, d: b[x] = e; d, f: x = up[x]; f, g: b[x] == e; g, h: b[x] = o; h, s: player = p;"
      "s, z: b[3] == o; z, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::ends, men).standing, DutyStanding::proved) << by_analysis(Duty::ends, men).reason;
}

TEST_F(Proofs, MeasuresCanBeNested) {
  // The inner counter starts again whenever the outer one advances.
  const std::string nested =
      "var n: T = 1; var m: T = 1; begin, s: player = p; s, a: n != 3; a, b: n = up[n]; b, s: player = p;"
      "s, c: n == 3; c, d: m != 3; d, f: m = up[m]; f, g: n = 1; g, s: player = p;"
      "c, z: m == 3; z, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::ends, nested).standing, DutyStanding::proved) << by_analysis(Duty::ends, nested).reason;
}

TEST_F(Proofs, ACheckBeforeTheMoveExcludesDeadEnds) {
  const DutyAnswer answer = by_analysis(Duty::moves, kFilling);
  EXPECT_EQ(answer.standing, DutyStanding::proved) << answer.reason;
  EXPECT_EQ(by_analysis(Duty::keeper, kFilling).standing, DutyStanding::proved);
}

TEST_F(Proofs, WithoutTheCheckADeadEndIsFound) {
  std::string text = kFilling;
  text.replace(text.find("? h -> i;"), 8, "");
  EXPECT_EQ(by_analysis(Duty::moves, text).standing, DutyStanding::open);
  const DutyAnswer answer = by_search(Duty::moves, text);
  EXPECT_EQ(answer.standing, DutyStanding::refuted);
  EXPECT_THAT(answer.reason, HasSubstr("p has no legal move"));
  EXPECT_EQ(path_length(*answer.play), 7U) << *answer.play;
}

TEST_F(Proofs, ConditionsThatCoverAllStatesAreProved) {
  const std::string covered =
      "var x: T = 1; begin, s: player = p; s, a: x == 1; s, a: x != 1; a, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::moves, covered).standing, DutyStanding::proved);
  const std::string gap =
      "var x: T = 1; begin, b: x = T(*); b, s: player = p; s, a: x == 1; s, a: x == 2; a, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::moves, gap).standing, DutyStanding::open);
}

TEST_F(Proofs, KeeperIsDecidedWhereAPlayerMayBeStuck) {
  const std::string stuck =
      "var x: T = 1; begin, s: player = p; s, a: x == 2; a, k: player = keeper; k, z: x == 1; k, z: x != 1;"
      "z, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::moves, stuck).standing, DutyStanding::open);
  EXPECT_EQ(by_analysis(Duty::keeper, stuck).standing, DutyStanding::proved);
}

// The first move follows no check.
TEST_F(Proofs, ACheckBeforeEachLaterMoveIsEnough) {
  std::string text = kFilling;
  text.replace(text.find("begin, s: player = p;"), 21, "begin, l: ; l, s: player = p;");
  text.replace(text.find("g, s: player = p"), 16, "g, l: ");
  EXPECT_EQ(by_analysis(Duty::moves, text).standing, DutyStanding::proved) << by_analysis(Duty::moves, text).reason;
}

TEST_F(Proofs, AReadOutsideOfAMapGivesItsDefault) {
  const std::string start =
      "type W = { 1, 2, 3, 4 }; var v: W = 4; var b: Board = { 1: o, :e }; begin, s: player = p; s, a: b[T(v)] == ";
  EXPECT_EQ(by_analysis(Duty::moves, start + "e; a, end: player = keeper;").standing, DutyStanding::proved);
  EXPECT_EQ(by_analysis(Duty::moves, start + "o; a, end: player = keeper;").standing, DutyStanding::open);
}

TEST_F(Proofs, AnOwnerOfAManTellsThatThereIsOne) {
  const std::string taking =
      "type Man = { none, man }; type Side = { p, nobody }; const owner: Man -> Side = { man: p, :nobody };"
      "var m: T -> Man = { 1: none, :man }; var x: T = 1; begin, s: player = p; s, a: x = T(*); a, c: owner[m[x]] == p;"
      "c, d: m[x] = none; d, f: $$ x; f, s: player = p; s, z: m[3] == none; z, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::ends, taking).standing, DutyStanding::proved) << by_analysis(Duty::ends, taking).reason;
}

// All marks are removed in one move. There are too many orders for the walks to be followed.
TEST_F(Proofs, ALoopWithinAMoveEndsByAMeasure) {
  std::vector<std::string> cells;
  for (int i = 0; i < 40; ++i) cells.push_back(fmt::format("c{}", i));
  const auto game = [&](const std::string& stored) {
    return fmt::format(
        "type Cell = {{ {} }}; var x: Cell = c0; var b: Cell -> Mark = {{ :e }}; var n: T = 1;"
        "begin, k: x = Cell(*); k, l0: b[x] = o; l0, l: player = p; l, c: ? h -> i; c, d: x = Cell(*);"
        "d, f: b[x] == o; f, l: b[x] = {}; l, z: ! h -> i; z, end: player = keeper; h, j: x = Cell(*); j, i: b[x] == o;"
        "k, l1: n = 1; l1, l: player = p;",
        fmt::join(cells, ", "), stored);
  };
  const DutyAnswer answer = by_analysis(Duty::moves, game("e"));
  EXPECT_EQ(answer.standing, DutyStanding::proved) << answer.reason;
  EXPECT_EQ(by_analysis(Duty::moves, game("o")).standing, DutyStanding::open);
}

// The walks of a check are matched by those of a move with more tags and stores, but not with more conditions.
TEST(MatchingWalks, ShowThatAMoveFollowsACheck) {
  const auto implied = [](const std::string& move) {
    const ir::Game game = game_of(
        "var x: T = 1; var y: T = 1; var b: Board = { :e }; begin, k: y = T(*); k, s: ? h -> i; s, s1: player = p;"
        "h, j: x = T(*); j, i: b[x] == e;" +
        move + "d, end: player = keeper;");
    KnownGame known(game);
    const auto node = [&](const char* name) { return known.game.find_node(known.game.symbols.intern(name)); };
    std::vector<bool> sure(known.game.graph.node_bound(), false);
    sure[node("d").value] = true;
    return implies_move(known, {node("h"), node("i"), false}, node("s1"), sure, 1);
  };
  EXPECT_TRUE(implied("s1, a: x = T(*); a, c: b[x] == e; c, d: $$ x;"));
  EXPECT_TRUE(implied("s1, s2: $ m; s2, s3: y = 2; s3, a: x = T(*); a, c: b[x] == e; c, d: b[x] = o;"));
  EXPECT_FALSE(implied("s1, a: x = T(*); a, c: b[x] == e; c, d: x != y;"));
  EXPECT_FALSE(implied("s1, s2: b[2] = o; s2, a: x = T(*); a, c: b[x] == e; c, d: $$ x;"));
  EXPECT_FALSE(implied("s1, a: x = 2; a, c: b[x] == e; c, d: $$ x;"));
}

TEST_F(Proofs, KeeperWithTwoTagsIsLeftOpenOrRefuted) {
  const std::string two = "begin, a: $ x; begin, a: $ y; a, end: player = keeper;";
  EXPECT_EQ(by_analysis(Duty::keeper, two).standing, DutyStanding::open);
  EXPECT_EQ(by_search(Duty::keeper, two).standing, DutyStanding::refuted);
}

TEST(Search, AnEndlessPlayRefutesThatPlaysEnd) {
  const DutyAnswer answer =
      by_search(Duty::ends,
                "var x: T = 1; begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, s: player = p;"
                "a, c: x == 3; c, end: player = keeper;");
  EXPECT_EQ(answer.standing, DutyStanding::refuted);
  EXPECT_THAT(answer.reason, HasSubstr("come back to this state"));
  ASSERT_TRUE(answer.play.has_value());
}

TEST(Search, AllStatesOfASmallGameDecideAndBoundIt) {
  ProperOptions options;
  options.prove = false;
  const ProperReport report = examine(game_of(kFilling), options);
  for (const Duty duty : {Duty::moves, Duty::keeper, Duty::ends, Duty::results, Duty::actions})
    EXPECT_EQ(report.answers[static_cast<std::size_t>(duty)].standing, DutyStanding::proved) << describe(duty);
  EXPECT_TRUE(report.bounds.exact);
  EXPECT_EQ(report.bounds.moves, 3);
  EXPECT_EQ(report.bounds.length, 3);
}

TEST(Search, AmbiguityAndInvalidActionsAreRefuted) {
  EXPECT_EQ(by_search(Duty::results,
                      "var x: T = 1; begin, s: player = p; s, a: x = T(*); a, b: $ m; b, c: player = keeper;"
                      "c, d: x == 1; d, f: goals[p] = 9; c, f: x != 1; f, end: player = keeper;")
                .standing,
            DutyStanding::refuted);
  EXPECT_EQ(by_search(Duty::actions,
                      "var m: Mark -> T = { :1 }; var u: T = 1; type W = { e, o, w }; var v: W = w;"
                      "begin, s: player = p; s, a: m[Mark(v)] = u; a, end: player = keeper;")
                .standing,
            DutyStanding::refuted);
}

// p and keeper come to the same node.
TEST(Search, AKeeperWithoutMovesIsFoundWhereAPlayerHasNoneEither) {
  const std::string text =
      "var x: T = 1; begin, c: player = p; c, d: $ a; c, f: $ b; d, s: player = p; f, s: player = keeper;"
      "s, z: x == 2; z, end: player = keeper;";
  EXPECT_EQ(by_search(Duty::moves, text).standing, DutyStanding::refuted);
  EXPECT_EQ(by_search(Duty::keeper, text).standing, DutyStanding::refuted);
}

// Only w reads y, and nothing reads w. So the search for other violations forgets that y is 3.
TEST(Search, ActionsAreJudgedByTheValuesThatTheStateHas) {
  EXPECT_EQ(by_search(Duty::actions,
                      "type Three = { 3 }; var y: T = 1; var w: Three = 3; begin, s: player = p; s, a: y = 3;"
                      "a, b: $ m; b, t: player = p; t, c: w = y; c, end: player = keeper;")
                .standing,
            DutyStanding::proved);
}

TEST(Search, AnActionBehindAnyWalkOfAMoveMayBeInvalid) {
  const std::string text =
      "type Three = { 3 }; var y: T = 1; var w: Three = 3; begin, s: player = p; s, a: y = T(*); a, b: $ m;"
      "b, t: player = p; t, c: w = y; c, end: player = keeper;";
  EXPECT_EQ(by_search(Duty::results, text).standing, DutyStanding::proved);
  EXPECT_EQ(by_search(Duty::actions, text).standing, DutyStanding::open);
}

TEST(Search, ManyRemarksHideNoViolation) {
  // Each move has walks that differ in a variable that nothing reads.
  std::string text = "var x: T = 1; var y: T = 1; begin, s0: player = p;";
  for (int i = 0; i < 1200; ++i)
    text += fmt::format("s{0}, a{0}: y = T(*); a{0}, b{0}: $ m; b{0}, s{1}: player = p;", i, i + 1);
  EXPECT_EQ(by_search(Duty::moves, text + "s1200, z: x == 2; z, end: player = keeper;").standing,
            DutyStanding::refuted);
}

TEST(Search, AnInvalidActionIsShownWhereTheMovesCannotBeListed) {
  const DutyAnswer answer =
      by_search(Duty::actions,
                "type Three = { 3 }; var y: T = 1; var w: Three = 3; begin, s: player = p; s, t: $ m; t, u: player = p;"
                "u, c: w = y; c, d: $ n; d, c: ; c, end: player = keeper;");
  EXPECT_EQ(answer.standing, DutyStanding::refuted);
  EXPECT_EQ(path_length(answer.play.value_or("")), 2U) << answer.play.value_or("");
}

// With 4 as key nothing is stored, and the move can be repeated for ever.
TEST_F(Proofs, NothingReliesOnAStoreOutsideOfAMap) {
  const std::string text =
      "type W = { 1, 2, 3, 4 }; var k: W = 4; var b: Board = { :e }; begin, s: player = p; s, a: k = W(*);"
      "a, c: $$ k; c, d: b[T(k)] == e; d, f: b[T(k)] = o; f, s: player = p; c, z: b[T(k)] == o; z, end: player = "
      "keeper;";
  EXPECT_EQ(by_search(Duty::ends, text).standing, DutyStanding::refuted);
  const DutyAnswer answer = by_analysis(Duty::ends, text);
  EXPECT_EQ(answer.standing, DutyStanding::open) << answer.reason;
  // Behind the store the cell still reads e, so that s is reached.
  const std::string stuck =
      "type W = { 1, 2, 3, 4 }; var k: W = 4; var b: Board = { :e }; begin, y: $ n; y, end: player = keeper;"
      "begin, c: b[T(k)] = o; c, d: b[T(k)] == e; d, s: player = p; s, z: k == 1; z, end: player = keeper;";
  EXPECT_EQ(by_search(Duty::moves, stuck).standing, DutyStanding::refuted);
  EXPECT_EQ(by_analysis(Duty::moves, stuck).standing, DutyStanding::open);
}

TEST(Analysis, TypesOfKeysAndValuesAreProved) {
  EXPECT_EQ(by_analysis(Duty::actions, kFilling).standing, DutyStanding::proved);
  EXPECT_EQ(by_analysis(Duty::hidden, kFilling).standing, DutyStanding::proved);
  EXPECT_EQ(by_analysis(Duty::results, kFilling).standing, DutyStanding::proved);
  // A read of a key that the map lacks gives its default, also where it finds the place; a store is lost.
  const std::string start =
      "type W = { e, o, w }; var m: Mark -> T = { :1 }; var n: T -> T = { :1 }; var v: W = w; var u: T = 1;"
      "begin, s: player = p; s, a: ";
  for (const char* const read : {"u = m[Mark(v)]", "n[m[Mark(v)]] = u"}) {
    const std::string text = start + read + "; a, end: player = keeper;";
    EXPECT_EQ(by_analysis(Duty::actions, text).standing, DutyStanding::proved) << read;
    EXPECT_EQ(by_search(Duty::actions, text).standing, DutyStanding::proved) << read;
  }
  const std::string store = start + "m[Mark(v)] = u; a, end: player = keeper;";
  const DutyAnswer answer = by_analysis(Duty::actions, store);
  EXPECT_EQ(answer.standing, DutyStanding::open);
  EXPECT_THAT(answer.reason, HasSubstr("the key w"));
  EXPECT_EQ(by_search(Duty::actions, store).standing, DutyStanding::refuted);
}

TEST(Report, HasTheReasonAndTheLine) {
  const ir::Game game = game_of("var x: T = 1; begin, s: player = p; s, t: x == 2; t, end: player = keeper;");
  const ProperReport report = examine(game);
  const std::string shown = text(report, *game.sources());
  EXPECT_THAT(shown, HasSubstr("every state before the end has a legal move: refuted by this play: //"));
  EXPECT_THAT(shown, HasSubstr("p has no legal move at s, and the play is not over ("));
  EXPECT_THAT(json(report, *game.sources()).dump(), HasSubstr(R"("condition":"moves")"));
}

}  // namespace
}  // namespace rgtrans::proper
