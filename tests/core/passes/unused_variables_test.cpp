// unused-variables on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(UnusedVariables, AreRemoved) {
  const std::string text = rg::print(transformed("begin, a: y = 2; a, end: m[f[1]] = T(*);", {"unused-variables"}));
  EXPECT_THAT(text, Not(HasSubstr("var y")));
  EXPECT_THAT(text, HasSubstr("begin, a: ;"));
}

}  // namespace
}  // namespace rgtrans::passes
