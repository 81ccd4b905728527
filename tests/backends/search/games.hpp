// Our own games, also on smaller boards: the text of a game with some of its numbers replaced.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "backends/search/search.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::search {

using Replacements = std::vector<std::pair<std::string, std::string>>;

inline ir::Game load_written(const std::string& file, const Replacements& replacements = {}) {
  const auto path = std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / file;
  std::string text = read_file(path);
  for (const auto& [from, to] : replacements) {
    EXPECT_NE(text.find(from), std::string::npos) << from << " is not in " << file;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  Diagnostics diagnostics;
  return load_text(file, text, choose_frontend(path, text), diagnostics);
}
inline ir::Game load_rg(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("test.rg", text, *find_frontend("rg"), diagnostics);
}
inline ir::Game optimized(ir::Game game) {
  passes::optimize(game);
  return game;
}
inline ir::Game load_own(const std::string& file, const Replacements& replacements = {}) {
  return optimized(load_written(file, replacements));
}

// The interpreter, with the symmetries of the game.
inline std::unique_ptr<Reasoner> own_with_symmetries(const std::string& file, const Replacements& replacements = {}) {
  const ir::Game game = load_own(file, replacements);
  InterpreterOptions options;
  options.symmetries = symmetries(game);
  return make_interpreter(game, options);
}

inline std::unique_ptr<Reasoner> own(const std::string& file, const Replacements& replacements = {}) {
  return make_interpreter(load_own(file, replacements));
}

// A value that was found, and its proof; "" where there is none.
struct Proven {
  Solution solution;
  std::string proof;
};
inline Proven prove(const Reasoner& position, const ir::Game& written, SolveOptions options = {.seconds = 100},
                    std::vector<std::string> path = {}) {
  Proven out;
  const ProofRequest request{&written, std::move(path), [&](std::string_view text) { out.proof += text; }};
  options.proof = &request;
  out.solution = solve(position, options);
  if (!out.solution.proven) out.proof.clear();
  return out;
}

// 4x4 or 5x4 squares (columns x rows) instead of 7x6.
inline Replacements connect_four(int columns, int rows) {
  std::string names = "1";
  for (int c = 2; c <= columns; ++c) names += " | " + std::to_string(c);
  const std::string r = std::to_string(rows), top = std::to_string(rows + 1);
  return {{"1 | 2 | 3 | 4 | 5 | 6 | 7", names},
          {"C in 1..7, R in 1..6", "C in 1.." + std::to_string(columns) + ", R in 1.." + r},
          {"N in 1..7", "N in 1.." + top},
          {"N < 7", "N < " + top},
          {"H(7)", "H(" + top + ")"}};
}
inline Replacements breakthrough(int columns, int rows) {
  const std::string c = std::to_string(columns), r = std::to_string(rows), below = std::to_string(rows - 1);
  return {{"F in 1..8, R in 7..8", "F in 1.." + c + ", R in " + below + ".." + r},
          {"F in 1..8, R in 1..8", "F in 1.." + c + ", R in 1.." + r},
          {"F in 1..8, R in 1..2", "F in 1.." + c + ", R in 1..2"},
          {"R == 8", "R == " + r}};
}
inline Replacements hex(int size) {
  const std::string n = std::to_string(size);
  return {{"1..11", "1.." + n}, {"== 11", "== " + n}};
}
inline Replacements clobber(int columns, int rows) {
  return {{"F in 1..8, R in 1..8", "F in 1.." + std::to_string(columns) + ", R in 1.." + std::to_string(rows)}};
}

// Boxes in a row and in a column instead of 4 and 4.
inline Replacements dots_and_boxes(int columns, int rows) {
  const auto text = [](int n) { return std::to_string(n); };
  const int boxes = columns * rows, lines = columns * (rows + 1) + rows * (columns + 1);
  return {
      {"H(X, Y) where X in 1..4, Y in 1..5", "H(X, Y) where X in 1.." + text(columns) + ", Y in 1.." + text(rows + 1)},
      {"V(X, Y) where X in 1..5, Y in 1..4", "V(X, Y) where X in 1.." + text(columns + 1) + ", Y in 1.." + text(rows)},
      {"B(X, Y) where X in 1..4, Y in 1..4", "B(X, Y) where X in 1.." + text(columns) + ", Y in 1.." + text(rows)},
      {"0..32", "0.." + text(2 * boxes)},
      {"N < 32", "N < " + text(2 * boxes)},
      {"D(16)", "D(" + text(boxes) + ")"},
      {"N > 16", "N > " + text(boxes)},
      {"N < 16", "N < " + text(boxes)},
      {"0..40", "0.." + text(lines)},
      {"L(40)", "L(" + text(lines) + ")"}};
}

}  // namespace rgtrans::search
