// unused-constants on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(UnusedConstants, AreRemoved) {
  const std::string text = rg::print(transformed("begin, a: x = f[1]; a, end: m[2] == 3;", {"unused-constants"}));
  EXPECT_THAT(text, HasSubstr("const f"));
  EXPECT_THAT(text, Not(HasSubstr("const h")));
}
TEST(UnusedConstants, KeepsAnIndexOnTheLeft) {
  EXPECT_THAT(rg::print(transformed("begin, a: m[f[1]] = T(*); a, end: m[2] == 3;",
                                    {"unused-variables", "unused-constants", "unused-types"})),
              HasSubstr("const f"));
}

}  // namespace
}  // namespace rgtrans::passes
