// A compiled game against the interpreter: the number of moves to depth 2, and random plays.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/quick_reasoner.hpp"

namespace rgtrans::cpp {

inline void expect_plays_of_interpreter(const ir::Game& game, unsigned plays = 20) {
  const auto reasoner = test::quick_reasoner(game);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 2; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
  std::mt19937 random(1);
  for (unsigned i = 0; i < plays; ++i)
    EXPECT_EQ(corpus::play_both(*reasoner, *interpreter, random, {.longest = 40}).difference, "") << i;
}

}  // namespace rgtrans::cpp
