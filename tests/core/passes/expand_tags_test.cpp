// expand-tags on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

TEST(ExpandTags, MakesOneTagAMember) {
  EXPECT_THAT(after("begin, end: $$ z;", {"expand-tags"}).size(), 4U);
  keeps("begin, s: player = p; s, a: z = U(*); a, b: $$ z; b, end: player = keeper;", "expand-tags");
}

}  // namespace
}  // namespace rgtrans::passes
