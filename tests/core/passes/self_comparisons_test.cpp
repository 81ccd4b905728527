// self-comparisons on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(SelfComparisons, AreSettled) {
  EXPECT_THAT(after("begin, a: x == x; begin, b: x != x; a, end: ; b, end: ;", {"self-comparisons"}),
              ElementsAre("begin, a: ;", "a, end: ;", "b, end: ;"));
  leaves("begin, a: x == y; a, end: ;", "self-comparisons");
}

}  // namespace
}  // namespace rgtrans::passes
