// Backward induction over positions that do not repeat.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/search/strategies.hpp"

namespace rgtrans::search {

// A choice among moves of equal worth for the mover decides the goals of others.
struct Ties {};

// Chance, or any number of players each of whom wants the most for itself: the expected goals of all. Of equal moves
// the one with the least text counts, which depends on no engine. Images of a position have other texts, and rounding
// may make equal moves unequal. So where a tie matters, numbers must be exact, and images are not joined.
template <class Number>
class Induction {
 public:
  Induction(const Reasoner& start, SolveLimits& limits, bool ordered)
      : at_(start),
        limits_(limits),
        ordered_(ordered),
        close_(std::is_same_v<Number, double> ? 1e-9 * (start.info().most_goal - start.info().least_goal) : 0) {
    for (const Number& value : visit()) values.push_back(static_cast<double>(value));
  }
  [[nodiscard]] std::uint64_t positions() const { return table_.size(); }
  std::vector<double> values;
  bool constant_sum = true;
  // The best move where another walker stands. The one that was found may have been an image of it.
  std::uint32_t best(Walker& at) {
    const std::size_t mover = at.at().mover();
    const std::size_t count = at.list();
    std::uint32_t best = 0;
    std::vector<Number> most;
    for (std::uint32_t i = 0; i < count; ++i) {
      at.down(i);
      std::vector<Number> value = at.at().terminal() ? end(at.at()) : table_[at.key(!ordered_)].values;
      at.up();
      if (i > 0 && !better(at, i, value, best, most, mover)) continue;
      most = std::move(value);
      best = i;
    }
    return best;
  }

 private:
  struct Entry {
    std::vector<Number> values;
    bool open = false;
  };
  std::vector<Number> end(const Reasoner& r) {
    const std::vector<double> goals = goal_numbers(r);
    const double sum = std::accumulate(goals.begin(), goals.end(), 0.0);
    constant_sum = constant_sum && (!sum_ || *sum_ == sum);
    sum_ = sum;
    return {goals.begin(), goals.end()};
  }
  bool equal(const Number& a, const Number& b) const { return !(a - b > close_) && !(b - a > close_); }
  // Whether the mover prefers move i to another one.
  bool better(const Walker& at, std::uint32_t i, const std::vector<Number>& value, std::uint32_t best,
              const std::vector<Number>& most, std::size_t mover) const {
    if (!equal(value[mover], most[mover])) return value[mover] > most[mover];
    if (std::ranges::equal(value, most, [&](const Number& a, const Number& b) { return equal(a, b); })) return false;
    if (!ordered_) throw Ties();
    return at.at().move_text(i) < at.at().move_text(best);
  }
  std::vector<Number> visit() {
    Reasoner& r = at_.at();
    if (r.terminal()) return end(r);
    const Key key = at_.key(!ordered_);
    {
      Entry& entry = table_[key];
      if (entry.open) throw Repeats();
      if (!entry.values.empty()) return entry.values;
      entry.open = true;
    }
    const std::size_t players = r.info().players.size();
    limits_.check(table_.bytes() + table_.size() * players * 2 * sizeof(Number));
    const std::size_t mover = r.mover();
    const std::size_t count = at_.list();
    std::vector<Number> values(players, 0);
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      at_.down(i);
      std::vector<Number> below = visit();
      at_.up();
      if (mover >= players) {
        for (std::size_t p = 0; p < players; ++p) values[p] += below[p] / count;
      } else if (i == 0 || better(at_, i, below, best, values, mover)) {
        values = std::move(below);
        best = i;
      }
    }
    table_[key] = {values, false};
    return values;
  }

  Walker at_;
  SolveLimits& limits_;
  KeyTable<Entry> table_;
  std::optional<double> sum_;
  bool ordered_;  // ties are decided
  Number close_;  // numbers with no greater difference count as equal
};

}  // namespace rgtrans::search
