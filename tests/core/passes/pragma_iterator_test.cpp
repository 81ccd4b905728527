// pragma-iterator on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(PragmaIterator, KnowsAFilteredChoice) {
  EXPECT_THAT(pragmas("const r: T -> Bool = { 1: 1, :0 }; begin, a: x = T(*); a, b: r[x] == 1; b, end: $$ x;",
                      "pragma-iterator"),
              ElementsAre("@iterator begin a b : x;"));
  EXPECT_TRUE(pragmas("const r: T -> Bool = { 1: 1, :0 }; begin, a: x = T(*); a, b: r[y] == 1; b, end: $$ x;",
                      "pragma-iterator")
                  .empty());
}

}  // namespace
}  // namespace rgtrans::passes
