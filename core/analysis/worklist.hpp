// Orders of graphs, and the worklist of all solvers. The worklist processes queued places in order. A place queued
// ahead is reached in the same pass. A place queued behind the current one restarts the innermost loop that contains
// both places, or the whole order if they share no loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::analysis {

// Depth-first search. Returns all nodes reachable from the roots in post-order: each node follows its successors,
// ignoring back edges. for_each_next(node, f) calls f(to) for each successor.
template <class ForEachNext>
std::vector<std::uint32_t> post_order(std::size_t bound, std::span<const std::uint32_t> roots,
                                      ForEachNext&& for_each_next) {
  struct Open {
    std::uint32_t node;
    std::size_t first;  // position of its pending successors, which are at the end of the list
  };
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(bound, false);
  std::vector<Open> path;
  std::vector<std::uint32_t> pending, next;
  const auto open = [&](std::uint32_t node) {
    seen[node] = true;
    path.push_back({node, pending.size()});
    next.clear();
    for_each_next(node, [&](std::uint32_t to) { next.push_back(to); });
    pending.insert(pending.end(), next.rbegin(), next.rend());
  };
  for (const std::uint32_t root : roots) {
    if (!seen[root]) open(root);
    while (!path.empty()) {
      if (pending.size() == path.back().first) {
        order.push_back(path.back().node);
        path.pop_back();
        continue;
      }
      const std::uint32_t node = pending.back();
      pending.pop_back();
      if (!seen[node]) open(node);
    }
  }
  return order;
}

// A permutation of the numbers below size(), with properly nested loops.
struct Order {
  // The places from `begin` to `end`. Inner loops follow the loops around them.
  struct Loop {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t parent = kNone;
  };

  Order() = default;
  // An order without loops.
  explicit Order(std::vector<std::uint32_t> order) : places(std::move(order)), loop_of(places.size(), kNone) {
    number();
  }
  void number() {
    position.resize(places.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) position[places[i]] = i;
  }

  std::vector<std::uint32_t> places;    // numbers in order
  std::vector<std::uint32_t> position;  // place by number
  std::vector<Loop> loops;
  std::vector<std::uint32_t> loop_of;  // by number: the innermost loop, or kNone
};

class Worklist {
 public:
  explicit Worklist(const Order& order, bool all = false)
      : order_(order),
        queued_(order.places.size(), all),
        again_(order.loops.size(), false),
        ends_(order.loops.empty() ? 0 : order.places.size(), kNone),
        at_(static_cast<std::uint32_t>(order.places.size())),
        more_(all) {
    // Of several loops that end at one place, the innermost remains.
    for (std::uint32_t loop = 0; loop < again_.size(); ++loop) ends_[order.loops[loop].end - 1] = loop;
  }

  void queue(std::uint32_t number) {
    queued_[number] = true;
    if (order_.position[number] > at_) return;
    std::uint32_t loop = order_.loop_of[number];
    while (loop != kNone && order_.loops[loop].end <= at_) loop = order_.loops[loop].parent;
    if (loop == kNone) {
      more_ = true;
    } else {
      again_[loop] = true;
    }
  }

  // Calls process(number) for queued numbers until none is left. Stops and returns false if process returns false.
  template <class Process>
  bool run(Process&& process) {
    while (more_) {
      more_ = false;
      for (at_ = 0; at_ < order_.places.size();) {
        const std::uint32_t number = order_.places[at_];
        if (queued_[number]) {
          queued_[number] = false;
          if (!process(number)) return false;
        }
        at_ = next();
      }
    }
    return true;
  }

 private:
  // The next place, or the begin of the innermost loop that ends here and must be repeated.
  std::uint32_t next() {
    if (ends_.empty()) return at_ + 1;
    for (std::uint32_t loop = ends_[at_]; loop != kNone && order_.loops[loop].end == at_ + 1;
         loop = order_.loops[loop].parent) {
      if (!again_[loop]) continue;
      again_[loop] = false;
      return order_.loops[loop].begin;
    }
    return at_ + 1;
  }

  const Order& order_;
  std::vector<bool> queued_;         // by number
  std::vector<bool> again_;          // by loop: must be repeated
  std::vector<std::uint32_t> ends_;  // by place: the innermost loop that ends there
  std::uint32_t at_;                 // current place; past the end when idle
  bool more_;
};

}  // namespace rgtrans::analysis
