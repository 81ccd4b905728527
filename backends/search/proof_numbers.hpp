// Depth-first proof-number search, for two players in games where no position repeats. Each position has two numbers:
// how many leaves at least the search must still evaluate to prove a question, and to refute it. The search always
// descends to the smallest number. Questions have the form "is the value more than t?". The bounds that answer one are
// certain and stay for the next.
#pragma once

#include "backends/search/positions.hpp"

namespace rgtrans::search {

class ProofNumbers {
 public:
  struct Bounds {
    double low, high;  // of the first player's goal
    [[nodiscard]] bool exact() const { return low >= high; }
  };
  // `patient`: continues after a repeated position, and throws Repeats only when it finds nothing new.
  ProofNumbers(const Reasoner& start, double endless, SolveLimits& limits, bool patient);
  // The value of the first player; throws OutOfTime, Repeats, Chance, NotConstant.
  double solve();
  // The bounds known for the start.
  Bounds known();
  std::size_t advise(Walker& at, const ProofClaim& claim);
  [[nodiscard]] std::uint64_t positions() const { return table_.size(); }

 private:
  using Number = std::uint32_t;
  static constexpr Number kEndless = 1U << 30U;

  struct Entry {
    double low = 0, high = 0;
    Number proof = 1, disproof = 1;
    std::uint32_t question = 0;  // which the numbers belong to
    // The times at which the bounds answered a question. A strategy that always moves to earlier knowledge never goes
    // in a circle.
    std::uint32_t low_since = 0, high_since = 0;
    bool known = false;  // the bounds are set
    bool on_path = false;
  };
  // A move's position. Ends are not in the table.
  struct Child {
    Key key;
    std::uint32_t move = 0;
    bool end = false;
    double value = 0;
    Number proof = 1, disproof = 1;  // while it is not in the table
  };
  // The knowledge about a position that the question needs.
  struct View {
    Bounds bounds;
    Number proof, disproof;
    std::uint32_t low_since = 0, high_since = 0;
  };

  [[nodiscard]] bool answered(const Bounds& bounds) const { return bounds.low > asked_ || bounds.high <= asked_; }
  [[nodiscard]] Bounds bounds(const Entry& entry) const {
    return entry.known ? Bounds{entry.low, entry.high} : Bounds{least_, most_};
  }
  View view(const Child& child);
  // Is the value of the position more than t? False if the search has not decided it.
  bool ask(Walker& at, double t);
  // Goes on below until the question is answered or a number reaches its limit.
  void widen(Walker& at, const Key& key, Number proof_limit, Number disproof_limit);
  std::vector<Child> children(Walker& at);
  // The numbers of a position from those of its children; the next child to visit, and its limits.
  struct Step {
    View view;
    std::size_t child;
    Number proof_limit, disproof_limit;
  };
  Step step(const std::vector<Child>& children, bool maximal, Number proof_limit, Number disproof_limit);

  Walker start_;
  Key root_;
  SolveLimits& limits_;
  double endless_;  // the value of an endless play
  bool patient_;
  std::uint32_t found_ = 0;  // questions about positions that were answered
  double least_, most_;
  double asked_ = 0;
  std::uint32_t question_ = 0;
  KeyTable<Entry> table_;
};

}  // namespace rgtrans::search
