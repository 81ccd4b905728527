// filter-choices on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(FilterChoices, TakesTheMembersThatPass) {
  const char* const text =
      "begin, q: player = p; q, a: x = T(*); a, b: f[x] != 2; b, c: $$ x; c, end: player = keeper;";
  EXPECT_THAT(after(text, {"filter-choices"}), ElementsAre("begin, q: player = p;", "q, a: x = T_1(*);", "a, b: ;",
                                                           "b, c: $$ x;", "c, end: player = keeper;"));
  EXPECT_THAT(rg::print(transformed(text, {"filter-choices"})), HasSubstr("type T_1 = { 2, 3 };"));
  keeps(text, "filter-choices");
}

TEST(FilterChoices, UsesATypeThatIsThere) {
  EXPECT_THAT(after("begin, a: x = T(*); a, end: x != 3;", {"filter-choices"}),
              ElementsAre("begin, a: x = U(*);", "a, end: ;"));
}

TEST(FilterChoices, DropsAChoiceThatNeverPasses) {
  EXPECT_THAT(after("begin, a: x = U(*); a, end: x == 3; begin, end: ;", {"filter-choices"}),
              UnorderedElementsAre("a, end: x == 3;", "begin, end: ;"));
}

TEST(FilterChoices, LeavesTheOnlyWayToTheEnd) {
  keeps("begin, s: player = p; s, t: $ k; t, s: player = p; s, a: x = U(*); a, end: x == 3;", "filter-choices");
}

TEST(FilterChoices, LeavesOtherVariablesAndOtherWays) {
  leaves("begin, a: x = T(*); a, end: x == y;", "filter-choices");
  leaves("begin, a: x = T(*); a, end: x == 1; a, end: x == 2;", "filter-choices");
  leaves("begin, a: x = T(*); begin, a: ; a, end: x == 1;", "filter-choices");
  leaves("begin, a: m[1] = T(*); a, end: m[1] == 1;", "filter-choices");
  // A check that starts between the two edges does not pass the choice.
  const char* const check =
      "begin, q: player = p; q, a: x = T(*); a, b: x != 1; b, c: $$ x; q, c: ? a -> b; c, end: player = keeper;";
  leaves(check, "filter-choices");
  keeps(check, "filter-choices");
}

}  // namespace
}  // namespace rgtrans::passes
