// Trails and labels, on their own and against what they stand for.
#include "backends/interpreter/trail.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "backends/interpreter/labels.hpp"
#include "backends/interpreter/program.hpp"

namespace rgtrans::interpreter {
namespace {

using Values = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Walks at random: what was kept stays as it was, whatever the walk does later.
TEST(Trail, WhatWasKeptStays) {
  constexpr std::uint32_t kCells = 5;
  std::mt19937 random(1);
  Trail<ByteCell> trail;
  ByteCell state[kCells] = {};
  Values walk;
  std::vector<std::pair<std::uint32_t, Values>> kept;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t cell = random() % kCells;
    const std::uint32_t value = random() % 100;
    switch (random() % 6) {
      case 0: {
        const std::size_t size = random() % (walk.size() + 1);
        trail.undo(state, size);
        walk.resize(size);
        break;
      }
      case 1:
        if (walk.empty()) break;
        trail.change(value);
        walk.back().second = value;
        state[walk.back().first] = static_cast<ByteCell>(value);
        break;
      case 2:
        kept.emplace_back(trail.keep(), walk);
        break;
      case 3:
        kept.emplace_back(trail.keep_with(cell, value), walk);
        kept.back().second.emplace_back(cell, value);
        break;
      default:
        trail.push(cell, state[cell], value);
        state[cell] = static_cast<ByteCell>(value);
        walk.emplace_back(cell, value);
    }
    if (kept.size() == 50) {
      for (const auto& [name, expected] : kept) {
        Values found;
        trail.for_each(name, [&](std::uint32_t c, std::uint32_t v) { found.emplace_back(c, v); });
        ASSERT_EQ(found, expected);
      }
      kept.clear();
      trail.undo(state, 0);
      for (const ByteCell c : state) ASSERT_EQ(c, 0);
      trail.clear();
      walk.clear();
    }
  }
}

// Labels says of each labeling whether it is new, or that the search must begin again.
struct Searched {
  int fresh = 0, again = 0, unknown = 0;
};
Searched search(const std::vector<std::vector<std::uint32_t>>& labelings, bool returns) {
  std::vector<std::uint32_t> tags(20);
  std::iota(tags.begin(), tags.end(), 1U);
  Labels labels(tags);
  Searched out;
  for (int round = 0; round < 2; ++round) {
    labels.begin(returns);
    std::set<std::vector<std::uint32_t>> met;
    std::vector<std::uint32_t> before;
    for (const std::vector<std::uint32_t>& labeling : labelings) {
      std::size_t common = 0;
      while (common < before.size() && common < labeling.size() && before[common] == labeling[common]) ++common;
      labels.cut(common);
      for (std::size_t i = common; i < labeling.size(); ++i) labels.push(labeling[i]);
      before = labeling;
      const LabelTree::Found found = labels.add();
      if (found == LabelTree::Found::unknown) {
        ++out.unknown;
        break;
      }
      EXPECT_EQ(found == LabelTree::Found::fresh, met.insert(labeling).second);
      ++(found == LabelTree::Found::fresh ? out.fresh : out.again);
    }
  }
  return out;
}

TEST(Labels, KnowWhatIsNewWhileBranchesAreLeftForGood) {
  const Searched found = search({{1, 2}, {1, 3}, {1, 2}, {1}, {2, 2}, {2, 2}, {3}, {1}, {}, {}}, false);
  EXPECT_EQ(found.unknown, 0);
  EXPECT_EQ(found.fresh, 2 * 6);
  EXPECT_EQ(found.again, 2 * 4);
}

TEST(Labels, SayWhenTheSearchComesBackToABranch) {
  const std::vector<std::vector<std::uint32_t>> labelings = {{1, 2}, {2, 2}, {1, 3}, {1, 2}};
  EXPECT_EQ(search(labelings, false).unknown, 2);
  const Searched all = search(labelings, true);
  EXPECT_EQ(all.fresh, 2 * 3);
  EXPECT_EQ(all.again, 2 * 1);
}

TEST(Labels, AreNeverMistakenAtRandom) {
  std::mt19937 random(2);
  int told = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::vector<std::vector<std::uint32_t>> labelings(1 + random() % 8);
    for (auto& labeling : labelings) {
      labeling.resize(random() % 4);
      for (std::uint32_t& tag : labeling) tag = random() % 3;
    }
    search(labelings, true);
    told += search(labelings, false).unknown == 0 ? 1 : 0;
  }
  EXPECT_GT(told, 300);
}

}  // namespace
}  // namespace rgtrans::interpreter
