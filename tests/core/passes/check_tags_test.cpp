// check-tags on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(CheckTags, AreEmptyWhereNoMovePasses) {
  EXPECT_THAT(after("begin, q: ? s -> t; q, end: $ real; s, t: $ dummy;", {"check-tags"}),
              ElementsAre("begin, q: ? s -> t;", "q, end: $ real;", "s, t: ;"));
}

}  // namespace
}  // namespace rgtrans::passes
