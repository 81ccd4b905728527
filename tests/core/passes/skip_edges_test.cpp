// skip-edges on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(SkipEdges, MergesNodesInBothDirections) {
  EXPECT_THAT(after("begin, p: x == 1; p, q: ; q, end: $ t;", {"skip-edges"}).size(), 2U);
  EXPECT_THAT(after("begin, u: ; u, v: x == 1; u, w: x == 2; v, end: ; w, end: ;", {"skip-edges"}),
              UnorderedElementsAre("begin, end: x == 1;", "begin, end: x == 2;"));
}

TEST(SkipEdges, KeepsTagsBesideAnEmptyEdge) {
  keeps("begin, s: player = p; s, a: ; s, a: $ t; a, b: ; b, end: player = keeper;", "skip-edges");
}

TEST(SkipEdges, KeepsTheTargetOfACheckApart) {
  EXPECT_THAT(after("begin, q: ? s -> t; s, t: x == 1; s, n: x == 2; t, n: ; n, t: y == 2; q, end: player = keeper;",
                    {"skip-edges"})
                  .size(),
              6U);
}

TEST(SkipEdges, KeepsTheStartOfACheckApart) {
  keeps(
      "begin, a: player = p; a, y: ; a, t: x == 1; y, t: x == 2; t, u: $ k; u, v: ? y -> t; u, v: $ m;"
      "v, end: player = keeper;",
      "skip-edges");
}

TEST(SkipEdges, EndsNoMoveEarly) {
  EXPECT_THAT(after("begin, q: player = p; q, end: ;", {"skip-edges"}),
              ElementsAre("begin, q: player = p;", "q, end: ;"));
}

TEST(SkipEdges, MakesNoTagOnALoop) {
  for (const char* text :
       {"begin, n: player = p; n, e: $ k; e, end: player = keeper; s, t: ; t, s: $ m;",
        "begin, n: player = p; n, e: ? s -> u; e, end: player = keeper; s, t: ; t, s: $ m; s, u: ;"}) {
    keeps(text, "skip-edges");
  }
}

TEST(SkipEdges, EndsOnACycleOfEmptyEdges) {
  keeps("begin, q: player = p; q, r: ? s -> t; q, r: $ k; s, a: ; a, s: ; a, t: x == 1; r, end: player = keeper;",
        "skip-edges");
}

}  // namespace
}  // namespace rgtrans::passes
