// Changes to a text that cannot change the game: other names, another order of declarations and edges, parts that
// nothing uses, a board seen in a mirror. The changed text goes through everything that the text goes through.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Every name that the description chose itself gets a prefix.
std::string renamed(const std::string& text, const std::string& prefix) {
  static const std::set<std::string> kFixed = {"type",           "const",   "var",        "begin", "end",    "player",
                                               "goals",          "visible", "Player",     "Score", "keeper", "random",
                                               "PlayerOrSystem", "Goals",   "Visibility", "Bool"};
  static const std::regex kName("[A-Za-z_][A-Za-z_0-9]*");
  std::string out;
  auto at = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), kName), last; it != last; ++it) {
    out.append(at, text.begin() + it->position());
    out += kFixed.contains(it->str()) ? it->str() : prefix + it->str();
    at = text.begin() + it->position() + it->length();
  }
  return out.append(at, text.end());
}

// Edges in any order; types and variables among themselves too (constants may use earlier ones).
std::string reordered(const std::string& text, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> types, constants, variables, edges;
  for (const std::string& line : lines_of(text)) {
    auto& list = line.starts_with("type ")    ? types
                 : line.starts_with("const ") ? constants
                 : line.starts_with("var ")   ? variables
                                              : edges;
    list.push_back(line);
  }
  for (auto* list : {&types, &variables, &edges}) std::shuffle(list->begin(), list->end(), random);
  return joined(edges) + joined(variables) + joined(constants) + joined(types);
}

std::string with_dead_code(const std::string& text) {
  return "type Unused = { u, v };\nconst unused: Unused -> T = { :2 };\nvar idle: Unused = u;\nvar idle2: M = f;\n" +
         text +
         "dead1, dead2: idle = Unused(*);\ndead2, n1: x = 1;\ndead2, dead1: $$ idle;\nn1, dead3: k == 3;\n"
         "dead3, n1: $ never;\n";
}

using View = std::function<std::string(const std::string&)>;

// The same tree to a small depth: movers, ends, goals and moves, whose texts `view` makes comparable.
std::string compare(Reasoner& a, Reasoner& b, const View& view, int depth) {
  if (a.terminal() != b.terminal()) return "the end differs";
  if (a.terminal()) return a.goal(0) == b.goal(0) ? "" : "the goals differ";
  if (a.mover() != b.mover()) return "the mover differs";
  std::vector<std::pair<std::string, std::size_t>> left, right;
  for (std::size_t i = 0; i < a.move_count(); ++i) left.emplace_back(a.move_text(i), i);
  for (std::size_t i = 0; i < b.move_count(); ++i) right.emplace_back(view(b.move_text(i)), i);
  std::ranges::sort(left);
  std::ranges::sort(right);
  if (left.size() != right.size()) return "the number of moves differs";
  const auto start_a = a.state_bytes();
  const auto start_b = b.state_bytes();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].first != right[i].first) return "moves differ: " + left[i].first + " / " + right[i].first;
    if (depth == 0) continue;
    a.apply(left[i].second);
    b.apply(right[i].second);
    const std::string difference = compare(a, b, view, depth - 1);
    if (!difference.empty()) return left[i].first + " / " + difference;
    a.set_state_bytes(start_a);
    b.set_state_bytes(start_b);
  }
  return "";
}

// Only games in which a labeling determines the state: elsewhere another order may take another walk.
bool unambiguous(const ir::Game& game) {
  DynamicCheckOptions options;
  options.plays = 20;
  options.max_moves = 50;
  options.max_steps = 20'000;
  return check_dynamic(game, options).empty();
}

TEST(Metamorphic, RandomGames) {
  const std::uint64_t seeds = corpus::full() ? 20'000 : 300;
  std::size_t used = 0;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    Choices choices(seed * 104'729);
    const std::string text = random_game(choices);
    ir::Game game = rg::parse_game(text);
    Diagnostics diagnostics;
    ir::verify(game, diagnostics, {.warnings = false});
    if (diagnostics.has_errors()) continue;
    try {
      if (!unambiguous(game)) continue;
      const auto reasoner = make_interpreter(game);
      ++used;
      const std::vector<std::pair<std::string, View>> variants = {
          {renamed(text, "zz_"),
           [](const std::string& move) { return std::regex_replace(move, std::regex("zz_"), ""); }},
          {reordered(text, seed), [](const std::string& move) { return move; }},
          {with_dead_code(text), [](const std::string& move) { return move; }}};
      for (std::size_t v = 0; v < variants.size(); ++v) {
        SCOPED_TRACE("seed " + std::to_string(seed) + " variant " + std::to_string(v) + "\n" + variants[v].first);
        ir::Game other = rg::parse_game(variants[v].first);
        Diagnostics messages;
        ir::verify(other, messages, {.warnings = false});
        ASSERT_FALSE(messages.has_errors()) << render(messages.all(), *messages.sources());
        if (seed % 2 == 0) passes::optimize(other);
        reasoner->reset();
        EXPECT_EQ(compare(*reasoner, *make_interpreter(other), variants[v].second, 3), "");
      }
    } catch (const Error&) {
      continue;  // improper in a way that only playing shows
    }
  }
  std::printf("%zu games used\n", used);
  EXPECT_GT(used, seeds / 50);
}

// A board read from right to left, with left and right exchanged, is the same board.
TEST(Metamorphic, MirroredBoards) {
  for (const char* name : {"tic-tac-toe", "breakthrough", "knightthrough", "reversi", "clobber", "connect-four",
                           "amazons", "gomoku", "chess"}) {
    SCOPED_TRACE(name);
    const std::string text = read_file(fs::path(RGTRANS_SOURCE_DIR) / "games/rbg" / (std::string(name) + ".rbg"));
    const std::size_t begin = text.find("#board");
    ASSERT_NE(begin, std::string::npos);
    std::string mirrored = text;
    // Rows occur in the board or in macros for it: lists of plain names.
    static const std::regex kRow(R"(\[\s*[A-Za-z]\w*(\s*,\s*[A-Za-z]\w*)+\s*\])");
    std::string out;
    auto at = mirrored.cbegin();
    for (std::sregex_iterator it(mirrored.begin(), mirrored.end(), kRow), last; it != last; ++it) {
      out.append(at, mirrored.cbegin() + it->position());
      std::vector<std::string> names;
      static const std::regex kName(R"(\w+)");
      const std::string row = it->str();
      for (std::sregex_iterator n(row.begin(), row.end(), kName); n != last; ++n) names.push_back(n->str());
      out += "[";
      for (std::size_t i = names.size(); i > 0; --i) out += names[i - 1] + (i > 1 ? ", " : "]");
      at = mirrored.cbegin() + it->position() + it->length();
    }
    mirrored = out.append(at, mirrored.cend());
    const std::size_t labels = mirrored.find("left,right");
    ASSERT_NE(labels, std::string::npos);
    mirrored.replace(labels, 10, "right,left");
    const auto perft = [](const std::string& source, unsigned depth) {
      Diagnostics diagnostics;
      ir::Game game = load_text("game.rbg", source, rbg::frontend(), diagnostics);
      passes::optimize(game);
      return make_interpreter(game)->perft(depth);
    };
    for (unsigned depth = 1; depth <= 3; ++depth) {
      const std::uint64_t count = perft(text, depth);
      EXPECT_EQ(perft(mirrored, depth), count) << "depth " << depth;
      if (count > 2'000) break;
    }
  }
}

}  // namespace
}  // namespace rgtrans::test
