// Trails and labels, alone and compared with the arrays and lists that they represent.
#include "backends/interpreter/trail.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "backends/interpreter/labels.hpp"
#include "backends/interpreter/program.hpp"
#include "backends/interpreter/visit_memory.hpp"

namespace rgtrans::interpreter {
namespace {

using Values = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Random walks: a saved mark stays as it was, whatever the walk does later.
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

// Visits are distinguished by the cells that have changed since an exploration began, whatever happened to the trail in
// between, and by the tags before if there are few codes.
class Explored {
 public:
  explicit Explored(std::uint32_t seed) : random_(seed), state_(kCells, 0) {
    VisitSpec changes;
    for (std::uint32_t cell = 0; cell < kCells; ++cell) changes.parts.push_back({cell, 0, 4});
    changes.exact = false;
    changes.member.assign(kCells, true);
    changes.member[kCells - 1] = false;
    VisitSpec few;
    few.parts.push_back({0, 0, 4});
    few.codes = 4;
    few.tags = true;
    // Places belong to one exploration at a time.
    for (std::uint32_t depth = 0; depth <= kDepth; ++depth)
      program_.visits.insert(program_.visits.end(), {changes, few});
    visits_.emplace(program_);
  }
  void explore(std::uint32_t depth) {
    const std::uint32_t epoch = visits_->next_epoch();
    const std::uint32_t base = trail_.size();
    std::set<std::vector<ByteCell>> states;
    std::set<std::pair<std::vector<std::uint32_t>, ByteCell>> codes;
    for (int i = 0; i < kRounds; ++i) {
      walk(base);
      if (depth < kDepth && below(20) == 0) {
        const std::size_t low = trail_.low();
        explore(depth + 1);
        trail_.set_low(low);
      }
      const std::vector<ByteCell> listed(state_.begin(), state_.end() - 1);
      EXPECT_EQ(visits_->arrive(state_.data(), 2 * depth, epoch, trail_, base, depth, labels_),
                states.insert(listed).second);
      EXPECT_EQ(visits_->arrive(state_.data(), 2 * depth + 1, epoch, trail_, base, depth, labels_),
                codes.insert({tags(), state_[0]}).second);
    }
    trail_.undo(state_.data(), base);
  }

 private:
  static constexpr std::uint32_t kCells = 12;
  static constexpr std::uint32_t kDepth = 2;
  static constexpr int kRounds = 60;

  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  void walk(std::uint32_t base) {
    if (below(3) == 0) trail_.undo(state_.data(), base + below(trail_.size() - base + 1));
    for (std::uint32_t k = below(8); k > 0; --k) {
      const std::uint32_t cell = below(kCells);
      const std::uint32_t value = below(2);
      trail_.push(cell, state_[cell], value);
      state_[cell] = static_cast<ByteCell>(value);
      if (below(4) == 0) trail_.keep();
    }
    labels_.cut(below(labels_.size() + 1));
    if (labels_.size() < 4) labels_.push(1 + below(3));
  }
  [[nodiscard]] std::vector<std::uint32_t> tags() const {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < labels_.size(); ++i) out.push_back(labels_[i]);
    return out;
  }

  std::mt19937 random_;
  MachineProgram program_;
  std::optional<VisitMemory<ByteCell>> visits_;
  std::vector<ByteCell> state_;
  Trail<ByteCell> trail_;
  Labels labels_{std::vector<std::uint32_t>{1, 2, 3}};
};

TEST(Visits, AreToldApartAtRandom) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) Explored(seed).explore(0);
}

}  // namespace
}  // namespace rgtrans::interpreter
