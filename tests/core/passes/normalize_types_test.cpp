// normalize-types on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(NormalizeTypes, NamesEveryArrow) {
  const char* const text =
      "var o: T -> N = { :{ :{ :1 } } }; begin, s: player = p; s, a: o[1][1][1] = 2; a, b: $$ z; "
      "b, end: player = keeper;";
  EXPECT_THAT(rg::print(transformed(text, {"normalize-types"})), Not(HasSubstr("var o: T -> N")));
  keeps(text, "normalize-types");
}

}  // namespace
}  // namespace rgtrans::passes
