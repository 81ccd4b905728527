#include "core/support/components.hpp"

#include <gtest/gtest.h>

namespace rgtrans {
namespace {

TEST(Components, JoinWhatComesBackAndLeadToSmallerNumbers) {
  // 0 and 1 are on a cycle and lead to 2, which leads to itself; 3 has no incoming arc.
  const Arcs arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 0}};
  const Components found = strong_components(4, arcs);
  EXPECT_EQ(found.count, 3U);
  EXPECT_EQ(found.of[0], found.of[1]);
  for (const auto& [from, to] : arcs) EXPECT_GE(found.of[from], found.of[to]);
  EXPECT_GT(found.of[3], found.of[0]);
}

TEST(Components, OfNothingThereAreNone) { EXPECT_EQ(strong_components(0, {}).count, 0U); }

}  // namespace
}  // namespace rgtrans
