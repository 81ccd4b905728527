// expand-any on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(ExpandAny, MakesOneAssignmentAMember) {
  EXPECT_THAT(after("begin, end: z = U(*);", {"expand-any"}), ElementsAre("begin, end: z = 1;", "begin, end: z = 2;"));
}

}  // namespace
}  // namespace rgtrans::passes
