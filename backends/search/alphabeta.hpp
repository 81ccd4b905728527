// Alpha-beta for two players where no position comes back.
#pragma once

#include "backends/search/positions.hpp"

namespace rgtrans::search {

class AlphaBeta {
 public:
  struct Bounds {
    double low, high;
    [[nodiscard]] bool exact() const { return low >= high; }
  };
  AlphaBeta(const Reasoner& start, const SolveOptions& options, Limits& limits);
  // The value of the first player; throws OutOfTime, Repeats.
  Bounds solve();
  // What is known of the start.
  Bounds known();
  // The value where another walker of the same game stands.
  double value_at(Walker& at);
  std::size_t advise(Walker& at, const Claim& claim);
  [[nodiscard]] std::uint64_t positions() const { return table_.size(); }

 private:
  struct Entry {
    double low = 0, high = 0;
    std::uint32_t best = 0;
    bool known = false;
    bool on_path = false;
  };
  Bounds search(Walker& at, unsigned depth, double alpha, double beta);
  Bounds bounds(const Entry& entry) const {
    return entry.known ? Bounds{entry.low, entry.high} : Bounds{least_, most_};
  }

  Walker start_;
  Limits& limits_;
  double least_, most_;
  KeyTable<Entry> table_;
  std::vector<std::uint32_t> history_;
  bool cut_ = false;  // the depth ended a line
};

}  // namespace rgtrans::search
