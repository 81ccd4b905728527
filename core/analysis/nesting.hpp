// The nodes of a flow graph in an order for solvers that repeat inner loops before outer ones (Bourdoncle's weak
// topological order): strong components in topological order, in each of them first a head, then the rest, taken
// apart in the same manner without the head.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

class Nesting {
 public:
  explicit Nesting(const Flow& flow);

  static constexpr std::uint32_t kNone = 0xffffffffU;
  // All of `order` from `begin` to `end`; loops are properly nested.
  struct Loop {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t parent = kNone;
  };
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }  // flow indices
  [[nodiscard]] const std::vector<Loop>& loops() const { return loops_; }
  // The innermost loop of a flow index, or kNone.
  [[nodiscard]] std::uint32_t loop_of(std::uint32_t index) const { return loop_of_[index]; }
  [[nodiscard]] std::uint32_t position(std::uint32_t index) const { return position_[index]; }

 private:
  void place(const Flow& flow, std::vector<std::uint32_t> nodes, std::uint32_t loop, int depth);
  void add(std::uint32_t node, std::uint32_t loop);

  std::vector<std::uint32_t> order_, loop_of_, position_;
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> local_;  // while nodes are placed
};

// A worklist in this order. What is queued further on is come to in time; what is queued behind makes the innermost
// loop that contains both places run again.
class NestedWork {
 public:
  explicit NestedWork(const Nesting& nesting)
      : nesting_(nesting),
        queued_(nesting.order().size(), false),
        again_(nesting.loops().size(), false),
        ends_(nesting.order().size(), kNone),
        at_(static_cast<std::uint32_t>(nesting.order().size())) {
    // Inner loops have larger numbers than those around them: the innermost of those that end at a place is left.
    for (std::uint32_t loop = 0; loop < again_.size(); ++loop) ends_[nesting.loops()[loop].end - 1] = loop;
  }

  void queue(std::uint32_t index) {
    queued_[index] = true;
    const std::uint32_t position = nesting_.position(index);
    if (position > at_) return;
    std::uint32_t loop = nesting_.loop_of(index);
    while (loop != kNone && nesting_.loops()[loop].end <= at_) loop = nesting_.loops()[loop].parent;
    if (loop == kNone) {
      more_ = true;
    } else {
      again_[loop] = true;
    }
  }

  // Calls process(index) for what is queued until nothing is, or until it returns false; then the result is false.
  template <class Process>
  bool run(Process&& process) {
    const std::vector<std::uint32_t>& order = nesting_.order();
    while (more_) {
      more_ = false;
      for (at_ = 0; at_ < order.size();) {
        const std::uint32_t index = order[at_];
        if (queued_[index]) {
          queued_[index] = false;
          if (!process(index)) return false;
        }
        at_ = next();
      }
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = Nesting::kNone;

  // Behind this place, or back to the start of the innermost loop that ends here and must run again.
  std::uint32_t next() {
    for (std::uint32_t loop = ends_[at_]; loop != kNone && nesting_.loops()[loop].end == at_ + 1;
         loop = nesting_.loops()[loop].parent) {
      if (!again_[loop]) continue;
      again_[loop] = false;
      return nesting_.loops()[loop].begin;
    }
    return at_ + 1;
  }

  const Nesting& nesting_;
  std::vector<bool> queued_;         // by flow index
  std::vector<bool> again_;          // by loop
  std::vector<std::uint32_t> ends_;  // by place: the innermost loop that ends with it
  std::uint32_t at_;                 // place; behind all while nothing runs
  bool more_ = false;
};

}  // namespace rgtrans::analysis
