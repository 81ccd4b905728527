// split-maps on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(SplitMaps, MakesVariablesOfCells) {
  const char* const text =
      "begin, q: player = p; q, a: n[2] == 2; a, b: n[1] = T(*); b, c: n[1] == n[2]; c, end: player = keeper;";
  EXPECT_THAT(after(text, {"split-maps"}), ElementsAre("begin, q: player = p;", "q, a: n_2 == 2;", "a, b: n_1 = T(*);",
                                                       "b, c: n_1 == n_2;", "c, end: player = keeper;"));
  const std::string printed = rg::print(transformed(text, {"split-maps"}));
  EXPECT_THAT(printed, HasSubstr("var n_1: T = 3;"));
  EXPECT_THAT(printed, HasSubstr("var n_2: T = 2;"));
  EXPECT_THAT(printed, Not(HasSubstr("var n:")));
  keeps(text, "split-maps");
}

TEST(SplitMaps, LeavesOtherKeysWholesAndGoals) {
  leaves("begin, a: m[1] = 2; a, end: m[x] == 2;", "split-maps");
  leaves("begin, a: m[1] = 2; a, end: m == n;", "split-maps");
  leaves("begin, a: m[1] = 2; a, end: m = n;", "split-maps");
  leaves("begin, a: m[m[1]] = 2; a, end: ;", "split-maps");
  leaves("begin, a: goals[p] = 9; a, end: ;", "split-maps");
}

}  // namespace
}  // namespace rgtrans::passes
