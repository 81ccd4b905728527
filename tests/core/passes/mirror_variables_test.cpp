// mirror-variables on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(MirrorVariables, ReadsTheOtherOne) {
  EXPECT_THAT(after("begin, a: x = T(*); a, b: y = x; b, c: x == 1; c, end: $$ y;", {"mirror-variables"}),
              ElementsAre("begin, a: x = T(*);", "a, b: y = x;", "b, c: x == 1;", "c, end: $$ x;"));
  const char* const lockstep =
      "var w: T = 1; begin, q: player = p; q, l1: x = f[x]; l1, l2: w = f[w]; l2, q2: $ on; q2, q: player = p;"
      "l2, o2: w != 2; o2, o: $ no; o, end: player = keeper;";
  EXPECT_THAT(after(lockstep, {"mirror-variables"}), Contains("l2, o2: x != 2;"));
  keeps(lockstep, "mirror-variables");
}

TEST(MirrorVariables, LeavesWhatMayDiffer) {
  leaves("begin, a: x = T(*); a, b: y = x; b, c: x = 1; c, end: $$ y;", "mirror-variables");
  leaves("begin, a: x = T(*); a, b: y = x; begin, b: ; b, end: $$ y;", "mirror-variables");
  leaves("begin, a: x = T(*); a, end: $$ y;", "mirror-variables");
  leaves("begin, a: x = T(*); a, b: z = x; b, end: $$ z;", "mirror-variables");  // different types
}

}  // namespace
}  // namespace rgtrans::passes
