// self-loops on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(SelfLoops, GoWhereTheyTestOnly) {
  EXPECT_THAT(after("begin, begin: x == 1; begin, end: ;", {"self-loops"}), ElementsAre("begin, end: ;"));
  EXPECT_THAT(after("begin, begin: x = f[x]; begin, end: ;", {"self-loops"}).size(), 2U);
}

}  // namespace
}  // namespace rgtrans::passes
