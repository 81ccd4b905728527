// The nested order of random flow graphs, and a worklist that uses it.
#include "core/analysis/nesting.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "frontends/rg/rg.hpp"

namespace rgtrans::analysis {
namespace {

ir::Game random_game(std::mt19937& random) {
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  const int nodes = 2 + pick(20);
  std::string text = "type Player = { p }; type Score = { 0 }; begin, n0: ; n0, end: ;";
  for (int i = pick(2 * nodes); i >= 0; --i) {
    text += "n" + std::to_string(pick(nodes)) + ", n" + std::to_string(pick(nodes)) + ": ;";
  }
  return rg::parse_game(text);
}

bool contains(const Order::Loop& loop, std::uint32_t position) { return loop.begin <= position && position < loop.end; }

TEST(Nesting, EveryWayBackStaysInALoopAndEveryLoopIsOne) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const ir::Game game = random_game(random);
    const Flow flow(game);
    const Order nesting = nested_order(flow);
    ASSERT_EQ(std::set(nesting.places.begin(), nesting.places.end()).size(), flow.size());
    std::vector<bool> closed(nesting.loops.size(), false);
    for (std::uint32_t i = 0; i < flow.size(); ++i) {
      EXPECT_EQ(nesting.places[nesting.position[i]], i);
      for (const FlowEdge& e : flow.out(i)) {
        const std::uint32_t from = nesting.position[i], to = nesting.position[e.to];
        if (to > from) continue;
        std::uint32_t loop = nesting.loop_of[e.to];
        while (loop != kNone && !contains(nesting.loops[loop], from)) loop = nesting.loops[loop].parent;
        ASSERT_NE(loop, kNone);
        EXPECT_EQ(nesting.loops[loop].begin, to) << "a way back leads to the head of its innermost loop";
        closed[loop] = true;
      }
    }
    for (std::size_t l = 0; l < closed.size(); ++l) {
      const Order::Loop& loop = nesting.loops[l];
      EXPECT_TRUE(closed[l]);
      if (loop.parent == kNone) continue;
      EXPECT_LT(loop.parent, l);
      EXPECT_TRUE(contains(nesting.loops[loop.parent], loop.begin));
      EXPECT_LE(loop.end, nesting.loops[loop.parent].end);
    }
  }
}

// Each node receives all values of its predecessors, independent of which nodes are queued first or added later.
TEST(Nesting, TheWorkEndsAtTheFixedPoint) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    const ir::Game game = random_game(random);
    const Flow flow(game);
    const Order nesting = nested_order(flow);
    Worklist work(nesting);
    std::vector<std::set<std::uint32_t>> origins(flow.size());
    const auto settled = [&] {
      return work.run([&](std::uint32_t at) {
        for (const FlowEdge& e : flow.out(at)) {
          const std::size_t before = origins[e.to].size();
          origins[e.to].insert(origins[at].begin(), origins[at].end());
          if (origins[e.to].size() > before) work.queue(e.to);
        }
        return true;
      });
    };
    for (int times = 0; times < 3; ++times) {
      const std::uint32_t start =
          std::uniform_int_distribution<std::uint32_t>(0, static_cast<std::uint32_t>(flow.size()) - 1)(random);
      origins[start].insert(start);
      work.queue(start);
      ASSERT_TRUE(settled());
      for (const FlowEdge& e : flow.edges()) {
        EXPECT_TRUE(
            std::includes(origins[e.to].begin(), origins[e.to].end(), origins[e.from].begin(), origins[e.from].end()));
      }
    }
  }
}

TEST(Nesting, WorkStopsWhenItIsToldTo) {
  std::mt19937 random(13);
  const ir::Game game = random_game(random);
  const Flow flow(game);
  const Order nesting = nested_order(flow);
  Worklist work(nesting);
  work.queue(0);
  EXPECT_FALSE(work.run([](std::uint32_t) { return false; }));
}

}  // namespace
}  // namespace rgtrans::analysis
