// Equality of games: proved on all states, refuted by a shortest play, under texts, a map or a renaming that is found.
#include "backends/lockstep/equal.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
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

// In each turn a player has the moves of a list. All but the first one count, and three of these bring the prize.
std::string turns(const std::vector<std::vector<std::string>>& names, const std::string& prize = "1") {
  std::string edges;
  for (std::size_t turn = 0; turn < names.size(); ++turn) {
    for (std::size_t i = 0; i < names[turn].size(); ++i) {
      const std::string at = std::to_string(turn), made = at + "m" + std::to_string(i);
      edges += "t" + at + ", " + made + ": $ " + names[turn][i] + "; " + made + ", w" + at + ": " +
               (i == 0 ? "" : "sum = up[sum]") + ";";
    }
    edges += "w" + std::to_string(turn) + ", t" + std::to_string(turn + 1) +
             ": player = " + (turn + 1 < names.size() ? "p" : "keeper") + ";";
  }
  const std::string last = "t" + std::to_string(names.size());
  return "type Player = { p }; type Score = { 0, 1, 2 }; type Sum = { 0, 1, 2, 3 }; type Up = Sum -> Sum; const up: Up "
         "= { 0: 1, 1: 2, 2: 3, :3 }; var sum: Sum = 0; begin, t0: player = p;" +
         edges + last + ", y: sum == 3; " + last + ", z: sum != 3; y, z: goals[p] = " + prize +
         "; z, end: player = keeper;";
}

// One game calls a move by its place, the other by the place and the turn.
TEST(Equal, FindsSeveralNamesForOne) {
  const std::string few = turns({{"a", "b"}, {"a", "b"}, {"a", "b"}});
  const std::string many = turns({{"a1", "b1"}, {"a2", "b2"}, {"a3", "b3"}});
  EqualOptions there, back;
  EXPECT_EQ(by_structure(many, few, there).verdict, Verdict::equal);
  EXPECT_EQ(there.renaming.moves.size(), 6U);
  EXPECT_FALSE(there.renaming.reversed);
  const EqualResult result = by_structure(few, many, back);
  EXPECT_EQ(result.verdict, Verdict::equal);
  EXPECT_EQ(result.match, Match::structure);
  EXPECT_NE(json(result, nullptr, 0, {}, {}).find(R"("match": "structure")"), std::string::npos);
  EXPECT_EQ(back.renaming.moves.size(), 6U);
  EXPECT_TRUE(back.renaming.reversed);
  // The renaming alone proves it, too, and a play under it has the names of both games.
  EXPECT_EQ(compare(few, many, back).verdict, Verdict::equal);
  const EqualResult other = compare(few, turns({{"a1", "b1"}, {"a2", "b2"}, {"a3", "b3"}}, "2"), back);
  EXPECT_EQ(other.kind, "score");
  ASSERT_EQ(other.path.size(), 3U);
  EXPECT_EQ(other.path[1].first, "b");
  EXPECT_EQ(other.path[1].second, "b2");
}

// Names change their meanings with the state in both games, so that no renaming does.
TEST(Equal, MatchesMovesByResults) {
  const std::string one = turns({{"a", "b"}, {"a", "b"}, {"c", "b"}});
  const std::string two = turns({{"d", "e"}, {"e", "d"}, {"d", "e"}});
  EqualOptions options;
  EXPECT_EQ(by_structure(one, two, options).verdict, Verdict::different);
  options.renaming = {};
  const EqualResult result = compare_matched(*make_interpreter(rg::parse_game(one)),
                                             *make_interpreter(rg::parse_game(two)), options, Match::automatic);
  EXPECT_EQ(result.verdict, Verdict::equal);
  EXPECT_EQ(result.match, Match::results);
  EXPECT_TRUE(options.renaming.identical());
  const auto results = [](const std::string& a, const std::string& b) {
    return compare_by_results(*make_interpreter(rg::parse_game(a)), *make_interpreter(rg::parse_game(b)), {});
  };
  // Another score is a difference, with a shortest play to it.
  const EqualResult score = results(one, turns({{"d", "e"}, {"e", "d"}, {"d", "e"}}, "2"));
  EXPECT_EQ(score.verdict, Verdict::different);
  EXPECT_EQ(score.kind, "score");
  EXPECT_EQ(score.path.size(), 3U);
  // So is one move more, even where it changes nothing.
  EXPECT_EQ(results(one, turns({{"d", "e"}, {"e", "d"}, {"d", "e", "f"}})).kind, "moves");
}

// Both games have the same names, but for other moves.
TEST(Equal, RenamesMovesWhoseNamesAreSwapped) {
  const auto game = [](const std::string& win, const std::string& loss, const std::string& prize = "1") {
    return std::string(kTypes) + "begin, a: player = p; a, b: $ " + win +
           "; b, c: player = keeper; c, d: goals[p] = " + prize + "; d, end: player = keeper; a, e: $ " + loss +
           "; e, end: player = keeper;";
  };
  const auto compared = [](const std::string& one, const std::string& two, EqualOptions& options) {
    return compare_matched(*make_interpreter(rg::parse_game(one)), *make_interpreter(rg::parse_game(two)), options,
                           Match::automatic);
  };
  EqualOptions options;
  const EqualResult result = compared(game("x", "y"), game("y", "x"), options);
  EXPECT_EQ(result.verdict, Verdict::equal);
  EXPECT_EQ(result.match, Match::structure);
  EXPECT_EQ(options.renaming.moves.size(), 2U);
  EqualOptions other;
  const EqualResult different = compared(game("x", "y"), game("x", "y", "2"), other);
  EXPECT_EQ(different.verdict, Verdict::different);
  EXPECT_EQ(different.match, Match::texts);
  EXPECT_EQ(different.kind, "score");
  EXPECT_TRUE(other.renaming.identical());
}

// Plays that return to a state are compared, too.
TEST(Equal, MatchesEndlessPlaysByResults) {
  const std::string types = kTypes;
  const auto around = [&](const std::string& go, const std::string& stop, const std::string& prize) {
    return types + "begin, s: player = p; s, a: $ " + go + "; a, s: player = p; s, b: $ " + stop +
           "; b, c: goals[p] = " + prize + "; c, end: player = keeper;";
  };
  const auto results = [](const std::string& a, const std::string& b) {
    return compare_by_results(*make_interpreter(rg::parse_game(a)), *make_interpreter(rg::parse_game(b)), {});
  };
  EXPECT_EQ(results(around("go", "stop", "9"), around("on", "off", "9")).verdict, Verdict::equal);
  EXPECT_EQ(results(around("go", "stop", "9"), around("on", "off", "0")).verdict, Verdict::different);
  const std::string hidden =
      types + "begin, v: visible[q] = 0; v, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_THROW(results(hidden, hidden), Error);
}

// What a bound ends goes on from a file, to the same answer, and a file of other games is refused.
TEST(Equal, GoesOnFromAFile) {
  const std::string game = lines({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, "");
  const std::string other = lines({"a", "b", "c", "d", "e", "f", "g", "h", "i"},
                                  "t, z: board[a] == 1; z, zx: board[e] == 1; zx, won: board[i] == 1;");
  const std::string path =
      (std::filesystem::temp_directory_path() / ("equal" + std::to_string(::getpid()) + ".work")).string();
  for (const std::string& second : {game, other}) {
    const EqualResult whole = compare(game, second);
    EqualOptions options;
    options.resume = path;
    options.identity = "these";
    std::size_t runs = 0;
    for (options.states = 10;; options.states *= 2, ++runs) {
      const EqualResult part = compare(game, second, options);
      if (part.verdict == Verdict::open) {
        EXPECT_TRUE(std::filesystem::exists(path));
        EqualOptions foreign = options;
        foreign.identity = "others";
        EXPECT_THROW(compare(game, second, foreign), Error);
        continue;
      }
      EXPECT_EQ(part.verdict, whole.verdict);
      EXPECT_EQ(part.path.size(), whole.path.size());
      EXPECT_EQ(part.depth, whole.depth);
      if (whole.verdict == Verdict::equal) {
        EXPECT_EQ(part.states, whole.states);
        EXPECT_EQ(part.moves, whole.moves);
      }
      break;
    }
    EXPECT_GT(runs, 2U);
    EXPECT_FALSE(std::filesystem::exists(path));
  }
}

TEST(Equal, RefusesADamagedFile) {
  const std::string game = lines({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, "");
  const std::string path =
      (std::filesystem::temp_directory_path() / ("damaged" + std::to_string(::getpid()) + ".work")).string();
  EqualOptions options;
  options.resume = path;
  options.states = 100;
  compare(game, game, options);
  options.states = 1000;
  const std::string text = read_file(path);
  for (std::size_t at = 200; at < text.size(); at += text.size() / 40) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    write_file(path, damaged);
    EXPECT_THROW(compare(game, game, options), Error) << at;
    write_file(path, text.substr(0, at));
    EXPECT_THROW(compare(game, game, options), Error) << at;
  }
  std::filesystem::remove(path);
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
