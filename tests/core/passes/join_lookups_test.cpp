// join-lookups on small games: its results, and games that it must leave unchanged.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kMaps =
    "const r: M = { 1: 2, :3 }; const w: M = { 2: 1, :3 }; const both: M = { 1: 1, :3 };"
    "const rr: N = { 1: { 1: 2, :3 }, :{ :3 } }; const ww: N = { 2: { 1: 1, :3 }, :{ :3 } };";
const std::string kAsked = "begin, q: player = p; c, e: $$ x; e, end: player = keeper; b, c: x != 3;";

TEST(JoinLookups, HoldsWhatPasses) {
  const std::string text = kMaps + kAsked + "q, b: x = r[y]; q, b: x = w[y];";
  EXPECT_THAT(after(text, {"join-lookups"}),
              ElementsAre("begin, q: player = p;", "c, e: $$ x;", "e, end: player = keeper;", "b, c: x != 3;",
                          "q, b: x = r_or_w[y];"));
  EXPECT_THAT(rg::print(transformed(text, {"join-lookups"})), HasSubstr("const r_or_w: M = { 1: 2, 2: 1, :3 };"));
  keeps(text, "join-lookups");
}

TEST(JoinLookups, JoinsMoreThanTwo) {
  const std::string text =
      kMaps + "const last: M = { 3: 2, :3 };" + kAsked + "q, b: x = r[y]; q, b: x = w[y]; q, b: x = last[y];";
  EXPECT_THAT(rg::print(transformed(text, {"join-lookups"})), HasSubstr("= { 1: 2, 2: 1, 3: 2, :3 };"));
  keeps(text, "join-lookups");
}

TEST(JoinLookups, LooksBelowEveryKey) {
  const std::string text = kMaps + kAsked + "q, b: x = rr[y][z]; q, b: x = ww[y][z];";
  EXPECT_THAT(rg::print(transformed(text, {"join-lookups"})),
              HasSubstr("const rr_or_ww: N = { 1: { 1: 2, :3 }, 2: { 1: 1, :3 }, :{ :3 } };"));
  keeps(text, "join-lookups");
}

TEST(JoinLookups, AVariableMayBeItsOwnKey) {
  const std::string text = kMaps + kAsked + "q, b: x = r[x]; q, b: x = w[x]; c, q: x == 1;";
  EXPECT_THAT(after(text, {"join-lookups"}), testing::Contains("q, b: x = r_or_w[x];"));
  keeps(text, "join-lookups");
}

TEST(JoinLookups, LeavesWhatBothPass) {
  // Both values pass for a key with an exception, or for all other keys.
  leaves(kMaps + kAsked + "q, b: x = r[y]; q, b: x = both[y];", "join-lookups");
  leaves(kMaps + kAsked + "q, b: x = f[y]; q, b: x = h[y];", "join-lookups");
}

TEST(JoinLookups, LeavesOtherKeysVariablesAndComparisons) {
  leaves(kMaps + kAsked + "q, b: x = r[y]; q, b: x = w[z];", "join-lookups");
  leaves(kMaps + kAsked + "q, b: x = r[y]; q, b: y = w[y];", "join-lookups");
  leaves(kMaps + kAsked + "q, b: m[1] = r[y]; q, b: m[1] = w[y];", "join-lookups");
  const std::string more = "begin, q: player = p; c, e: $$ x; e, end: player = keeper; q, b: x = r[y]; q, b: x = w[y];";
  leaves(kMaps + more + "b, c: x != y;", "join-lookups");
  leaves(kMaps + more + "b, c: y != 3;", "join-lookups");
  leaves(kMaps + more + "b, c: x != 3; b, c: x == 3;", "join-lookups");
}

TEST(JoinLookups, LeavesWhatACheckArrivesAt) {
  leaves(kMaps + kAsked + "q, b: x = r[y]; q, b: x = w[y]; q, e: ? q -> b;", "join-lookups");
}

}  // namespace
}  // namespace rgtrans::passes
