// self-assignments on small games: what it makes of them, and where it must not fire.
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
