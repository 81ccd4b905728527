// fuse-assignments on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::UnorderedElementsAre;

TEST(FuseAssignments, NeedsOneVariableOnAllWays) {
  keeps(
      "begin, s: player = p; s, a: $ k; s, b: $ l; a, m: y = n[y]; b, m: x = n[x]; m, t: x == 1; t, end: player = "
      "keeper;",
      "fuse-assignments");
}

TEST(FuseAssignments, KeepsTheTargetOfACheck) {
  keeps(
      "begin, s: player = p; s, a: $ k; a, m: x = n[x]; q, m: x = n[y]; m, t: x == 3; t, u: ? q -> m; u, v: $ l;"
      "v, end: player = keeper;",
      "fuse-assignments");
}

TEST(FuseAssignments, MeltsWhereWaysComeTogether) {
  EXPECT_THAT(
      after("begin, a: x = f[y]; begin, a: x = h[y]; a, b: m[x] == 2; b, end: player = keeper;", {"fuse-assignments"}),
      UnorderedElementsAre("begin, b: m[f[y]] == 2;", "begin, b: m[h[y]] == 2;", "b, end: player = keeper;"));
}

TEST(FuseAssignments, LeavesAVariableThatIsReadLater) {
  EXPECT_EQ(after("begin, a: x = f[y]; a, b: m[x] == 2; b, c: $$ x; c, end: player = keeper;", {"fuse-assignments"})[0],
            "begin, a: x = f[y];");
}

}  // namespace
}  // namespace rgtrans::passes
