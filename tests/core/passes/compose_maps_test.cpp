// compose-maps on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ComposeMaps, LooksUpOnce) {
  ir::Game g = game("begin, end: x = f[h[y]];");
  OptimizeOptions options;
  options.passes = {"compose-maps"};
  optimize(g, options);
  EXPECT_THAT(edges(g), ElementsAre("begin, end: x = f_h[y];"));
  EXPECT_THAT(rg::print(g), HasSubstr("const f_h: T -> T = { 1: 1, :3 };"));
}

TEST(ComposeMaps, LeavesVariables) {
  EXPECT_THAT(after("begin, end: x = f[m[y]];", {"compose-maps"}), ElementsAre("begin, end: x = f[m[y]];"));
}

TEST(ComposeMaps, TakesInEveryArgument) {
  EXPECT_THAT(after("begin, a: x = d[y][f[z]]; a, b: x = d[f[y]][z]; b, end: x = f[d[y][z]];", {"compose-maps"}),
              ElementsAre("begin, a: x = d_f[y][z];", "a, b: x = d_f_2[y][z];", "b, end: x = f_d[y][z];"));
  keeps(
      "begin, q: player = p; q, a: y = T(*); a, b: $$ y; b, c: z = U(*); c, e: $$ z; e, g: x = d[f[y]][h[z]]; g, i: $$ "
      "x; "
      "i, end: player = keeper;",
      "compose-maps");
  leaves("begin, a: x = d[y][m[z]]; a, end: x = m[f[z]];", "compose-maps");
}

}  // namespace
}  // namespace rgtrans::passes
