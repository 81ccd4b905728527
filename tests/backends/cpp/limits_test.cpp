// Plays and moves beyond the limits of a compiled reasoner end with an error, not with the process.
#include "core/support/limits.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/quick_reasoner.hpp"

namespace rgtrans::cpp {
namespace {

ir::Game limited_game(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("game.rg", text, *find_frontend("rg"), diagnostics);
}

std::string problem_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.diagnostics().front().message;
  }
  return "";
}

// As code, and as tables.
class CompiledLimits : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) limits::cpp_code.set(1);
  }
  void TearDown() override { limits::cpp_code.set(limits::cpp_code.standard()); }
};

TEST_P(CompiledLimits, AKeeperWhoMovesForeverIsReported) {
  const ir::Game game = limited_game(
      "type Player = {p}; type Score = {0};\n"
      "begin, a: player = p; a, b: $ go; b, c: player = keeper; c, d: player = keeper; d, c: player = keeper;\n"
      "a, z: $ stop; z, end: player = keeper;");
  const auto reasoner = test::quick_reasoner(game);
  const auto interpreter = make_interpreter(game);
  const auto perft = [](Reasoner& engine) { return problem_of([&] { engine.perft(2); }); };
  EXPECT_THAT(perft(*interpreter), testing::StartsWith("keeper moves more than 10000000 times in a row, last at "));
  EXPECT_EQ(perft(*reasoner), perft(*interpreter));
  EXPECT_EQ(reasoner->perft(1), 2U) << "the error is over";
  for (const bool sample : {false, true}) {
    const auto play = [&](Reasoner& engine) {
      return problem_of([&] { engine.playouts({.count = 50, .sample = sample}); });
    };
    EXPECT_THAT(play(*interpreter), testing::HasSubstr("times in a row, last at "));
    EXPECT_EQ(play(*reasoner), play(*interpreter));
  }
}

TEST_P(CompiledLimits, AMoveWithTooManyTagsIsReported) {
  std::string type, next;
  constexpr int kTags = 300;
  for (int i = 0; i <= kTags; ++i) {
    type += fmt::format("{}n{}", i == 0 ? "" : ", ", i);
    if (i < kTags) next += fmt::format("n{}: n{}, ", i, i + 1);
  }
  const ir::Game game =
      limited_game("type Player = {p}; type Score = {0}; type N = {" + type + "};\nconst next: N -> N = {" + next +
                   ":n0}; var n: N = n0;\nbegin, a: player = p; a, b: $ one; a, c: $ many;\n" +
                   fmt::format("c, d: n != n{0}; d, e: $ x; e, c: n = next[n]; c, b: n == n{0};\n", kTags) +
                   "b, end: player = keeper;");
  const auto reasoner = test::quick_reasoner(game);
  constexpr const char* kWhy = "a move has more than 254 tags, the limit of a compiled reasoner";
  reasoner->apply(0);
  EXPECT_EQ(make_interpreter(game)->perft(1), 2U);
  EXPECT_EQ(problem_of([&] { reasoner->move_count(); }), kWhy);
  EXPECT_EQ(problem_of([&] { reasoner->perft(1); }), kWhy);
  // Tables play without tags.
  EXPECT_EQ(problem_of([&] { reasoner->playouts({.count = 5}); }), GetParam() ? "" : kWhy);
  ASSERT_TRUE(reasoner->undo());
  EXPECT_EQ(reasoner->move_count(), 1U) << "the error is over";
}

INSTANTIATE_TEST_SUITE_P(Forms, CompiledLimits, testing::Bool());

}  // namespace
}  // namespace rgtrans::cpp
