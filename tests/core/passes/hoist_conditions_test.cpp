// hoist-conditions on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(HoistConditions, TestsBeforeTheChoice) {
  EXPECT_THAT(after("begin, a: x = T(*); a, b: y = 1; b, c: z == 1; c, end: f[x] == y;", {"hoist-conditions"}),
              ElementsAre("begin, a: z == 1;", "a, b: x = T(*);", "b, c: y = 1;", "c, end: f[x] == y;"));
  EXPECT_THAT(after("begin, a: x = T(*); a, end: ? s -> t; s, t: y == 1;", {"hoist-conditions"}),
              ElementsAre("begin, a: ? s -> t;", "a, end: x = T(*);", "s, t: y == 1;"));
}

TEST(HoistConditions, LeavesWhatIsRead) {
  leaves("begin, a: x = T(*); a, end: x == 1;", "hoist-conditions");
  leaves("begin, a: m[1] = 2; a, end: m[y] == 1;", "hoist-conditions");
  leaves("begin, a: x = T(*); a, end: ? s -> t; s, s1: y == 1; s1, t: x == 1;", "hoist-conditions");
  leaves("begin, a: player = p; a, end: y == 1;", "hoist-conditions");
  // An unreachable cycle, on which a condition could move forever.
  leaves("begin, end: z == 1; a, b: x = T(*); b, a: y == 1;", "hoist-conditions");
  // Two edges in, two edges out, a check in between.
  leaves("begin, a: x = T(*); begin, a: x = 1; a, end: y == 1;", "hoist-conditions");
  leaves("begin, a: x = T(*); a, end: y == 1; a, end: y == 2;", "hoist-conditions");
  const char* const check =
      "begin, q: player = p; q, a: y = T(*); a, b: x == 1; b, c: $$ y; q, c: ? a -> b; c, end: player = keeper;";
  leaves(check, "hoist-conditions");
  keeps(check, "hoist-conditions");
}

}  // namespace
}  // namespace rgtrans::passes
