// Small games for the tests of passes: shared declarations, the result of a pass, and the comparison of game trees.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/naive_evaluator.hpp"

namespace rgtrans::passes {

inline constexpr const char* kFrame =
    "type Player = { p }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type U = { 1, 2 }; type M = T -> T;"
    "type N = T -> T -> T;"
    "const f: M = { 1: 2, 2: 3, :1 }; const h: M = { 1: 3, :2 }; const d: N = { 1: { 1: 2, :3 }, :{ 2: 1, :2 } };"
    "var x: T = 1; var y: T = 2; var z: U = 1; var m: M = { :1 }; var n: M = { 2: 2, :3 };";

inline ir::Game game(const std::string& edges) { return rg::parse_game(kFrame + edges); }

inline ir::Game transformed(const std::string& text, std::vector<std::string> names) {
  ir::Game g = game(text);
  OptimizeOptions options;
  options.passes = std::move(names);
  optimize(g, options);
  return g;
}

// The edges of a printed game.
inline std::vector<std::string> edges(const ir::Game& game) {
  std::vector<std::string> lines;
  const auto names = game.node_names();
  for (ir::EdgeId e : game.graph.edges()) lines.push_back(rg::print_edge(game, e, names));
  return lines;
}

inline std::vector<std::string> after(const std::string& text, std::vector<std::string> names) {
  return edges(transformed(text, std::move(names)));
}

// The pragmas that a pass writes.
inline std::vector<std::string> pragmas(const std::string& text, const std::string& pass) {
  const ir::Game g = transformed(text, {pass});
  std::vector<std::string> lines;
  for (const ir::Pragma& p : g.pragmas) lines.push_back(rg::print_pragma(g, p, g.node_names()));
  return lines;
}

// 7000 choices with two equal branches each.
inline std::string large_game() {
  std::string text;
  for (int i = 0; i < 7000; ++i) {
    const std::string n = std::to_string(i), next = i == 6999 ? "end" : "n" + std::to_string(i + 1);
    const std::string at = i == 0 ? "begin" : "n" + n;
    text += at + ", a" + n + ": $ 1; " + at + ", b" + n + ": $ 2; a" + n + ", " + next + ": x = 2; b" + n + ", " +
            next + ": x = 2;";
  }
  return text;
}

// Expects the same game tree after the pass alone and after the whole pipeline.
inline void keeps(const std::string& text, const std::string& pass) {
  const ir::Game before = game(text);
  for (const int level : {0, 1, 2}) {
    ir::Game g = before;
    OptimizeOptions options;
    if (level == 0) {
      options.passes = {pass};
    } else {
      options.level = level;
    }
    optimize(g, options);
    EXPECT_EQ(naive::compare(before, g, 5), "") << pass << " level " << level << "\n" << rg::print(g);
    EXPECT_EQ(naive::compare(before, g, 5, true), "") << "trusting pragmas";
    Diagnostics diagnostics(g.sources());
    ir::VerifyOptions quiet;
    quiet.warnings = false;
    ir::verify(g, diagnostics, quiet);
    EXPECT_FALSE(diagnostics.has_errors());
  }
}

// Expects that the pass changes nothing.
inline void leaves(const std::string& text, const std::string& pass) {
  EXPECT_EQ(rg::print(transformed(text, {pass})), rg::print(game(text))) << pass;
}

}  // namespace rgtrans::passes
