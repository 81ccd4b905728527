// Chooses the edge that a simulation follows from a node, and rates moves in general. If an option needs it, edges
// carry more than their results.
//
// Compiled reasoners include this text, so it uses the standard library alone.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "backends/search/nodes.hpp"
#include "backends/search/tree_interface.hpp"

namespace rgtrans::search {

// Chooses among the edges of a node and takes note of results there. The one who calls holds the node.
class Chooser {
 public:
  Chooser(const TreeOptions& options, std::uint32_t players)
      : options_(options),
        players_(players),
        notes_moves_(options.rave > 0 || options.mast > 0),
        follows_lines_(options.minimax > 0 && players == 2) {
    for (std::uint32_t i = 0; i < spreads_.size(); ++i) {
      const double visits = std::bit_cast<float>((i << kOctaveShift) + kFirstOctave);
      spreads_[i] = static_cast<float>(options_.exploration * std::sqrt(std::log(visits)));
    }
  }
  [[nodiscard]] bool notes_moves() const { return notes_moves_; }
  [[nodiscard]] bool follows_lines() const { return follows_lines_; }
  [[nodiscard]] bool has_extras() const { return notes_moves_ || follows_lines_; }

  // The edge to follow. If a proven move is the best, another one is tried, which may turn out to be better.
  TreeEdge& choose(TreeNode& node, TreeRandom& random) const {
    if (node.mover == players_) return node.begin()[random.below(node.edges)];
    const bool untried = node.tried < node.edges;
    if (untried && options_.first_play >= kTriedFirst) return try_next(node, random);
    const float spread = spread_of(node.visits + 1);
    float best = -std::numeric_limits<float>::infinity();
    TreeEdge* chosen = nullptr;
    for (TreeEdge* edge = node.begin(); edge != node.end_of_tried(); ++edge) {
      if (edge->outcome != kUnknown) continue;
      const float score = (has_extras() ? mixed_mean(node, *edge) : edge->mean) + spread * edge->width;
      if (score > best) {
        best = score;
        chosen = edge;
      }
    }
    if (untried && (chosen == nullptr || mean(node) + options_.first_play + spread >= best)) {
      return try_next(node, random);
    }
    if (chosen != nullptr) return *chosen;
    return *std::find_if(node.begin(), node.end(), [&](const TreeEdge& edge) { return edge.outcome == node.least; });
  }

  // RAVE: the moves of the mover, sorted, that were made from this node on.
  static void note_later(TreeNode& node, const std::vector<std::uint64_t>& moves, double result) {
    for (EdgeExtra* extra = node.extras(); extra != node.extras() + node.edges; ++extra) {
      if (!std::binary_search(moves.begin(), moves.end(), extra->key)) continue;
      ++extra->later_visits;
      extra->later_sum += result;
    }
  }

  // The value at the end of the most visited line from a node on, for that player; negative where it is not settled.
  // Players are two.
  [[nodiscard]] float line_value(const TreeNode& node, std::uint32_t player) const {
    if (node.visits < kSettled || node.mover >= players_) return -1;
    const auto fewer = [](const TreeEdge& one, const TreeEdge& other) { return one.visits < other.visits; };
    const float line = node.extra(*std::max_element(node.begin(), node.end_of_tried(), fewer)).line;
    return node.mover == player ? line : 1 - line;
  }

 private:
  static constexpr double kTriedFirst = 1;       // so much for a first play, and nothing can be better
  static constexpr std::uint32_t kSettled = 32;  // visits of a node after which its best move determines its value
  // Visits by their octave and the next five bits: exact up to 63, and as good as exact from there on.
  static constexpr std::uint32_t kOctaveShift = 18;
  static constexpr std::uint32_t kFirstOctave = 127U << 23U;

  [[nodiscard]] float spread_of(std::uint32_t visits) const {
    return spreads_[(std::bit_cast<std::uint32_t>(static_cast<float>(visits)) - kFirstOctave) >> kOctaveShift];
  }
  // Another move, drawn at random or by its results in later turns. Untried edges differ in their moves alone.
  TreeEdge& try_next(TreeNode& node, TreeRandom& random) const {
    TreeEdge& place = *node.end_of_tried();
    TreeEdge* next = &place + random.below(node.edges - node.tried);
    ++node.tried;
    if (options_.rave > 0) {
      for (TreeEdge* edge = &place; edge != node.end(); ++edge) {
        if (later_mean(node.extra(*edge)) > later_mean(node.extra(*next))) next = edge;
      }
    }
    std::swap(next->move, place.move);
    if (has_extras()) std::swap(node.extra(*next), node.extra(place));
    return place;
  }
  [[nodiscard]] static double later_mean(const EdgeExtra& extra) {
    return extra.later_visits > 0 ? extra.later_sum / extra.later_visits : 0.5;
  }
  [[nodiscard]] static double mean(const TreeNode& node) {
    double sum = 0, visits = 0;
    for (const TreeEdge* edge = node.begin(); edge != node.end_of_tried(); ++edge) {
      sum += edge->sum;
      visits += edge->visits;
    }
    return visits > 0 ? sum / visits : 0.5;
  }
  [[nodiscard]] float mixed_mean(const TreeNode& node, const TreeEdge& edge) const {
    const EdgeExtra& extra = node.extra(edge);
    double mean = edge.mean;
    if (follows_lines_) mean += options_.minimax * (extra.line - mean);
    if (options_.rave > 0 && extra.later_visits > 0) {
      const double weight = std::sqrt(options_.rave / (3.0 * edge.visits + options_.rave));
      mean += weight * (extra.later_sum / extra.later_visits - mean);
    }
    return static_cast<float>(mean);
  }

  TreeOptions options_;
  std::uint32_t players_;
  bool notes_moves_, follows_lines_;
  std::array<float, 32U << (23U - kOctaveShift)> spreads_{};  // by visits
};

// Whether looking for something pays: where it is rare, most places are passed over.
class Gain {
 public:
  bool expected() { return looks_ < kEnough || found_ * kRare >= looks_ || ++passed_ % kRare == 0; }
  void note(bool found) {
    ++looks_;
    found_ += found ? 1 : 0;
    if (looks_ < kMost) return;
    looks_ /= 2;
    found_ /= 2;
  }

 private:
  static constexpr std::uint32_t kEnough = 64, kRare = 16, kMost = 4096;
  std::uint32_t looks_ = 0, found_ = 0, passed_ = 0;
};

// The average result of each move, whichever player made it (MAST). The table has a place per hash of a move; two moves
// with the same place share their average.
class MoveAverages {
 public:
  // The sum of so many results.
  void add(std::uint32_t mover, std::uint64_t key, double sum, std::uint32_t count) {
    Average& known = averages_[place(mover, key)];
    known.sum += sum;
    known.visits += count;
  }
  // As good as can be, where it was never made.
  [[nodiscard]] double operator()(std::uint32_t mover, std::uint64_t key) const {
    const Average& known = averages_[place(mover, key)];
    return known.visits > 0 ? known.sum / known.visits : 1;
  }
  void prepare() { averages_.resize(kPlaces); }

 private:
  static constexpr std::size_t kPlaces = 1U << 16U;
  struct Average {
    double sum = 0, visits = 0;
  };
  static std::size_t place(std::uint32_t mover, std::uint64_t key) {
    return ((key + mover) * 0x9e3779b97f4a7c15U) >> 48U;
  }
  std::vector<Average> averages_;
};

}  // namespace rgtrans::search
