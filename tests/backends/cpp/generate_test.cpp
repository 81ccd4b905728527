// The generator on small games: names stay inside strings and comments, the files are complete.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_THAT(file(files, "reasoner.cpp"), testing::Not(testing::HasSubstr(" while =")));
}

TEST(GenerateCpp, ACheckThatDependsOnItselfIsAnError) {
  EXPECT_THROW(
      generate(parse("type Player = {p}; type Score = {0};\nbegin, a: ? begin -> a; a, end: player = keeper;")), Error);
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

}  // namespace
}  // namespace rgtrans::cpp
