// Hostile descriptions: each is refused quickly with a message that names the exceeded limit.

#include "frontends/hrg/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "frontends/hrg/hrg.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans::hrg {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHead =
    "domain Player = x | o\n"
    "domain Score = 0 | 1\n"
    "domain N = I(X) where X in 0..3\n"
    "n : N\n";

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string first_message(const std::string& text) {
  Diagnostics diagnostics;
  load("test.hrg", kHead + text, diagnostics);
  return diagnostics.has_errors() ? diagnostics.all().front().message : "";
}

TEST(HrgLimits, Nesting) {
  constexpr std::size_t kMany = 50'000;
  const std::string open = repeated("(", kMany);
  EXPECT_EQ(first_message("graph rules() { check(" + open + "n == n" + repeated(")", kMany) + ") }"),
            "this is nested too deeply");
  EXPECT_EQ(first_message("graph rules() { " + repeated("loop { ", kMany) + repeated("}", kMany) + " }"),
            "this is nested too deeply");
  EXPECT_EQ(first_message("t : " + repeated("N -> ", kMany) + "N"), "this is nested too deeply");
  EXPECT_EQ(first_message("f : N -> N\nf(I(X)) = I(" + repeated("0 + ", kMany) + "0)"), "this expression is too long");
  EXPECT_EQ(first_message("graph rules() { n = n" + repeated("[n]", kMany) + " }"), "this expression is too long");
  EXPECT_EQ(first_message("graph rules() { check(" + repeated("!", kMany) + "true()) end() }"),
            "this is nested too deeply");
  // Chains of && do not count as nesting.
  EXPECT_EQ(first_message("graph rules() { player = x check(" + repeated("n == I(0) && ", kMany) + "n == n) end() }"),
            "");
}

TEST(HrgLimits, CopiesOfGraphs) {
  auto chain = [](std::size_t length, const std::string& calls, const std::string& last) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) {
      std::string body = calls;
      const std::string next = "g" + std::to_string(i + 1) + "()";
      for (std::size_t at = body.find('#'); at != std::string::npos; at = body.find('#')) body.replace(at, 1, next);
      text += "graph g" + std::to_string(i) + "() { " + body + " }\n";
    }
    return text + "graph g" + std::to_string(length) + "() { " + last + " }\ngraph rules() { player = x g0() end() }";
  };
  const ScaledLimit edges(limits::edges), statements(limits::statements);
  EXPECT_THAT(first_message(chain(60, "# #", "")), HasSubstr("the game becomes too large"));
  EXPECT_THAT(first_message(chain(60, "# #", "n = I(0)")), HasSubstr("the automaton becomes too large"));
  EXPECT_THAT(first_message(chain(5000, "#", "n = I(0)")), HasSubstr("graphs are nested too deeply"));
  EXPECT_EQ(first_message(chain(60, "check(reachable(#)) n = I(1) check(reachable(#))", "n = I(0)")), "");
  EXPECT_THAT(first_message("graph rules() { repeat 1000000000 { repeat 1000000000 { } } end() }"),
              HasSubstr("the game becomes too large"));
}

TEST(HrgLimits, ConstantExpressions) {
  EXPECT_THAT(first_message("f : N -> N\nf(I(X)) = f(I(X + 1))\ngraph rules() { end() }"),
              HasSubstr("the recursion of f(I("));
  // Two calls per level, each evaluated once.
  EXPECT_EQ(
      first_message("f : N -> N\nf(I(X)) = if X > 300 then I(0) else if f(I(X + 1)) == f(I(X + 2)) then I(0) else "
                    "I(1)\ngraph rules() { end() }"),
      "");
  EXPECT_EQ(
      first_message(
          "domain B = P(X, Y) where X in 0..99, Y in 0..99\nf : B -> B -> N\nf(_, _) = I(0)\ngraph rules() { end() }"),
      "the function f is too large");
}

// A board of 100×100 squares, and 50 graphs copied into each other to a depth of five.
TEST(HrgLimits, LargeButSensibleGame) {
  std::string text =
      "domain Player = white | black\ndomain Score = 0 | 100\ndomain Piece = empty | Player\n"
      "domain Pos = P(X, Y) where X in 0..99, Y in 0..99\ndomain PosOrNull = null | Pos\n"
      "opponent : Player -> Player\nopponent(white) = black\nopponent(black) = white\n"
      "board : Pos -> Piece = { P(X, Y) = empty where X in 0..99, Y in 0..99 }\npos : PosOrNull\n";
  for (int i = 0; i < 10; ++i) {
    const std::string f = "d" + std::to_string(i);
    const std::string target =
        i % 2 == 0 ? "P(X + " + std::to_string(i) + ", Y)" : "P(X, Y - " + std::to_string(i) + ")";
    text += f + " : PosOrNull -> PosOrNull\n" + f + "(P(X, Y)) = if " + target + " in Pos then " + target +
            " else null\n" + f + "(null) = null\n";
  }
  for (int level = 0; level < 5; ++level) {
    for (int i = 0; i < 10; ++i) {
      auto name = [&](int l, int k) { return "l" + std::to_string(l) + "_" + std::to_string(k % 10); };
      const std::string d = "d" + std::to_string(i);
      text += "graph " + name(level, i) +
              "(me : Player, dir : PosOrNull -> PosOrNull) { check(board[pos] == empty) pos = " + d +
              "[pos] check(pos != null) ";
      if (level < 4) {
        text += name(level + 1, i) + "(opponent[me], " + d + ") if reachable(" + name(level + 1, i + 3) +
                "(me, dir)) { " + name(level + 1, i + 7) + "(me, dir) } ";
      }
      text += "pos = dir[pos] check(board[pos] != me) }\n";
    }
  }
  text += "graph rules() { loop { player = white pos = Pos(*) branch { $ none } ";
  for (int i = 0; i < 10; ++i) text += "or { l0_" + std::to_string(i) + "(white, d1) } ";
  text += "$$ pos player = keeper if pos == P(0, 0) { end() } } }";
  const auto start = std::chrono::steady_clock::now();
  Diagnostics diagnostics;
  const ir::Game game = load("large.hrg", text, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 2.0 * kPatience);
  EXPECT_GT(game.graph.edge_count(), 500U);
}

}  // namespace
}  // namespace rgtrans::hrg
