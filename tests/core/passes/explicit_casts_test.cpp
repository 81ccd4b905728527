// explicit-casts on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(ExplicitCasts, KeepTheGame) {
  EXPECT_THAT(after("begin, end: y == f[x];", {"explicit-casts"}), ElementsAre("begin, end: T(y) == T(M(f)[T(x)]);"));
  keeps("begin, s: player = p; s, a: z = U(*); a, b: $$ z; b, end: player = keeper;", "explicit-casts");
}

}  // namespace
}  // namespace rgtrans::passes
