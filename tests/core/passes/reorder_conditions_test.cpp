// reorder-conditions on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(ReorderConditions, BringsCommonOnesForward) {
  EXPECT_THAT(after("begin, a: x == 1; a, c: y == 2; begin, b: x == 2; b, d: y == 2; c, end: $ k; d, end: $ l;",
                    {"reorder-conditions"}),
              ElementsAre("begin, a: y == 2;", "a, c: x == 1;", "begin, b: y == 2;", "b, d: x == 2;", "c, end: $ k;",
                          "d, end: $ l;"));
}

TEST(ReorderConditions, NeverMovesTags) {
  const char* const text = "begin, a: $ a; a, end: $ b; begin, b: $ c; b, end: $ b;";
  EXPECT_EQ(after(text, {"reorder-conditions"}), after(text, {}));
}

}  // namespace
}  // namespace rgtrans::passes
