// mangle-symbols on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;

TEST(MangleSymbols, ShortensWhatNobodySees) {
  EXPECT_THAT(after("begin, a: y == x; a, end: $ 1;", {"mangle-symbols"})[1], HasSubstr("$ 1"));
  keeps("begin, s: player = p; s, a: z = U(*); a, b: $$ z; b, end: player = keeper;", "mangle-symbols");
}

}  // namespace
}  // namespace rgtrans::passes
