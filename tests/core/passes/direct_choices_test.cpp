// direct-choices on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::Contains;
using testing::HasSubstr;

// The same two values are reachable from 1 and from 2.
constexpr const char* kTable = "const r: T -> U -> T = { 3: { :2 }, 2: { 1: 3, :1 }, :{ 1: 1, :3 } }; var c: U = 1;";

std::string with_table(const std::string& edges) { return kTable + edges; }

TEST(DirectChoices, ChoosesWhatIsTheSameFromEverywhere) {
  const std::string text = with_table(
      "begin, q: player = p; q, e: $ one; e, a: x = 1; q, g: $ two; g, a: x = 2; a, b: c = U(*); b, d: x = r[x][c];"
      "d, o: $$ x; o, end: player = keeper;");
  EXPECT_THAT(after(text, {"direct-choices"}), Contains(HasSubstr("x = T_1(*);")));
  EXPECT_THAT(rg::print(transformed(text, {"direct-choices"})), HasSubstr("type T_1 = { 1, 3 };"));
  keeps(text, "direct-choices");
}
TEST(DirectChoices, ChoosesWhatIsCompared) {
  const std::string start =
      "var k: M = { 1: 2, :3 };"
      "begin, q: player = p; q, e: $ one; e, a: x = 1; q, g: $ two; g, a: x = 2; a, b: c = U(*); b, d: k[r[x][c]] == "
      "2;";
  const std::string text = with_table(start + "d, o: $ go; o, end: player = keeper;");
  EXPECT_THAT(after(text, {"direct-choices"}), Contains(HasSubstr("x = T_1(*);")));
  EXPECT_THAT(after(text, {"direct-choices"}), Contains(HasSubstr("k[x] == 2;")));
  keeps(text, "direct-choices");
  leaves(with_table(start + "d, o: $$ x; o, end: player = keeper;"), "direct-choices");
  leaves(with_table("begin, q: player = p; q, a: x = U(*); a, b: c = U(*); b, d: n[r[x][c]] == x; d, o: $ go;"
                    "o, end: player = keeper;"),
         "direct-choices");
}
TEST(DirectChoices, LeavesWhatIsNotTheSame) {
  leaves(with_table("begin, q: player = p; q, a: x = T(*); a, b: c = U(*); b, d: x = r[x][c]; d, o: $$ x;"
                    "o, end: player = keeper;"),
         "direct-choices");
}
TEST(DirectChoices, LeavesWhatIsNeededLater) {
  leaves(with_table("begin, q: player = p; q, a: x = U(*); a, b: c = U(*); b, d: x = r[x][c]; d, e: $$ x;"
                    "e, o: $$ c; o, end: player = keeper;"),
         "direct-choices");
}
TEST(DirectChoices, LeavesOtherWaysInAndMovesOfRandom) {
  leaves(with_table("begin, q: player = p; q, a: x = U(*); a, b: c = U(*); a, b: c = 1; b, d: x = r[x][c]; d, o: $$ x;"
                    "o, end: player = keeper;"),
         "direct-choices");
  leaves(with_table("begin, q: player = random; q, a: x = U(*); a, b: c = U(*); b, d: x = r[x][c]; d, o: $$ x;"
                    "o, end: player = keeper;"),
         "direct-choices");
}

}  // namespace
}  // namespace rgtrans::passes
