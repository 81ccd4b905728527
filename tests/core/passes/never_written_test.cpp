// never-written on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(NeverWritten, LeavesWhatIsShown) {
  keeps("begin, n: player = p; n, e: $$ y; e, end: player = keeper;", "never-written");
  EXPECT_THAT(after("begin, n: player = p; n, e: $$ y; e, end: player = keeper;", {"never-written", "prune"}),
              Contains("n, e: $$ y;"));
}

TEST(NeverWritten, BecomesAConstant) {
  ir::Game g = game("begin, a: m[x] == 1; a, end: x = 2;");
  OptimizeOptions options;
  options.passes = {"never-written"};
  optimize(g, options);
  EXPECT_THAT(rg::print(g), HasSubstr("const m: M = { :1 };"));
  EXPECT_THAT(rg::print(g), HasSubstr("var x"));
}

}  // namespace
}  // namespace rgtrans::passes
