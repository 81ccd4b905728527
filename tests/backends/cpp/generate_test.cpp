// The generator on small games: names stay inside strings and comments, the files are complete.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "backends/cpp/cpp.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cpp {
namespace {

ir::Game parse(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("test.rg", text, *find_frontend("rg"), diagnostics);
}

std::string file(const std::vector<GeneratedFile>& files, std::string_view name) {
  for (const GeneratedFile& f : files) {
    if (f.name == name) return f.text;
  }
  return {};
}

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string code;
  for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find("//")) + "\n";
  return code;
}

TEST(GenerateCpp, WritesASelfContainedProject) {
  const auto files = generate(parse("type Player = {p}; type Score = {0};\nbegin, end: player = keeper;"));
  for (const char* name :
       {"reasoner.hpp", "reasoner.cpp", "support.hpp", "driver.cpp", "library.cpp", "CMakeLists.txt"}) {
    EXPECT_FALSE(file(files, name).empty()) << name;
  }
}

TEST(GenerateCpp, KeywordsAndDigitsAreNoIdentifiers) {
  const auto files =
      generate(parse("type Player = {int, new}; type Score = {0, 1}; var while: Score = 0;\n"
                     "begin, a: player = int; a, b: while = Score(*); b, c: $$ while;\n"
                     "c, d: goals[new] = while; d, end: player = keeper;"));
  EXPECT_THAT(file(files, "reasoner.hpp"), testing::HasSubstr("int_"));
  EXPECT_THAT(file(files, "reasoner.hpp"), testing::HasSubstr("new_"));
  EXPECT_THAT(without_comments(file(files, "reasoner.cpp")), testing::Not(testing::HasSubstr(" while =")));
}

TEST(GenerateCpp, CommentsNameTheEdgeAndTheLine) {
  const auto files =
      generate(parse("type Player = {p}; type Score = {0};\ntype X = {a, b}; var x: X = a;\n"
                     "begin, c: player = p;\nc, d: x = X(*);\nd, f: $$ x;\nf, end: player = keeper;"));
  EXPECT_THAT(file(files, "reasoner.cpp"), testing::HasSubstr("// d, f: $$ x; - test.rg:5"));
}

// What a ray does is one loop, what depends on one variable only is a table: nothing is visited.
TEST(GenerateCpp, CyclesThatEndNeedNoVisits) {
  const std::string head =
      "type Player = {p}; type Score = {0}; type X = {a, b, c, n}; type C = {e, w};\n"
      "const up: X -> X = {a: b, b: c, :n}; const turn: X -> X = {a: b, b: c, :a};\n"
      "var x: X = a; var board: X -> C = {n: w, :e};\nbegin, l: player = p;\n";
  const std::string tail =
      "l, t: ; t, u: $$ x; u, v: board[x] = w; v, begin: player = keeper; l, q: board[x] == w; "
      "q, end: player = keeper;";
  const auto ray = generate(parse(head + "l, m: board[up[x]] == e; m, l: x = up[x];\n" + tail));
  EXPECT_THAT(file(ray, "reasoner.hpp"), testing::Not(testing::HasSubstr(" seen[")));
  EXPECT_THAT(file(ray, "reasoner.cpp"), testing::HasSubstr("for (;;) {"));
  const auto around = generate(parse(head + "l, l: x = turn[x];\n" + tail));
  EXPECT_THAT(file(around, "reasoner.hpp"), testing::Not(testing::HasSubstr(" seen[")));
  EXPECT_THAT(file(around, "reasoner.cpp"), testing::HasSubstr("kWhere"));
  // Going around as long as cells are empty has no such end.
  const auto neither = generate(parse(head + "l, m: board[turn[x]] == e; m, l: x = turn[x];\n" + tail));
  EXPECT_THAT(file(neither, "reasoner.hpp"), testing::HasSubstr(" seen["));
}

TEST(GenerateCpp, ACheckThatDependsOnItselfIsAnError) {
  EXPECT_THROW(
      generate(parse("type Player = {p}; type Score = {0};\nbegin, a: ? begin -> a; a, end: player = keeper;")), Error);
}

// The code of the start was once written into itself for ever.
TEST(GenerateCpp, AMoveMayStartOnACycleThroughTags) {
  const auto files = generate(
      parse("type Player = {p}; type Score = {0}; type X = {a, b}; var x: X = a;\n"
            "begin, s: player = p; s, t: $$ x; t, s: x = X(*); t, e: x == a; t, e: x = b; e, end: player = keeper;"));
  EXPECT_FALSE(file(files, "reasoner.cpp").empty());
}

// Copies of constants were once folded into wrong vectors by the compiler: many equal cells, then only first symbols.
TEST(CompiledCpp, LargeMapsStartAsTheyAreWritten) {
  std::string cells, first;
  for (int i = 0; i < 145; ++i) {
    const std::string name = fmt::format("c{}", i);
    cells += (i == 0 ? "" : ", ") + name;
    if (i < 24) first += name + ": b, ";
  }
  const auto reasoner = make_cpp_reasoner(
      parse("type Player = {p}; type Score = {0}; type Cell = {" + cells + "}; type Piece = {e, b};\n" +
            "var board: Cell -> Piece = {" + first + ":e}; var at: Cell = c0;\n" +
            "begin, a: player = p; a, c: at = Cell(*); c, d: board[at] == b; d, f: $$ at; f, g: player = keeper;\n" +
            "g, h: board[at] = e; h, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 24U);
}

// Ways behind a choice that part by conditions are loops of their own, but a check is not decided for many values.
TEST(CompiledCpp, AChoiceMayBeFollowedByChecksAndComparisons) {
  const auto reasoner = make_cpp_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a; var y: X = b;\n"
            "begin, s: player = p; s, t: x = X(*); t, u: ? v -> w; t, u: x == a; t, k: x == c; v, w: x == y;\n"
            "u, e: $$ x; k, l: $ k; l, e: $$ x; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 3U);
}

TEST(CompiledCpp, EqualConditionsDoNotExcludeEachOther) {
  const auto reasoner =
      make_cpp_reasoner(parse("type Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a; var y: X = a;\n"
                              "begin, q: player = p; q, r: y = X(*); r, r2: $$ y; r2, s: player = p;\n"
                              "s, t: x == y; s, u: x == y; t, e: $ one; u, e: $ two; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(2), 2U);
}

// Two choices pass the test, then they are the same.
TEST(CompiledCpp, ChoicesThatAreForgottenMakeOneMove) {
  const auto reasoner = make_cpp_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a;\n"
            "begin, s: player = p; s, t: x = X(*); t, u: x != c; u, v: x = a; v, e: $$ x; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 1U);
}

}  // namespace
}  // namespace rgtrans::cpp
