// narrow-types on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;

TEST(NarrowTypes, TakesWhatCanBeHeld) {
  const char* const text = "begin, q: player = p; q, a: x = U(*); a, b: $$ x; b, end: player = keeper;";
  EXPECT_THAT(rg::print(transformed(text, {"narrow-types"})), HasSubstr("var x: U = 1;"));
  EXPECT_THAT(rg::print(transformed("var w: T = 3; begin, a: w = U(*); a, end: $$ w;", {"narrow-types"})),
              HasSubstr("var w: U = 1;"));
  EXPECT_THAT(rg::print(transformed("begin, a: m[x] = 2; a, end: m[y] == 1;", {"narrow-types"})),
              HasSubstr("var m: T -> U = { :1 };"));
  keeps(text, "narrow-types");
}

TEST(NarrowTypes, KeepsWhatIsNeeded) {
  // Removing one of many members does not justify a type.
  EXPECT_THAT(rg::print(transformed("type W = { 1, 2, 3, 4, 5 }; type V = { 1, 2, 3, 4, 5, 6 }; var w: V = 1;"
                                    "begin, a: w = W(*); a, end: $$ w;",
                                    {"narrow-types"})),
              HasSubstr("var w: V = 1;"));
  // The initial value is read; all members are chosen; a label would become ill-typed.
  EXPECT_THAT(rg::print(transformed("var w: T = 3; begin, a: w = U(*); begin, a: ; a, end: $$ w;", {"narrow-types"})),
              HasSubstr("var w: T = 3;"));
  EXPECT_THAT(rg::print(transformed("begin, a: x = T(*); a, end: $$ x;", {"narrow-types"})),
              HasSubstr("var x: T = 1;"));
  EXPECT_THAT(rg::print(transformed("begin, a: x = U(*); a, end: x == 3;", {"narrow-types"})),
              HasSubstr("var x: T = 1;"));
}

}  // namespace
}  // namespace rgtrans::passes
