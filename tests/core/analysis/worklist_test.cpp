// Depth-first order and bounds on tags, compared with slower algorithms.
#include "core/analysis/worklist.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <random>
#include <set>

#include "core/analysis/tag_counts.hpp"

namespace rgtrans::analysis {
namespace {

using testing::ElementsAre;

TEST(PostOrder, IsThatOfARecursiveSearch) {
  std::mt19937 random(3);
  const auto pick = [&](std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random); };
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 1 + pick(12);
    std::vector<std::vector<std::uint32_t>> next(count);
    for (std::size_t i = pick(3 * count); i > 0; --i)
      next[pick(count)].push_back(static_cast<std::uint32_t>(pick(count)));
    const std::vector<std::uint32_t> roots = {static_cast<std::uint32_t>(pick(count)),
                                              static_cast<std::uint32_t>(pick(count))};
    std::vector<std::uint32_t> expected;
    std::vector<bool> seen(count, false);
    const std::function<void(std::uint32_t)> search = [&](std::uint32_t node) {
      if (seen[node]) return;
      seen[node] = true;
      for (const std::uint32_t to : next[node]) search(to);
      expected.push_back(node);
    };
    for (const std::uint32_t root : roots) search(root);
    EXPECT_EQ(post_order(count, roots,
                         [&](std::uint32_t node, auto&& f) {
                           for (const std::uint32_t to : next[node]) f(to);
                         }),
              expected);
  }
}

TEST(Worklist, TakesWhatIsBehindInTheNextRound) {
  const Order order(std::vector<std::uint32_t>{2, 0, 1});
  Worklist work(order, /*all=*/true);
  std::vector<std::uint32_t> taken;
  EXPECT_TRUE(work.run([&](std::uint32_t number) {
    taken.push_back(number);
    if (number == 0 && taken.size() < 4) {
      work.queue(2);
      work.queue(1);
      work.queue(0);
    }
    return true;
  }));
  EXPECT_THAT(taken, ElementsAre(2, 0, 1, 2, 0));
  work.queue(1);
  EXPECT_FALSE(work.run([](std::uint32_t) { return false; }));
}

// Enumerates all walks up to a length. Cycles produce longer walks with more tags.
TEST(TagBounds, AreThoseOfAllWalks) {
  std::mt19937 random(4);
  const auto pick = [&](std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random); };
  constexpr std::uint32_t kUnbounded = 9;
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + pick(6);
    std::vector<TagArc> arcs;
    for (std::size_t i = pick(2 * count); i > 0; --i) {
      arcs.push_back({static_cast<std::uint32_t>(pick(count)), static_cast<std::uint32_t>(pick(count)), pick(2) == 0});
    }
    std::vector<std::uint32_t> least(count, kNone), most(count, 0);
    std::set<std::pair<std::uint32_t, std::uint32_t>> walks = {{0, 0}};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> work = {{0, 0}};
    while (!work.empty()) {
      const auto [node, tags] = work.back();
      work.pop_back();
      least[node] = std::min(least[node], tags);
      most[node] = std::max(most[node], tags);
      for (const TagArc& arc : arcs) {
        const std::pair next(arc.to, std::min(tags + (arc.tag ? 1 : 0), kUnbounded));
        if (arc.from == node && walks.insert(next).second) work.push_back(next);
      }
    }
    const std::vector<std::uint32_t> starts = {0};
    const TagBounds bounds = tag_bounds(count, starts, arcs, kUnbounded);
    EXPECT_EQ(bounds.least, least);
    for (std::size_t node = 0; node < count; ++node) {
      if (least[node] == kNone) continue;
      EXPECT_EQ(bounds.most[node], most[node]);
    }
  }
}

}  // namespace
}  // namespace rgtrans::analysis
