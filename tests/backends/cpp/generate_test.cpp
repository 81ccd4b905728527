// The generator on small games: names stay inside strings and comments, the files are complete.
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

}  // namespace
}  // namespace rgtrans::cpp
