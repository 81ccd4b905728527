// Two games explored together: equal ones completely, others to the first difference, whatever it is in.
#include "backends/lockstep/joint.hpp"

#include <gmock/gmock.h>

#include "backends/interpreter/interpreter.hpp"
#include "backends/lockstep/lockstep.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::lockstep {
namespace {

ir::Game joint_game(const std::string& edges) {
  return rg::parse_game(
      "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; var x: T = 1; var y: T = 1;" + edges);
}

JointResult together(const ir::Game& one, const ir::Game& other, const JointOptions& options = {}) {
  const auto first = make_interpreter(one);
  const auto second = make_interpreter(other);
  return explore_together(std::vector<Companion>{{first.get(), "one"}, {second.get(), "other"}}, options);
}
JointResult together(const char* one, const char* other, const JointOptions& options = {}) {
  return together(joint_game(one), joint_game(other), options);
}

// Three moves, twice, and the end.
constexpr const char* kTwice =
    "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: player = q; c, d: y = T(*); d, e: $$ y; e, f: x == y; e, "
    "g: "
    "x != y; f, h: goals[p] = 9; g, h: ; h, end: player = keeper;";

TEST(Joint, ComparesTheWholeGame) {
  ir::Game optimized = joint_game(kTwice);
  passes::optimize(optimized);
  const JointResult result = together(joint_game(kTwice), optimized);
  EXPECT_EQ(result.difference, "");
  EXPECT_TRUE(result.complete);
  // The first state, three behind the first move and nine ends.
  EXPECT_EQ(result.states, 13U);
  EXPECT_EQ(result.ends, 9U);
  EXPECT_EQ(result.moves, 12U);
}

TEST(Joint, SaysWhereAScoreDiffers) {
  std::string other = kTwice;
  other.replace(other.find("goals[p] = 9"), 12, "goals[p] = 0");
  const JointResult result = together(kTwice, other.c_str());
  EXPECT_EQ(result.kind, "score");
  EXPECT_EQ(result.difference, "the score of p is 0 instead of 9");
  ASSERT_EQ(result.path.size(), 2U);
  EXPECT_EQ(result.path[0], result.path[1]);
  EXPECT_FALSE(result.complete);
}

TEST(Joint, FindsMissingAndNewMoves) {
  const char* const fewer = "begin, s: player = p; s, a: x = T(*); a, b: x != 2; b, c: $$ x; c, end: player = keeper;";
  const char* const all = "begin, s: player = p; s, a: x = T(*); a, c: $$ x; c, end: player = keeper;";
  const JointResult missing = together(all, fewer);
  EXPECT_EQ(missing.kind, "moves");
  EXPECT_EQ(missing.difference, "2 moves instead of 3; missing: \"2\"");
  EXPECT_EQ(together(fewer, all).difference, "3 moves instead of 2; new: \"2\"");
  EXPECT_TRUE(missing.path.empty());
}

TEST(Joint, FindsAnotherMoverAndAnotherEnd) {
  const char* const p = "begin, s: player = p; s, a: $ one; a, b: player = q; b, c: $ two; c, end: player = keeper;";
  const char* const q = "begin, s: player = p; s, a: $ one; a, b: player = p; b, c: $ two; c, end: player = keeper;";
  const char* const shorter = "begin, s: player = p; s, a: $ one; a, end: player = keeper;";
  EXPECT_EQ(together(p, q).kind, "mover");
  EXPECT_EQ(together(p, q).path, std::vector<std::string>{"one"});
  EXPECT_EQ(together(p, shorter).difference, "the play is over too early");
  EXPECT_EQ(together(shorter, p).difference, "the play is not over");
}

// Keeper has two moves, so the game is improper. A companion that makes any one of them is not compared from there on.
TEST(Joint, StopsWhereKeeperHasAChoice) {
  const ir::Game several = joint_game(
      "begin, a: $ one; a, end: player = keeper; begin, b: $ two; b, c: player = p; c, "
      "d: $ go; d, end: player = keeper;");
  const ir::Game one = joint_game("begin, a: $ one; a, end: player = keeper;");
  const auto first = make_interpreter(several);
  const auto second = make_interpreter(one);
  const auto with = [&](bool lists) {
    std::vector<Companion> companions{{first.get(), "one"}, {second.get(), "other"}};
    companions[1].lists_keeper = lists;
    return explore_together(companions);
  };
  EXPECT_EQ(with(true).kind, "views");
  EXPECT_EQ(with(false).difference, "");
}

// Two walks of keeper end in different states, and behind one of them a move never ends.
TEST(Joint, LeavesTheOthersWhereTheFirstStops) {
  const ir::Game game = joint_game(
      "begin, a: ; a, b: player = keeper; a, c: player = p; b, d: ; d, b: $ on; c, end: "
      "player = keeper; b, end: player = keeper;");
  const auto first = make_interpreter(game);
  const auto second = make_interpreter(game);
  JointOptions options;
  options.certain = true;
  EXPECT_EQ(explore_together(std::vector<Companion>{{first.get(), "one"}, {second.get(), "other"}}, options).difference,
            "");
}

// A companion may leave out what needs no decision; it may not put something else there.
TEST(Joint, FollowsForcedMoves) {
  const char* const decided =
      "begin, s: player = p; s, a: $ only; a, b: player = q; b, c: x = T(*); c, d: $$ x; d, "
      "end: player = keeper;";
  const char* const left_out = "begin, b: player = q; b, c: x = T(*); c, d: $$ x; d, end: player = keeper;";
  const char* const another =
      "begin, s: player = p; s, a: $ other; a, b: player = q; b, c: x = T(*); c, d: $$ x; d, "
      "end: player = keeper;";
  EXPECT_EQ(together(decided, left_out).kind, "mover");
  const JointOptions forced{.forced = true};
  EXPECT_EQ(together(decided, left_out, {.forced = true, .views = false}).difference, "");
  EXPECT_EQ(together(decided, another, forced).kind, "forced");
  EXPECT_EQ(together(left_out, decided, {.forced = true, .views = false}).kind, "forced");
}

TEST(Joint, ComparesWhatPlayersSee) {
  const char* const open = "begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;";
  const char* const hidden =
      "begin, v: visible[q] = 0; v, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_EQ(together(open, hidden).kind, "views");
  EXPECT_EQ(together(open, hidden, {.views = false}).difference, "");
}

TEST(Joint, StopsAtItsBounds) {
  const JointResult few = together(kTwice, kTwice, {.moves = 5});
  EXPECT_EQ(few.moves, 5U);
  EXPECT_FALSE(few.complete);
  const JointResult shallow = together(kTwice, kTwice, {.depth = 1});
  EXPECT_EQ(shallow.states, 4U);
  EXPECT_FALSE(shallow.complete);
  EXPECT_EQ(together(kTwice, kTwice, {.stop = [] { return true; }}).moves, 0U);
}

// Texts of either game become words that both share.
TEST(Joint, MatchesMovesByWords) {
  const ir::Game one = joint_game("begin, s: player = p; s, a: $ left; a, end: player = keeper; s, a: $ right;");
  const ir::Game other = joint_game("begin, s: player = p; s, a: $ links; a, end: player = keeper; s, a: $ rechts;");
  const auto first = make_interpreter(one);
  const auto second = make_interpreter(other);
  const auto words = [](const std::string& tag) { return tag == "links" ? "left" : tag == "rechts" ? "right" : tag; };
  const JointResult result =
      explore_together(std::vector<Companion>{{first.get(), "one"}, {second.get(), "other", words, 1}}, JointOptions());
  EXPECT_EQ(result.difference, "");
  EXPECT_TRUE(result.complete);
}

}  // namespace
}  // namespace rgtrans::lockstep
