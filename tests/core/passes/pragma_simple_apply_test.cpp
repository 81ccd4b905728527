// pragma-simple-apply on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PragmaSimpleApply, BindsTheTagOfAChoice) {
  EXPECT_THAT(pragmas("begin, q: player = p; q, a: x = T(*); a, b: m[x] == 1; b, c: $$ x; c, d: y = x; d, e: $$ y; e, "
                      "end: player = keeper;",
                      "pragma-simple-apply")[1],
              "@simpleApplyExhaustive q c [x_1: T] x = T(x_1);");
}

TEST(PragmaSimpleApply, LeavesAnotherChoiceAlone) {
  const auto lines = pragmas(
      "begin, q: player = p; q, a: x = T(*); a, b: y = T(*); b, c: $$ y; c, d: $$ x; d, e: $$ y; e, end: player = "
      "keeper;",
      "pragma-simple-apply");
  for (const std::string& line : lines) EXPECT_THAT(line, Not(HasSubstr("x = T(y_1)")));
}

}  // namespace
}  // namespace rgtrans::passes
