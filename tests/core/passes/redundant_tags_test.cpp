// redundant-tags on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::UnorderedElementsAre;

TEST(RedundantTags, DropsWhatEveryMoveHas) {
  const char* const text =
      "begin, q: player = p; q, a: $ one; q, b: $ two; a, c: $ done; b, c: $ done; c, end: player = keeper;";
  EXPECT_THAT(after(text, {"redundant-tags"}),
              UnorderedElementsAre("begin, q: player = p;", "q, a: $ one;", "q, b: $ two;", "a, c: ;", "b, c: ;",
                                   "c, end: player = keeper;"));
}

TEST(RedundantTags, KeepsTagsThatCount) {
  const char* const text =
      "begin, b: player = p; b, c: $ y; c, d: x = 2; b, d: x = 1; d, e: $ y; e, g: $ y; g, i: player = keeper; i, end: "
      "player = keeper;";
  EXPECT_EQ(after(text, {"redundant-tags"}), after(text, {}));
}

TEST(RedundantTags, LeavesGamesWithArtificialTagsAlone) {
  // Without y both moves would be q.
  const char* const text =
      "@artificialTag t; begin, b: player = p; b, c: $ t; c, d: $ y; d, e: $ q; b, f: $ q; f, e: $ y;"
      "e, end: player = keeper;";
  EXPECT_EQ(after(text, {"redundant-tags"}), after(text, {}));
}

}  // namespace
}  // namespace rgtrans::passes
