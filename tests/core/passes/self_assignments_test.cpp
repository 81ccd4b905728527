// self-assignments on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

TEST(SelfAssignments, AreEmpty) {
  EXPECT_THAT(after("begin, a: m[x] = T(m[x]); a, end: ;", {"self-assignments"})[0], "begin, a: ;");
  leaves("begin, a: m[x] = m[y]; a, end: ;", "self-assignments");
}

}  // namespace
}  // namespace rgtrans::passes
