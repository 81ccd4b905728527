// unused-types on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(UnusedTypes, AreRemoved) {
  const std::string text = rg::print(transformed("type Q = { q }; begin, end: x = U(*);", {"unused-types"}));
  EXPECT_THAT(text, Not(HasSubstr("type Q")));
  EXPECT_THAT(text, HasSubstr("type U"));
}

}  // namespace
}  // namespace rgtrans::passes
