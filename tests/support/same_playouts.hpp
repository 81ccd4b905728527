// Compares the statistics of playouts, except for the time.
#pragma once

#include <gtest/gtest.h>

#include "backends/reasoner.hpp"

namespace rgtrans::test {

inline void expect_same(const PlayoutStats& a, const PlayoutStats& b) {
  EXPECT_EQ(a.playouts, b.playouts);
  EXPECT_EQ(a.moves, b.moves);
  EXPECT_EQ(a.max_length, b.max_length);
  EXPECT_EQ(a.min_length, b.min_length);
  EXPECT_EQ(a.length_squares, b.length_squares);
  EXPECT_EQ(a.branching_sum, b.branching_sum);
  EXPECT_EQ(a.branching_max, b.branching_max);
  EXPECT_EQ(a.stopped, b.stopped);
  EXPECT_EQ(a.goal_sum, b.goal_sum);
  EXPECT_EQ(a.goal_squares, b.goal_squares);
  EXPECT_EQ(a.wins, b.wins);
}

}  // namespace rgtrans::test
