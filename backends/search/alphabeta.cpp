// The table holds bounds that are certain, whatever the depth of the search that found them; a line that the depth cuts
// off is worth something between the least and the most. Deepening goes on until the bounds of the start meet, so that
// a short win is found before a long line is looked at.
#include "backends/search/alphabeta.hpp"

#include <algorithm>

namespace rgtrans::search {

namespace {

constexpr std::size_t kHistory = 1U << 14U;
constexpr unsigned kDeepest = 8;  // then to the end

}  // namespace

AlphaBeta::AlphaBeta(const Reasoner& start, const SolveOptions&, Limits& limits)
    : start_(start),
      limits_(limits),
      least_(start.info().least_goal),
      most_(start.info().most_goal),
      history_(kHistory, 0) {}

AlphaBeta::Bounds AlphaBeta::solve() {
  for (unsigned depth = 4;; depth = depth < kDeepest ? depth * 2 : ~0U) {
    cut_ = false;
    const Bounds found = search(start_, depth, least_ - 1, most_ + 1);
    if (found.exact() || !cut_) return found;
  }
}

AlphaBeta::Bounds AlphaBeta::known() {
  const Entry* entry = table_.find(start_.key());
  return entry == nullptr ? Bounds{least_, most_} : bounds(*entry);
}

AlphaBeta::Bounds AlphaBeta::search(Walker& at, unsigned depth, double alpha, double beta) {
  Reasoner& r = at.at();
  if (r.terminal()) {
    const double value = constant_sum_value(r);
    return {value, value};
  }
  const Key key = at.key();
  std::uint32_t first = 0;
  {
    Entry& entry = table_[key];
    const Bounds now = bounds(entry);
    if (entry.on_path) throw Repeats();
    if (now.exact() || now.low >= beta || now.high <= alpha) return now;
    if (depth == 0) {
      cut_ = true;
      return now;
    }
    first = entry.best;
    entry.on_path = true;
  }
  limits_.check(table_.bytes());
  if (r.mover() > 1) throw Chance();
  const bool maximal = r.mover() == 0;
  const auto count = static_cast<std::uint32_t>(at.list());
  struct Candidate {
    std::uint32_t good;  // how often it was elsewhere
    std::uint32_t move;
    std::uint32_t print;
  };
  std::vector<Candidate> order;
  order.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto print = static_cast<std::uint32_t>(r.move_fingerprint(i) % kHistory);
    order.push_back({i == first ? ~0U : history_[print], i, print});
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.good > b.good; });
  // For the one who moves: as if it maximised.
  Bounds result = maximal ? Bounds{least_, least_} : Bounds{most_, most_};
  std::uint32_t best = order[0].move;
  bool all = true;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::uint32_t move = order[k].move;
    at.down(move);
    Bounds child{};
    try {
      child = search(at, depth - 1, alpha, beta);
    } catch (...) {
      at.up();
      table_[key].on_path = false;
      throw;
    }
    at.up();
    if (maximal) {
      if (child.low > result.low) best = move;
      result = {std::max(result.low, child.low), std::max(result.high, child.high)};
      alpha = std::max(alpha, result.low);
    } else {
      if (child.high < result.high) best = move;
      result = {std::min(result.low, child.low), std::min(result.high, child.high)};
      beta = std::min(beta, result.high);
    }
    if (alpha >= beta || (maximal ? result.low >= most_ : result.high <= least_)) {
      all = k + 1 == order.size();
      history_[order[k].print] += depth;
      break;
    }
  }
  if (!all) (maximal ? result.high : result.low) = maximal ? most_ : least_;
  Entry& entry = table_[key];
  const Bounds before = bounds(entry);
  result = {std::max(result.low, before.low), std::min(result.high, before.high)};
  entry = {result.low, result.high, best, true, false};
  return result;
}

double AlphaBeta::value_at(Walker& at) {
  for (unsigned depth = 4;; depth *= 2) {
    cut_ = false;
    const Bounds found = search(at, depth, least_ - 1, most_ + 1);
    if (found.exact() || !cut_) return found.low;
  }
}

std::size_t AlphaBeta::advise(Walker& at, const Claim& claim) {
  const std::size_t count = at.list();
  const Entry* entry = table_.find(at.key());
  const std::uint32_t first = entry == nullptr ? 0 : entry->best;
  // Only whether the claim holds below is asked: a window without width, and first of all what is known already.
  const double alpha = claim.at_least ? claim.value - 0.5 : claim.value;
  const double beta = claim.at_least ? claim.value : claim.value + 0.5;
  for (const bool look : {false, true}) {
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = (first + k) % count;
      at.down(i);
      Bounds child{least_, most_};
      if (at.at().terminal()) {
        child.low = child.high = goal_numbers(at.at())[0];
      } else if (!look) {
        if (const Entry* below = table_.find(at.key())) child = bounds(*below);
      } else {
        for (unsigned depth = 4;; depth *= 2) {
          cut_ = false;
          child = search(at, depth, alpha, beta);
          if (child.low >= beta || child.high <= alpha || !cut_) break;
        }
      }
      at.up();
      if (claim.at_least ? child.low >= claim.value : child.high <= claim.value) return i;
    }
  }
  throw std::runtime_error("no move keeps what was proven");
}

}  // namespace rgtrans::search
