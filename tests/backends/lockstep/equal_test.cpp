// Equality of games: proved on all states, refuted by a shortest play, under texts, a map or a renaming that is found.
#include "backends/lockstep/equal.hpp"

#include <gmock/gmock.h>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::lockstep {
namespace {

using testing::HasSubstr;

constexpr const char* kTypes =
    "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; var x: T = 1; var y: T = 1;";

EqualResult compare(const std::string& first, const std::string& second, const EqualOptions& options = {}) {
  return compare_games(*make_interpreter(rg::parse_game(first)), *make_interpreter(rg::parse_game(second)), options);
}
EqualResult by_structure(const std::string& first, const std::string& second, EqualOptions& options) {
  return compare_by_structure(*make_interpreter(rg::parse_game(first)), *make_interpreter(rg::parse_game(second)),
                              options);
}

// Two players name a number in turn; who names the other's number ends the play and wins.
std::string echo(const std::string& numbers = "1, 2, 3", const std::string& first = "p", const std::string& win = "9") {
  return "type Player = { p, q }; type Score = { 0, 9 }; type N = { " + numbers + " }; type M = { none, " + numbers +
         " }; var last: M = none; var n: N = " + numbers.substr(0, 1) + "; var me: Player = " + first +
         "; const other: Player -> Player = { p: q, :p };"
         "begin, turn: player = PlayerOrSystem(me); turn, a: n = N(*); a, b: $$ n; b, won: M(n) == last;"
         "b, c: M(n) != last; c, d: last = M(n); d, e: me = other[me]; e, turn: player = PlayerOrSystem(me);"
         "won, f: goals[me] = " +
         win + "; f, end: player = keeper;";
}

TEST(Equal, ProvesTheWholeGame) {
  ir::Game optimized = rg::parse_game(echo());
  passes::optimize(optimized);
  const EqualResult result = compare_games(*make_interpreter(rg::parse_game(echo())), *make_interpreter(optimized), {});
  EXPECT_EQ(result.verdict, Verdict::equal) << result.difference;
  EXPECT_GT(result.states, 8U);
  EXPECT_TRUE(result.path.empty());
}

TEST(Equal, FindsAShortestPlayToAnotherScore) {
  const EqualResult result = compare(echo(), echo("1, 2, 3", "p", "0"));
  EXPECT_EQ(result.verdict, Verdict::different);
  EXPECT_EQ(result.kind, "score");
  ASSERT_EQ(result.path.size(), 2U);
  EXPECT_EQ(result.path[0].mover, "p");
  EXPECT_EQ(result.path[1].mover, "q");
  EXPECT_EQ(result.path[0].first, result.path[1].first);
}

TEST(Equal, NamesMovesThatOneGameLacks) {
  const EqualResult result = compare(echo(), echo("1, 2, 4"));
  EXPECT_EQ(result.kind, "moves");
  EXPECT_THAT(result.difference, HasSubstr("only in the first game: \"3\"; only in the second game: \"4\""));
}

TEST(Equal, FindsAnotherMover) { EXPECT_EQ(compare(echo(), echo("1, 2, 3", "q")).kind, "mover"); }

TEST(Equal, FollowsAMap) {
  EqualOptions options;
  options.renaming.moves[{NameMap::kEveryMover, "3"}] = "4";
  EXPECT_EQ(compare(echo(), echo("1, 2, 4"), options).verdict, Verdict::equal);
  options.renaming.moves[{NameMap::kEveryMover, "8"}] = "1";
  const EqualResult result = compare(echo(), echo("1, 2, 4"), options);
  ASSERT_EQ(result.unused.size(), 1U);
  EXPECT_EQ(result.unused[0].second, "8");
}

TEST(Equal, FindsARenaming) {
  EqualOptions options;
  EXPECT_EQ(by_structure(echo(), echo("a, b, c"), options).verdict, Verdict::equal);
  EXPECT_EQ(options.renaming.moves.size(), 6U);  // of each player
  // The players change places, too.
  EqualOptions swapped;
  EXPECT_EQ(by_structure(echo(), echo("a, b, c", "q"), swapped).verdict, Verdict::equal);
  EXPECT_EQ(swapped.renaming.players, (std::vector<std::size_t>{1, 0}));
}

TEST(Equal, FindsNoRenamingOfAnotherGame) {
  EqualOptions options;
  const EqualResult result = by_structure(echo(), echo("a, b, c", "p", "0"), options);
  EXPECT_EQ(result.verdict, Verdict::different);
  EqualOptions fewer;
  EXPECT_EQ(by_structure(echo(), echo("a, b"), fewer).kind, "moves");
}

// The lines of a board of three by three in another order of cells: only some permutations keep the lines.
std::string lines(const std::vector<std::string>& cells, const std::string& last_line) {
  std::string names, edges;
  for (const std::string& cell : cells) names += (names.empty() ? "" : ", ") + cell;
  const auto line = [&](const std::string& a, const std::string& b, const std::string& c) {
    const std::string from = a + b + c;
    edges += "t, " + from + ": board[" + a + "] == 1; " + from + ", " + from + "x: board[" + b + "] == 1; " + from +
             "x, won: board[" + c + "] == 1;";
  };
  for (std::size_t i = 0; i < 3; ++i) {
    line(cells[3 * i], cells[3 * i + 1], cells[3 * i + 2]);
    if (i < 2) line(cells[i], cells[i + 3], cells[i + 6]);
  }
  return "type Player = { p }; type Score = { 0, 9 }; type C = { " + names +
         " }; type B = { 0, 1 }; type Count = { 0, 1, 2, 3, 4 }; type Board = C -> B; type Less = Count -> Count; var "
         "board: Board = { :0 }; var at: C = " +
         cells[0] +
         "; var left: Count "
         "= 4;"
         "const less: Less = { 4: 3, 3: 2, 2: 1, :0 };"
         "begin, m: player = p; m, a: at = C(*); a, b: board[at] == 0; b, d: $$ at; d, e: board[at] = 1; e, f: left = "
         "less[left];"
         "f, g: ? t -> won; g, h: goals[p] = 9; h, end: player = keeper; f, i: ! t -> won; i, end1: left == 0;"
         "end1, end: player = keeper; i, j: left != 0; j, m: player = p;" +
         edges + last_line;
}

TEST(Equal, SearchesAmongSymmetries) {
  const std::string first = lines({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, "");
  const std::string again = lines({"f", "i", "a", "c", "h", "b", "e", "g", "d"}, "");
  EqualOptions options;
  const EqualResult result = by_structure(first, again, options);
  EXPECT_EQ(result.verdict, Verdict::equal) << result.difference << result.stopped;
  // One more line, a diagonal, is a difference under every renaming.
  EqualOptions other;
  const std::string more = lines({"f", "i", "a", "c", "h", "b", "e", "g", "d"},
                                 "t, z: board[f] == 1; z, zx: board[h] == 1; zx, won: board[d] == 1;");
  EXPECT_EQ(by_structure(first, more, other).verdict, Verdict::different);
}

TEST(Equal, ComparesWhatPlayersSee) {
  const std::string types = kTypes;
  const std::string open = types + "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;";
  const std::string hidden =
      types + "begin, v: visible[q] = 0; v, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_EQ(compare(open, hidden).kind, "views");
  EXPECT_EQ(compare(hidden, hidden).verdict, Verdict::equal);
  EqualOptions options;
  EXPECT_EQ(by_structure(open, hidden, options).kind, "views");
}

TEST(Equal, SkipsForcedMoves) {
  const std::string types = kTypes;
  const std::string decided = types +
                              "begin, s: player = p; s, a: $ only; a, b: player = q; b, c: x = T(*); c, d: $$ x; d, "
                              "end: player = keeper;";
  const std::string left_out = types + "begin, b: player = q; b, c: x = T(*); c, d: $$ x; d, end: player = keeper;";
  EXPECT_EQ(compare(decided, left_out).kind, "mover");
  EqualOptions options;
  options.skip_forced = true;
  EXPECT_EQ(compare(decided, left_out, options).verdict, Verdict::equal);
}

TEST(Equal, CountsWays) {
  const std::string types = kTypes;
  const std::string one = types + "begin, s: player = p; s, a: $ go; a, end: player = keeper;";
  const std::string two = types +
                          "begin, s: player = p; s, c: ; s, d: ; c, a: $ go; d, b: $ go; a, e: player = keeper; b, e: "
                          "player = keeper; e, end: player = keeper;";
  EXPECT_EQ(compare(one, two).verdict, Verdict::equal);
  EqualOptions options;
  options.ways = true;
  EXPECT_EQ(compare(one, two, options).kind, "ways");
}

TEST(Equal, StopsAtItsBounds) {
  EqualOptions options;
  options.states = 3;
  options.plays = 10;
  const EqualResult result = compare(echo(), echo(), options);
  EXPECT_EQ(result.verdict, Verdict::open);
  EXPECT_EQ(result.plays, 10U);
  EXPECT_EQ(result.stopped, "the limit of 3 states");
  // The plays find what the states did not reach.
  options.states = 1;
  EXPECT_EQ(compare(echo(), echo("1, 2, 3", "p", "0"), options).verdict, Verdict::different);
}

TEST(Equal, RefusesAKeeperWithAChoice) {
  const std::string several = std::string(kTypes) +
                              "begin, a: $ one; a, end: player = keeper; begin, b: $ two; b, c: player = p; c, "
                              "d: $ go; d, end: player = keeper;";
  EXPECT_THROW(compare(several, several), Error);
}

// Threads find the same pairs, and a difference at the same distance.
TEST(Equal, AgreesAmongThreads) {
  const std::string game = lines({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, "");
  const std::string other = lines({"a", "b", "c", "d", "e", "f", "g", "h", "i"},
                                  "t, z: board[a] == 1; z, zx: board[e] == 1; zx, won: board[i] == 1;");
  EqualOptions many;
  many.threads = 4;
  EXPECT_EQ(compare(game, game, many).states, compare(game, game).states);
  EXPECT_EQ(compare(game, other, many).path.size(), compare(game, other).path.size());
}

}  // namespace
}  // namespace rgtrans::lockstep
