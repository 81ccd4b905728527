// Each condition of proper descriptions, broken once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Violation> check(std::string_view text) {
  const std::string types = "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type U = { 1, 2 };\n";
  DynamicCheckOptions options;
  options.plays = 20;
  options.max_moves = 50;
  return check_dynamic(rg::parse_game(types + std::string(text)), options);
}

TEST(CheckDynamic, AcceptsAProperGame) {
  EXPECT_THAT(check("var x: T = 1; begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;"),
              IsEmpty());
}

TEST(CheckDynamic, FindsAmbiguity) {
  const auto found = check(
      "var x: T = 1; begin, s: player = p; s, a: x = T(*); a, b: $ m; b, c: player = keeper; c, end: player = keeper;");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Violation::Kind::ambiguity);
  EXPECT_THAT(found[0].message, HasSubstr("in x"));
  EXPECT_EQ(found[0].path, "//");
  EXPECT_TRUE(found[0].where.known());
  EXPECT_EQ(found[0].severity, Severity::warning) << "nothing reads x again";
  const auto read = check(
      "var x: T = 1; begin, s: player = p; s, a: x = T(*); a, b: $ m; b, c: player = keeper;"
      "c, d: x == 1; d, e: goals[p] = 9; c, e: x != 1; e, end: player = keeper;");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].severity, Severity::error);
}

TEST(CheckDynamic, FindsUndecidedKeepers) {
  const auto found = check("begin, a: $ x; begin, a: $ y; a, end: player = keeper;");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Violation::Kind::keeper);
  EXPECT_THAT(found[0].message, HasSubstr("begin"));
}

TEST(CheckDynamic, FindsStuckPlays) {
  const auto found = check("var x: T = 1; begin, s: player = p; s, t: x == 2; t, end: player = keeper;");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Violation::Kind::stuck);
  EXPECT_EQ(found[0].path, "//");
}

TEST(CheckDynamic, FindsWrongKeysAndValues) {
  const auto keys = check(
      "var x: T = 3; var m: U -> T = { :1 };"
      "begin, s: player = p; s, t: m[x] == 1; t, end: player = keeper;");
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].kind, Violation::Kind::action);
  EXPECT_THAT(keys[0].message, HasSubstr("key 3"));
  const auto values = check(
      "var x: T = 3; var y: U = 1;"
      "begin, s: player = p; s, t: y = x; t, end: player = keeper;");
  ASSERT_EQ(values.size(), 1U);
  EXPECT_THAT(values[0].message, HasSubstr("3 is stored"));
}

TEST(CheckDynamic, FindsRecursiveChecksAndEndlessMovesAndPlays) {
  const auto recursive =
      check("begin, s: player = p; s, t: ? a -> b; s, t: ; t, end: player = keeper; a, c: ? a -> b; c, b: ;");
  ASSERT_FALSE(recursive.empty());
  EXPECT_THAT(recursive[0].message, HasSubstr("recursive"));
  const auto tags = check("begin, s: player = p; s, t: $ x; t, s: ; s, end: player = keeper;");
  ASSERT_FALSE(tags.empty());
  EXPECT_EQ(tags[0].kind, Violation::Kind::length);
  const auto plays =
      check("var x: T = 1; begin, s: player = p; s, begin: player = keeper; s, t: x == 2; t, end: player = keeper;");
  ASSERT_FALSE(plays.empty());
  EXPECT_EQ(plays[0].kind, Violation::Kind::length);
}

TEST(CheckDynamic, AllPlaysTogetherTakeBoundedTime) {
  const ir::Game game =
      rg::parse_game("type Player = { p, q }; type Score = { 0, 9 };\nbegin, s: player = p; s, end: player = keeper;");
  constexpr std::uint64_t kPlays = 1000, kSteps = 100;
  std::uint64_t played = 0;
  const auto found = check_dynamic(game, {.plays = kPlays, .max_all_steps = kSteps, .played = &played});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Violation::Kind::length);
  EXPECT_LE(played, kSteps);
  EXPECT_THAT(check_dynamic(game, {.plays = kPlays}), IsEmpty());
}

// Reading outside of a map has a meaning; languages whose maps are partial do not want to hear of it.
// Without merging, each of these moves would have 2^40 or 3^40 walks.
TEST(CheckDynamic, WalksThatAgreeAreFollowedOnce) {
  std::string choices = "var x: T = 1; begin, s0: player = p;", branches = choices;
  for (int i = 0; i < 40; ++i) {
    choices += fmt::format("s{0}, t{0}: x = T(*); t{0}, s{1}: x = 1;", i, i + 1);
    branches += fmt::format("s{0}, t{0}: ; s{0}, u{0}: x == 1; t{0}, s{1}: ; u{0}, s{1}: ;", i, i + 1);
  }
  for (const std::string& text : {choices, branches})
    EXPECT_THAT(check(text + "s40, end: player = keeper;"), IsEmpty()) << text;
}

// A loop without a choice returns to its first node, where the exploration began.
TEST(CheckDynamic, LoopsWithoutAnEffectEnd) {
  EXPECT_THAT(check("begin, s: player = p; s, a: ; a, s: ; a, end: player = keeper;"), IsEmpty());
  EXPECT_THAT(check("begin, s: player = p; s, t: ? c -> d; t, end: player = keeper; c, a: ; a, c: ; a, d: ;"),
              IsEmpty());
}

// More symbols than a byte can number.
TEST(CheckDynamic, ManySymbolsStayDistinct) {
  std::string text = "type N = { 0";
  for (int i = 1; i < 600; ++i) text += fmt::format(", {}", i);
  text += " }; var x: N = 0; begin, s: player = p; s, a: x = N(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_THAT(check(text), IsEmpty());
  const auto found = check(text + "a, c: x != 300; c, d: $ 300; d, end: player = keeper;");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, Violation::Kind::ambiguity);
}

TEST(CheckDynamic, ReadingOutsideOfAMapIsAWarning) {
  const std::string text =
      "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type U = { 1, 2 };\n"
      "var x: T = 3; var m: U -> T = { :1 };\n"
      "begin, s: player = p; s, t: m[x] == 1; s, u: m[x] == 1; t, end: player = keeper; u, end: player = keeper;";
  const ir::Game game = rg::parse_game(text);
  const auto told = check_dynamic(game, {.plays = 2});
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].severity, Severity::warning);
  EXPECT_THAT(told[0].message, HasSubstr("whose default is read"));
  EXPECT_THAT(check_dynamic(game, {.plays = 2, .keys = false}), IsEmpty());
  EXPECT_THAT(check_dynamic(game, {.plays = 2, .warnings = false}), IsEmpty());
  const auto written =
      check("var x: T = 3; var m: U -> T = { :1 }; begin, s: player = p; s, t: m[x] = 1; t, end: player = keeper;");
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0].severity, Severity::error) << "the value is lost";
}

TEST(CheckDynamic, TellsWhoIsIdle) {
  const ir::Game game =
      rg::parse_game("type Player = { p, q }; type Score = { 0, 9 };\nbegin, s: player = p; s, end: player = keeper;");
  std::vector<std::string> messages;
  for (const Violation& v : check_dynamic(game, {.plays = 20, .idle = true})) {
    EXPECT_EQ(v.severity, Severity::warning);
    messages.push_back(v.message);
  }
  EXPECT_THAT(messages, testing::ElementsAre("in 20 random plays q never moved",
                                             "in 20 random plays nobody's score ever changed"));
}

}  // namespace
}  // namespace rgtrans
