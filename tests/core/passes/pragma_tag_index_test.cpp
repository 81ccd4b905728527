// pragma-tag-index on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(PragmaTagIndex, CountsTags) {
  EXPECT_THAT(pragmas("begin, a: player = p; a, b: $ k; b, c: $ l; a, c: ; c, d: $ e; d, end: player = keeper;",
                      "pragma-tag-index"),
              ElementsAre("@tagIndex a : 0;", "@tagIndex b : 1;", "@tagMaxIndex c : 2;"));
}

}  // namespace
}  // namespace rgtrans::passes
