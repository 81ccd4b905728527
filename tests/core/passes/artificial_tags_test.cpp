// artificial-tags on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;

TEST(ArtificialTags, AreDropped) {
  EXPECT_THAT(after("@artificialTag t; begin, a: $ t; a, end: $ u;", {"artificial-tags"}),
              ElementsAre("begin, a: ;", "a, end: $ u;"));
}

}  // namespace
}  // namespace rgtrans::passes
