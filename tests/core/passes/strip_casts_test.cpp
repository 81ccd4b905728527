// strip-casts on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(StripCasts, RemovesThemAtEveryDepth) {
  EXPECT_THAT(after("begin, end: T(m[T(x)]) == T(f[T(2)]);", {"strip-casts"}),
              ElementsAre("begin, end: m[x] == f[2];"));
}

TEST(StripCasts, KeepsWhatTheTypesNeed) {
  const char* const text =
      "type A = { 1 }; type B = { 1, 4 }; var a: A = 1; type C = { 4, 5 }; var c: C = 4; begin, end: a == B(c);";
  EXPECT_THAT(after(text, {"strip-casts"}), ElementsAre("begin, end: a == B(c);"));
}

}  // namespace
}  // namespace rgtrans::passes
