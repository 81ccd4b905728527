// Small tests of the semantics of RG, and the behaviour of the interpreter on improper descriptions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "backends/play/play.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/naive_evaluator.hpp"

namespace rgtrans {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kTypes = "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 };\n";

std::unique_ptr<Reasoner> play(std::string_view text) {
  return make_interpreter(rg::parse_game(std::string(kTypes) + std::string(text)));
}

std::vector<std::string> moves(Reasoner& reasoner) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) out.push_back(reasoner.move_text(i));
  return out;
}

// The moves after the first one (begin, s: player = p).
std::vector<std::string> second_moves(std::string_view text) {
  const auto reasoner = play(text);
  EXPECT_EQ(reasoner->move_count(), 1U);
  reasoner->apply(0);
  return moves(*reasoner);
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Semantics, AWalkOfACheckMayBeEmpty) {
  EXPECT_THAT(second_moves("begin, s: player = p; s, a: ? x -> x; a, b: $ t; b, end: player = keeper; x, y: ;"),
              ElementsAre("t"));
  EXPECT_THAT(second_moves("begin, s: player = p; s, a: ! x -> x; a, b: $ t; b, end: player = keeper; x, y: ;"),
              IsEmpty());
}

TEST(Semantics, IndicesAndRightSideAreEvaluatedBeforeTheAssignment) {
  EXPECT_THAT(second_moves("var x: T = 1; var m: T -> T = { :3, 1: 2 };"
                           "begin, s: player = p; s, a: m[x] = x; a, b: x = m[x]; b, c: $$ x; c, d: x = m[3];"
                           "d, e: $$ x; e, end: player = keeper;"),
              ElementsAre("1 3"));
}

TEST(Semantics, MapsAreEqualWhenTheyAgreeEverywhere) {
  EXPECT_THAT(second_moves("var a: T -> T = { :1, 2: 2 }; var b: T -> T = { :2, 1: 1, 3: 1 };"
                           "begin, s: player = p; s, u: a == b; u, v: $ equal; s, w: a != b; w, v: $ different;"
                           "v, end: player = keeper;"),
              ElementsAre("equal"));
}

// A key that one of two maps lacks, at any depth, gives its default there.
TEST(Semantics, NestedMapsAreComparedOverTheKeysOfBoth) {
  const std::string text = std::string(kTypes) +
                           "type A = { 1, 2 }; type B = { 1 };"
                           "var a: A -> B -> T = { :{ :3 }, 2: { :1, 1: 3 } }; var b: B -> A -> T = { :{ :3 } };"
                           "begin, s: player = p; s, u: a == b; u, v: $ equal; s, w: a != b; w, v: $ different;"
                           "v, end: player = keeper;";
  EXPECT_THAT(second_moves(std::string_view(text).substr(kTypes.size())), ElementsAre("different"));
  const ir::Game game = rg::parse_game(text);
  naive::Evaluator evaluator(game);
  const auto first = evaluator.moves(evaluator.initial());
  ASSERT_EQ(first.size(), 1U);
  const auto second = evaluator.moves(*first.begin()->second.begin());
  ASSERT_EQ(second.size(), 1U);
  EXPECT_THAT(second.begin()->first, HasSubstr("different"));
}

TEST(Semantics, MovesAreLabelings) {
  const auto reasoner = play(
      "begin, s: player = p; s, a: ; s, b: ; a, c: $ m; b, d: $ m; c, e: player = keeper; d, e: player = keeper;"
      "e, end: player = keeper;");
  reasoner->apply(0);
  EXPECT_THAT(moves(*reasoner), ElementsAre("m"));
  EXPECT_EQ(reasoner->walk_count(0), 2U);
  reasoner->reset();
  EXPECT_EQ(reasoner->perft(1), 1U);
  EXPECT_EQ(reasoner->perft_walks(1), 2U);
}

TEST(Semantics, GoalsTellStatesApart) {
  EXPECT_THAT(second_moves("begin, s: player = p; s, a: goals[p] = 9; s, a: goals[p] = 0; a, b: goals[p] == 9;"
                           "b, c: $ nine; a, d: goals[p] == 0; d, c: $ zero; c, end: player = keeper;"),
              UnorderedElementsAre("nine", "zero"));
}

TEST(Semantics, PassingThroughEndDoesNotCompleteThePlay) {
  const auto reasoner = play("begin, end: ; end, b: $ t; b, c: player = p; c, d: $ u; d, end: player = keeper;");
  EXPECT_FALSE(reasoner->terminal());
  EXPECT_THAT(moves(*reasoner), ElementsAre("t"));
  reasoner->apply(0);
  EXPECT_FALSE(reasoner->terminal());
  reasoner->apply(0);
  EXPECT_TRUE(reasoner->terminal());
  EXPECT_EQ(reasoner->move_count(), 0U);
}

TEST(Semantics, ACastDoesNotHideThePlayer) {
  const auto reasoner = play("begin, s: PlayerOrSystem(player) = q; s, t: $ x; t, end: player = keeper;");
  reasoner->apply(0);
  EXPECT_EQ(reasoner->mover(), 1U);
  EXPECT_THAT(moves(*reasoner), ElementsAre("x"));
}

TEST(Semantics, AnAnyAssignmentTriesTheMembersOfItsType) {
  EXPECT_THAT(second_moves("type U = { 3, 1 }; var x: T = 2; var m: T -> T = { :2 };"
                           "begin, s: player = p; s, a: m[x] = U(*); a, b: x = m[2]; b, c: $$ x;"
                           "c, end: player = keeper;"),
              ElementsAre("3", "1"));
}

TEST(Semantics, ThePlayerCanBeATag) {
  EXPECT_THAT(second_moves("begin, s: player = q; s, a: $$ player; a, end: player = keeper;"), ElementsAre("q"));
}

TEST(Semantics, ReadsOutsideAMapGiveItsDefault) {
  EXPECT_THAT(
      second_moves("type U = { 1, 2 }; const f: U -> T = { :3, 1: 2, 2: 2 }; var m: U -> T = { :1, 1: 2, 2: 2 };"
                   "var x: T = 3; var y: T = 1;"
                   "begin, s: player = p; s, a: y = f[x]; a, b: $$ y; b, c: y = m[x]; c, d: $$ y;"
                   "d, end: player = keeper;"),
      ElementsAre("3 1"));
}

TEST(Semantics, WholeMapsAreCopiedWithTheirDefaults) {
  EXPECT_THAT(second_moves("type U = { 1, 2 }; const f: U -> T = { :3, 1: 2 }; var m: U -> T = { :1 };"
                           "var x: T = 3; var y: T = 1;"
                           "begin, s: player = p; s, a: m = f; a, b: y = m[x]; b, c: $$ y; c, d: y = m[1]; d, e: $$ y;"
                           "e, f: m == f; f, end: player = keeper;"),
              ElementsAre("3 2"));
}

TEST(Semantics, ChecksNestAndForgetWhatTheyChange) {
  EXPECT_THAT(second_moves("var x: T = 1;"
                           "begin, s: player = p; s, a: ? u -> w; a, b: $$ x; b, end: player = keeper;"
                           "u, v: x = T(*); v, w: ! y -> z; y, z: x != 2;"),
              ElementsAre("1"));
}

TEST(Semantics, RandomMovesWithEqualResultsCountOnce) {
  const auto reasoner = play(
      "var x: T = 1;"
      "begin, s: player = random; s, a: x = T(*); a, b: $$ x; b, c: x = 1; c, d: player = p;"
      "d, e: $ go; e, end: player = keeper;");
  reasoner->apply(0);
  EXPECT_EQ(reasoner->move_count(), 3U);
  reasoner->reset();
  EXPECT_EQ(reasoner->perft(1), 1U);
  EXPECT_EQ(reasoner->perft(2), 1U);
}

TEST(Semantics, CyclesWithoutChangeEnd) {
  EXPECT_THAT(second_moves("var x: T = 1;"
                           "begin, s: player = p; s, s: ; s, t: ; t, s: ; t, t: x = 1; t, u: $ out;"
                           "u, end: player = keeper;"),
              ElementsAre("out"));
  // Only a cycle: no move.
  EXPECT_THAT(second_moves("var x: T = 1; begin, s: player = p; s, t: x == 1; t, s: x == 1; t, u: x == 2;"
                           "u, end: player = keeper;"),
              IsEmpty());
}

TEST(Semantics, TagsInChecksDoNotMakeThemEndless) {
  EXPECT_THAT(second_moves("begin, s: player = p; s, a: ! u -> w; a, b: $ t; b, end: player = keeper;"
                           "u, v: $ again; v, u: ; "),
              ElementsAre("t"));
}

// Without that there would be 2^60 walks.
TEST(Semantics, WalksThatMeetInTheSameStateGoOnAsOne) {
  const auto diamonds = [](const std::string& name) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      const std::string edge = name + std::to_string(i) + ", " + name + std::to_string(i + 1);
      text += edge + ": x = 1; " + edge + ": x = 2;";
    }
    return text;
  };
  EXPECT_THAT(second_moves("var x: T = 1; begin, a0: player = p; a60, s: ; s, t: $ t; t, end: player = keeper;" +
                           diamonds("a")),
              ElementsAre("t"));
  EXPECT_THAT(second_moves("var x: T = 1; begin, s: player = p; s, t: ! c0 -> u; t, v: $ t; v, end: player = keeper;"
                           "c60, u: x == 3;" +
                           diamonds("c")),
              ElementsAre("t"));
}

// x goes round a ring as long as m holds 1 there.
std::string ring(std::string_view m, std::string_view rest) {
  return fmt::format(
      "const next: T -> T = {{ :1, 1: 2, 2: 3 }}; var x: T = 1; var m: T -> T = {}; begin, s: player = p;"
      "t, end: player = keeper; {}",
      m, rest);
}

TEST(Semantics, ARingIsFollowedUntilSomethingStands) {
  const std::string_view check = "s, a: ? r -> f; a, t: $ hit; r, w: x = next[x]; w, r: m[x] == 1; w, f: m[x] == 2;";
  EXPECT_THAT(second_moves(ring("{ :1, 3: 2 }", check)), ElementsAre("hit"));
  EXPECT_THAT(second_moves(ring("{ :3, 3: 2 }", check)), IsEmpty());
  EXPECT_THAT(second_moves(ring("{ :1 }", check)), IsEmpty());
}

TEST(Semantics, TwoWaysOfARingAreBothTried) {
  const std::string_view check =
      "s, a: ? r -> f; a, t: $ hit; r, w: x = next[x]; w, r: m[x] != 3; w, v: m[x] != 2; v, f: x == 3;";
  EXPECT_THAT(second_moves(ring("{ :1 }", check)), ElementsAre("hit"));
  EXPECT_THAT(second_moves(ring("{ :1, 3: 2 }", check)), IsEmpty());
  EXPECT_THAT(second_moves(ring("{ :1, 2: 3 }", check)), IsEmpty());
  EXPECT_THAT(second_moves(ring("{ :1, 3: 3 }", check)), ElementsAre("hit"));
}

TEST(Semantics, EachPlaceOfARingIsAMove) {
  const std::string_view moves = "s, w: x = next[x]; w, s: m[x] == 1; w, v: m[x] != 3; v, t: $$ x;";
  EXPECT_THAT(second_moves(ring("{ :1 }", moves)), UnorderedElementsAre("1", "2", "3"));
  EXPECT_THAT(second_moves(ring("{ :1, 3: 2 }", moves)), UnorderedElementsAre("2", "3"));
  EXPECT_THAT(second_moves(ring("{ :1, 3: 3 }", moves)), UnorderedElementsAre("2"));
}

TEST(Semantics, ARestrictedReachOfTheReferenceExamples) {
  // Two loops that reach each square in many ways; one move per reachable square.
  EXPECT_THAT(second_moves("const f: T -> T = { :1, 1: 2, 2: 3 }; var x: T = 1;"
                           "begin, s: player = p; s, s: x = f[x]; s, a: $$ x; a, end: player = keeper;"),
              UnorderedElementsAre("1", "2", "3"));
}

TEST(Improper, EndlessTagsAreAnError) {
  const auto reasoner =
      play("begin, s: player = p; s, t: $ x; t, s: $ y; s, u: player = keeper; u, end: player = keeper;");
  reasoner->apply(0);
  EXPECT_THAT(error_of([&] { reasoner->move_count(); }), HasSubstr("tags"));
}

TEST(Improper, RecursiveChecksNameTheirNodes) {
  const auto reasoner = play("begin, s: player = p; s, t: ? a -> b; t, end: player = keeper; a, c: ? a -> b; c, b: ;");
  reasoner->apply(0);
  const std::string message = error_of([&] { reasoner->move_count(); });
  EXPECT_THAT(message, HasSubstr("from a to b"));
}

TEST(Improper, AStuckPlayIsAnError) {
  const auto reasoner = play("begin, s: player = p; s, t: p == q; t, end: player = keeper;");
  EXPECT_EQ(reasoner->perft(1), 0U);
  EXPECT_THAT(error_of([&] { reasoner->playouts({.count = 1}); }), HasSubstr("at s"));
}

TEST(Improper, KeeperForEverIsAnError) {
  const auto reasoner = play("begin, s: player = keeper; s, begin: player = keeper; s, end: p == q;");
  EXPECT_THAT(error_of([&] { reasoner->playouts({.count = 1}); }), HasSubstr("keeper"));
  if (!kSanitized) {
    EXPECT_THAT(error_of([&] { reasoner->perft(1); }), HasSubstr("keeper"));
  }
}

TEST(Improper, AWriteOutsideAMapIsLost) {
  EXPECT_THAT(
      second_moves("type U = { 1, 2 }; var m: U -> T = { :1 }; var x: T = 3; var y: T = 2;"
                   "begin, s: player = p; s, a: m[x] = 2; a, b: y = m[x]; b, c: $$ y; c, d: y = m[1]; d, e: $$ y;"
                   "e, end: player = keeper;"),
      ElementsAre("1 1"));
}

TEST(Observations, TagsAreSeenByThoseToWhomTheyAreVisible) {
  const auto reasoner = play(
      "var x: T = 1;"
      "begin, s: player = p; s, a: visible[q] = 0; a, b: x = T(*); b, c: $$ x; c, d: visible[q] = 1;"
      "d, e: $ done; e, end: player = keeper;");
  reasoner->apply(0);
  ASSERT_EQ(reasoner->move_count(), 3U);
  EXPECT_EQ(reasoner->move_text(1), "2 done");
  EXPECT_EQ(reasoner->observed_move_text(1, 0), "2 done");
  EXPECT_EQ(reasoner->observed_move_text(1, 1), "done");
  // Fingerprints distinguish differences that are read or seen, in any version of the game.
  EXPECT_NE(reasoner->move_fingerprint(0), reasoner->move_fingerprint(1));
  const char* const other =
      "begin, s: player = p; s, a: visible[q] = 0; a, b: x = T(*); b, c: $$ x; c, d: visible[q] = {}; d, e: $ done;"
      "e, end: player = keeper;";
  const auto same = play("var x: T = 3;" + fmt::format(fmt::runtime(other), 1));
  const auto hidden = play("var x: T = 3;" + fmt::format(fmt::runtime(other), 0));
  for (Reasoner* const version : {same.get(), hidden.get()}) {
    version->apply(0);
    ASSERT_EQ(version->move_text(1), "2 done");
  }
  EXPECT_EQ(reasoner->move_fingerprint(1), same->move_fingerprint(1));
  EXPECT_NE(reasoner->move_fingerprint(1), hidden->move_fingerprint(1));
  EXPECT_EQ(hidden->Reasoner::move_fingerprint(1) == same->Reasoner::move_fingerprint(1), false);
}

// Ways that differ in artificial tags only are one move. The value 1 that `$$` shows is no artificial tag.
constexpr const char* kArtificial =
    "@artificialTag up 1; @unique s;\n"
    "var x: T = 1; begin, s: player = p; s, a: $ up; s, b: $ down; a, c: $ go; b, c: $ go; s, d: $ up; d, c: $ go;"
    "s, f: $ 1; f, c: $ go; c, e: $$ x; e, end: player = keeper;";

TEST(ArtificialTags, AreNoPartOfAMove) {
  EXPECT_THAT(second_moves(kArtificial), UnorderedElementsAre("go 1", "down go 1"));
  const auto reasoner = play(kArtificial);
  EXPECT_EQ(reasoner->perft(1), 2U);
  EXPECT_EQ(reasoner->perft_walks(1), 3U) << "up, down and 1";
  EXPECT_THAT(play::divide(*reasoner, 1), ::testing::SizeIs(2));
  reasoner->apply(0);
  const std::size_t go = reasoner->move_text(0) == "go 1" ? 0 : 1;
  EXPECT_EQ(reasoner->observed_move_text(go, 1), "go 1");
  EXPECT_EQ(reasoner->walk_count(go), 2U);
  EXPECT_EQ(reasoner->walk_count(1 - go), 1U);
  EXPECT_EQ(reasoner->playouts({.count = 10}).branching_max, 2U);
}

TEST(ArtificialTags, AreLeftOutOfAPath) {
  const auto reasoner = play(kArtificial);
  play::go_to(*reasoner, "//go 1/");
  EXPECT_EQ(reasoner->mover(), reasoner->info().keeper());
}

TEST(ArtificialTags, DoNotMakeAGameProper) {
  const char* const text =
      "@artificialTag up down;\n"
      "var x: T = 1; begin, s: player = p; s, a: $ up; s, b: $ down; a, c: x = 2; b, c: x = 3; c, e: $ go;"
      "e, f: player = p; f, g: x == 2; f, h: x == 3; g, i: $ t; h, i: $ u; i, end: player = keeper;";
  const std::vector<Violation> violations = check_dynamic(rg::parse_game(std::string(kTypes) + text));
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations.front().kind, Violation::Kind::ambiguity);
}

// Thirty times one of two ways, which only artificial tags distinguish.
TEST(ArtificialTags, DoNotMultiplyEqualWalks) {
  std::string text = "@artificialTag l r; begin, n0: player = p;";
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("n{0}, l{0}: $ l; n{0}, r{0}: $ r; l{0}, n{1}: ; r{0}, n{1}: ;", i, i + 1);
  }
  EXPECT_THAT(second_moves(text + "n30, e: $ go; e, end: player = keeper;"), ElementsAre("go"));
}

// A cycle with an artificial tag comes back to the same state and ends there.
TEST(ArtificialTags, MayStandOnACycle) {
  EXPECT_THAT(
      second_moves("@artificialTag on; @unique s a; var x: T = 1; begin, s: player = p; s, a: $ on; a, s: x = T(*);"
                   "s, b: $$ x; b, end: player = keeper;"),
      UnorderedElementsAre("1", "2", "3"));
}

// Given the artificial tags, x would distinguish no further arrivals.
TEST(ArtificialTags, MakePromisesAboutVisitsUnreliable) {
  EXPECT_THAT(second_moves("@artificialTag l r; @repeat c : ; var x: T = 1; begin, s: player = p; s, a: $ l; s, b: $ r;"
                           "a, c: x = 2; b, c: x = 3; c, d: $$ x; d, end: player = keeper;"),
              UnorderedElementsAre("2", "3"));
}

TEST(States, ComeBackFromUndoAndBytes) {
  const auto reasoner = play(
      "var x: T = 1; var m: T -> T = { :1 };"
      "begin, s: player = p; s, a: x = T(*); a, b: m[x] = 2; b, c: $$ x; c, d: player = q;"
      "d, e: $ go; e, end: player = keeper;");
  const auto first = reasoner->state_bytes();
  const std::string described = reasoner->describe();
  reasoner->apply(0);
  reasoner->apply(2);
  const auto later = reasoner->state_bytes();
  EXPECT_NE(first, later);
  EXPECT_THAT(reasoner->describe(), HasSubstr("x: 3"));
  const auto copy = reasoner->clone();
  EXPECT_TRUE(copy->undo());
  EXPECT_TRUE(copy->undo());
  EXPECT_FALSE(copy->undo());
  EXPECT_EQ(copy->describe(), described);
  copy->set_state_bytes(later);
  EXPECT_EQ(copy->describe(), reasoner->describe());
  EXPECT_THAT(moves(*copy), ElementsAre("go"));
  auto broken = later;
  broken.back() = std::byte{255};
  EXPECT_THROW(copy->set_state_bytes(broken), Error);
  broken.pop_back();
  EXPECT_THROW(copy->set_state_bytes(broken), Error);
}

TEST(Pragmas, NeverChangeTheMoves) {
  const std::string text =
      "const f: T -> T = { :1, 1: 2, 2: 3 }; var x: T = 1;"
      "begin, s: player = p; s, s: x = f[x]; s, a: $$ x; a, end: player = keeper;";
  const auto plain = second_moves(text);
  EXPECT_EQ(second_moves(text + "@repeat s : x;"), plain);
  EXPECT_EQ(second_moves(text + "@unique begin end a;"), plain);
  EXPECT_EQ(second_moves(text + "@disjoint s : s;"), plain);
}

TEST(Limits, AreNamed) {
  std::string big = "type B = { ";
  for (int i = 0; i < 300; ++i) big += (i > 0 ? ", b" : "b") + std::to_string(i);
  big += " }; var m: B -> B -> B -> B -> B = { :{ :{ :{ :b0 } } } }; begin, s: player = p; s, end: player = keeper;";
  EXPECT_THAT(error_of([&] { play(big); }), HasSubstr("limit"));
}

}  // namespace
}  // namespace rgtrans
