// Explorations of small automata with hand-written deeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/analysis/analysis.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kPlayer = 0, kX = 1, kY = 2, kVisible = 3;
constexpr std::size_t kVariables = 4;

class Explorations : public testing::Test {
 protected:
  void add(std::uint32_t from, std::uint32_t to, Deed deed, std::vector<std::uint32_t> reads = {},
           std::uint32_t written = kX) {
    Deeds::Row row;
    row.from = from;
    row.to = to;
    row.deed = deed;
    row.written = ir::VarId(written);
    row.whole = writes(deed);
    row.ends_move = row.whole && written == kPlayer;
    std::vector<ir::VarId> variables;
    for (const std::uint32_t v : reads) variables.emplace_back(v);
    deeds.add(row, variables);
  }
  static Question moves_from(std::uint32_t start) {
    Question question;
    question.starts = {start};
    return question;
  }
  static Question all_moves_from(std::uint32_t start) {
    Question question = moves_from(start);
    question.all_moves = question.keep_starts = true;
    return question;
  }
  static Question check(std::uint32_t from, std::uint32_t to) {
    Question question = moves_from(from);
    question.target = to;
    return question;
  }
  Exploration explored(const Question& question) {
    deeds.finish();
    return explore(deeds, question);
  }
  static std::vector<std::size_t> listed(const Bits& set) { return {set.begin(), set.end()}; }
  std::vector<std::size_t> live(Exploration exploration, std::uint32_t node, Reading reading = {}) {
    reading.variables = kVariables;
    find_live(exploration, deeds, reading);
    return listed(exploration.live[exploration.local.at(node)]);
  }

  Deeds deeds{10};
};

TEST_F(Explorations, EndWithTheMoveOrAtTheTarget) {
  add(0, 1, Deed::compare);
  add(0, 2, Deed::nothing);  // a dead end
  add(1, 3, Deed::assign, {}, kPlayer);
  add(3, 4, Deed::assign, {}, kPlayer);
  const Exploration move = explored(moves_from(0));
  EXPECT_THAT(move.nodes, ElementsAre(0, 1));
  EXPECT_EQ(move.edges.back().deed, Deed::end_move);
  EXPECT_TRUE(move.in[0].empty());
  EXPECT_THAT(explore(deeds, check(0, 3)).nodes, ElementsAre(0, 1, 3));
  EXPECT_THAT(explore(deeds, check(2, 3)).nodes, IsEmpty());
  Question kept = check(2, 3);
  kept.keep_starts = true;
  EXPECT_THAT(explore(deeds, kept).nodes, ElementsAre(2));
  const Exploration all = explore(deeds, all_moves_from(0));
  EXPECT_THAT(all.nodes, ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(all.starts, ElementsAre(0, 2, 3));
}

TEST_F(Explorations, LivenessIsStrong) {
  add(0, 1, Deed::assign, {kY});  // nothing reads x
  add(1, 2, Deed::compare, {kPlayer});
  add(2, 3, Deed::assign, {kX}, kPlayer);
  EXPECT_THAT(live(explored(moves_from(0)), 0), ElementsAre(kPlayer));
}

TEST_F(Explorations, WhoMovesNextIsAlwaysNeeded) {
  add(0, 1, Deed::assign, {}, kPlayer);
  add(1, 2, Deed::assign, {kX}, kPlayer);
  EXPECT_THAT(live(explored(all_moves_from(0)), 0), ElementsAre(kX));
  Reading reading;
  reading.behind_move = [](std::uint32_t) { return Bits(kVariables); };
  EXPECT_THAT(live(explore(deeds, moves_from(1)), 1, reading), ElementsAre(kX));
}

TEST_F(Explorations, TagsReadWhatIsShownAndWhoSeesItButNotInChecks) {
  add(0, 1, Deed::tag_variable, {kY});
  add(1, 2, Deed::assign, {}, kPlayer);
  Reading reading;
  reading.by_tags = ir::VarId(kVisible);
  EXPECT_THAT(live(explored(moves_from(0)), 0, reading), ElementsAre(kY, kVisible));
  EXPECT_THAT(live(explore(deeds, check(0, 1)), 0, reading), IsEmpty());
}

TEST_F(Explorations, ChecksReadWhatTheirWalksRead) {
  add(0, 1, Deed::check);
  Bits inner(kVariables);
  inner.set(kY);
  Reading reading;
  reading.by_check = [&](std::uint32_t) -> const Bits& { return inner; };
  EXPECT_THAT(live(explored(check(0, 1)), 0, reading), ElementsAre(kY));
}

TEST_F(Explorations, ChangesAddUpAndTagsBeginAnew) {
  add(0, 1, Deed::assign, {}, kX);
  add(1, 2, Deed::tag);
  add(2, 1, Deed::assign, {}, kY);
  add(2, 3, Deed::assign, {}, kPlayer);
  const Exploration move = explored(moves_from(0));
  const auto start = changed_since(Since::start, move, deeds, kVariables);
  const auto tag = changed_since(Since::tag, move, deeds, kVariables);
  EXPECT_THAT(listed(start[move.local.at(2)]), ElementsAre(kX, kY));
  EXPECT_THAT(listed(tag[move.local.at(2)]), IsEmpty());
  EXPECT_THAT(listed(tag[move.local.at(1)]), ElementsAre(kX, kY));
}

TEST_F(Explorations, KnowWhatLiesBehindAndBefore) {
  add(0, 1, Deed::nothing);
  add(0, 2, Deed::nothing);
  add(1, 3, Deed::nothing);
  add(2, 3, Deed::nothing);
  const Exploration found = explored(check(0, 3));
  const std::vector<std::uint32_t> one{found.local.at(1)};
  EXPECT_THAT(behind(found, one), ElementsAre(false, true, false, true));
  EXPECT_THAT(before(found, one), ElementsAre(true, true, false, false));
}

TEST(Promises, NameTargetsOfOneNode) {
  const ir::Game game = rg::parse_game(
      "type Player = { p }; type Score = { 0 }; @disjoint a : b c;\n"
      "begin, a: ; a, b: ; a, c: ; a, d: ; b, end: player = keeper; c, end: ; d, end: ;");
  const auto node = [&](const char* name) { return game.find_node(game.symbols.find(name)); };
  const Promises promises(game);
  EXPECT_TRUE(promises.exclude(node("a"), node("b"), node("c")));
  EXPECT_FALSE(promises.exclude(node("a"), node("b"), node("d")));
  EXPECT_FALSE(promises.exclude(node("a"), node("b"), node("b")));
  EXPECT_FALSE(promises.exclude(node("b"), node("b"), node("c")));
}

class SecondArrivals : public testing::Test {
 protected:
  // The edges must lead from a, where moves begin, to d, where they end.
  void load(const std::string& edges) {
    game = rg::parse_game("type Player = { p }; type Score = { 0 }; type T = { 1, 2 }; var x: T = 1; var y: T = 1;\n" +
                          edges + "begin, s: x = T(*); s, t: y = T(*); t, a: player = p; d, end: player = keeper;");
    deeds = deeds_of(game, [](const ir::Reachability&) { return 0U; });
    promises = Promises(game);
    held.emplace(game);
    exclusive.emplace(game, *held, Exclusive::kTries);
    Question question;
    question.starts = {node("a")};
    moves = explore(deeds, question);
    Reading reading;
    reading.variables = game.variables().size();
    reading.behind_move = [&](std::uint32_t) { return Bits(game.variables().size()); };
    find_live(moves, deeds, reading);
  }
  std::uint32_t node(const char* name) { return game.find_node(game.symbols.find(name)).value; }
  VisitFacts facts() { return {game, deeds, promises, *held, *exclusive}; }
  bool visited(const char* name) { return find_visits(moves, facts()).visit[moves.local.at(node(name))]; }
  bool late(const char* name) { return find_visits(moves, facts()).late[moves.local.at(node(name))]; }
  bool equal_labelings() { return find_equal_labelings(moves, facts())[0]; }

  ir::Game game;
  Deeds deeds{0};
  Promises promises;
  std::optional<HeldValues> held;
  std::optional<Exclusive> exclusive;
  Exploration moves;
};

TEST_F(SecondArrivals, ArePossibleWhereBothWaysCanBeWalked) {
  load("a, b: x == 1; a, c: y == 1; b, d: ; c, d: ;");
  EXPECT_TRUE(visited("d"));
  EXPECT_TRUE(equal_labelings());
}

TEST_F(SecondArrivals, AreNoneBehindConditionsThatExcludeEachOther) {
  load("a, b: x == 1; a, c: x == 2; b, d: ; c, d: ;");
  EXPECT_FALSE(visited("d"));
  EXPECT_FALSE(equal_labelings());
}

class RoundsOfLoops : public SecondArrivals {
 protected:
  // Whether walks on the edges between a, b and c end.
  bool end(const std::string& edges) {
    load(edges);
    Rounds rounds(moves, game, *held);
    Rounds::Edges loop;
    for (std::uint32_t e = 0; e < moves.edges.size(); ++e) {
      if (moves.edges[e].deed != Deed::end_move && moves.edges[e].target != moves.local.at(node("d")))
        loop.push_back(e);
    }
    return rounds.end(loop);
  }
};

TEST_F(RoundsOfLoops, EndWhereNoValuesComeBack) {
  EXPECT_TRUE(end("a, b: x != 2; b, a: x = 2; a, d: x == 2;"));
  EXPECT_FALSE(end("a, b: x != 2; b, a: x = 1; a, d: x == 2;"));
  EXPECT_FALSE(end("a, b: x != 2; b, a: y = 2; a, d: x == 2;")) << "nobody reads y";
}

TEST_F(RoundsOfLoops, LookAtVariablesTogetherThatAreComputedFromEachOther) {
  const std::string both = "const next: T -> T -> T = { 1: { 1: 2, :1 }, :{ 1: 2, :2 } };";
  EXPECT_TRUE(end(both + "a, b: next[x][y] != x; b, c: x = next[x][y]; c, a: y = 1; a, d: next[x][y] == x;"));
  EXPECT_FALSE(end(both + "a, b: next[x][y] != x; b, c: x = next[x][y]; c, a: x = y; a, d: next[x][y] == x;"));
}

TEST_F(RoundsOfLoops, LeaveOutWhatIsTakenABoundedNumberOfTimes) {
  // Whenever x has changed, y is 1 again.
  EXPECT_TRUE(end("a, b: y == 1; b, a: y = 2; a, c: y == 2; c, e: x == 1; e, f: x = 2; f, a: y = 1; c, d: x == 2;"));
  EXPECT_FALSE(end("a, b: y == 1; b, a: y = 2; a, c: y == 2; c, e: x == 1; e, f: ; f, a: y = 1; c, d: x == 2;"));
}

TEST_F(SecondArrivals, AreCertainInALoopWithoutEffect) {
  load("a, b: ; b, c: x == 1; c, b: ; c, d: y == 1;");
  EXPECT_TRUE(visited("b"));
  EXPECT_FALSE(late("b"));
  load("a, b: ; b, c: x == 1; c, b: y = 2; c, d: y == 1;");
  EXPECT_TRUE(late("b"));
}

TEST_F(SecondArrivals, AreToldApartByTags) {
  load("a, b: $ 1; a, c: $ 2; b, d: ; c, d: ;");
  EXPECT_FALSE(visited("d"));
  EXPECT_FALSE(equal_labelings());
  load("a, b: $ 1; a, c: $$ x; b, d: ; c, d: ;");
  EXPECT_TRUE(visited("d"));
  EXPECT_TRUE(equal_labelings());
}

TEST_F(SecondArrivals, LoseAChoiceThatNobodyReads) {
  load("a, b: x = T(*); b, d: $$ x;");
  EXPECT_FALSE(equal_labelings());
  load("a, b: x = T(*); b, d: ;");
  EXPECT_TRUE(equal_labelings());
}

TEST_F(SecondArrivals, AreBelievedToBeNoneWherePromised) {
  load("@unique d;\na, b: x == 1; a, c: y == 1; b, d: ; c, d: ;");
  EXPECT_FALSE(visited("d"));
}

}  // namespace
}  // namespace rgtrans::analysis
