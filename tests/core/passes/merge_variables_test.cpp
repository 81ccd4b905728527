// merge-variables on small games: what it makes of them, and where it must not fire.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MergeVariables, SharesBetweenLifetimes) {
  ir::Game g =
      game("begin, s: player = p; s, a: x = T(*); a, b: $$ x; b, c: y = T(*); c, d: $$ y; d, end: player = keeper;");
  OptimizeOptions options;
  options.passes = {"merge-variables"};
  optimize(g, options);
  EXPECT_THAT(rg::print(g), Not(HasSubstr("var y")));
  EXPECT_THAT(edges(g)[4], "c, d: $$ x;");
}

TEST(MergeVariables, KeepsWhatIsNeededTogether) {
  keeps("begin, s: player = p; s, a: x = T(*); a, b: y = f[x]; b, c: $$ y; c, d: $$ x; d, end: player = keeper;",
        "merge-variables");
}

TEST(MergeVariables, SharesWithALargerType) {
  const char* const text =
      "begin, q: player = p; q, a: z = U(*); a, b: $$ z; b, c: x = T(*); c, d: $$ x; d, end: player = keeper;";
  const std::string printed = rg::print(transformed(text, {"merge-variables"}));
  EXPECT_THAT(printed, HasSubstr("var x: T"));
  EXPECT_THAT(printed, Not(HasSubstr("var z")));
  keeps(text, "merge-variables");
}

}  // namespace
}  // namespace rgtrans::passes
