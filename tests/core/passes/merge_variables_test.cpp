// merge-variables on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

TEST(MergeVariables, SharesBetweenLifetimes) {
  ir::Game g =
      game("begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: y = T(*); c, d: $$ y; d, end: player = keeper;");
  OptimizeOptions options;
  options.passes = {"merge-variables"};
  optimize(g, options);
  EXPECT_THAT(rg::print(g), Not(HasSubstr("var y")));
  EXPECT_THAT(edges(g)[4], "c, d: $$ x;");
}

TEST(MergeVariables, KeepsWhatIsNeededTogether) {
  keeps("begin, s: player = p; s, a: x = T(*); a, b: y = f[x]; b, c: $$ y; c, d: $$ x; d, end: player = keeper;",
        "merge-variables");
}

TEST(MergeVariables, SharesWithALargerType) {
  const char* const text =
      "begin, q: player = p; q, a: z = U(*); a, b: $$ z; b, c: x = T(*); c, d: $$ x; d, end: player = keeper;";
  const std::string printed = rg::print(transformed(text, {"merge-variables"}));
  EXPECT_THAT(printed, HasSubstr("var x: T"));
  EXPECT_THAT(printed, Not(HasSubstr("var z")));
  keeps(text, "merge-variables");
}

// Maps are as large as the types of their indices, so an index must not get a larger type.
TEST(MergeVariables, KeepsIndicesSmall) {
  const auto merged = [](const std::string& after) {
    ir::Game g = rg::parse_game(
        "type Player = { p }; type Score = { 0, 9 }; type U = { 1, 2 }; type M = U -> U;"
        "type L = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }; var z: U = 1; var y: U = 1; var w: L = 1; var m: M = { :1 "
        "};"
        "begin, s: player = p; s, a: w = L(*); a, b: $$ w; b, c: z = U(*); " +
        after + " e, end: player = keeper;");
    OptimizeOptions options;
    options.passes = {"merge-variables"};
    optimize(g, options);
    return rg::print(g);
  };
  EXPECT_THAT(merged("c, d: $$ z; d, e: ;"), Not(AnyOf(HasSubstr("var w"), HasSubstr("z: U"))));
  EXPECT_THAT(merged("c, d: $$ z; d, e: m[z] == 2;"), AllOf(HasSubstr("var w: L"), HasSubstr("z: U")));
  EXPECT_THAT(merged("c, d: y = z; d, e: m[y] == 2;"), AllOf(HasSubstr("var w: L"), HasSubstr(": U = 1")));
}

// A set of cells on a board of 64 cells takes one word. It would take two if the board's index had a type with many
// more values.
TEST(MergeVariables, KeepsSetsOfCellsInAsManyWords) {
  const auto merged = [](int few, int many) {
    const auto values = [](int count) {
      std::string result = "0";
      for (int i = 1; i < count; ++i) result += ", " + std::to_string(i);
      return result;
    };
    ir::Game g =
        rg::parse_game("type Player = { p }; type Score = { 0, 9 }; type U = { " + values(few) +
                       " }; type B = { 0, 1 }; type M = U -> B;"
                       "type L = { " +
                       values(many) +
                       " }; var z: U = 1; var w: L = 1; var m: M = { :1 };"
                       "begin, s: player = p; s, a: w = L(*); a, b: $$ w; b, c: z = U(*); c, d: $$ z; d, e: m[z] == 1;"
                       "e, end: player = keeper;");
    OptimizeOptions options;
    options.passes = {"merge-variables"};
    optimize(g, options);
    return rg::print(g);
  };
  EXPECT_THAT(merged(40, 65), Not(AnyOf(HasSubstr("var w"), HasSubstr("z: U"))));
  EXPECT_THAT(merged(65, 66), AllOf(HasSubstr("var w: L"), HasSubstr("z: U")));
  EXPECT_THAT(merged(66, 129), Not(AnyOf(HasSubstr("var w"), HasSubstr("z: U"))));
}

}  // namespace
}  // namespace rgtrans::passes
