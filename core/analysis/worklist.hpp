// Orders of graphs, and the one worklist that all solvers run on. Places are taken in an order in which what is known
// flows forward; what is queued further on is come to in time, and what is queued behind is taken when the order begins
// again. An order can have loops: then the innermost loop that contains both places begins again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::analysis {

// Depth-first from these roots: each node that is reached, so that, but for cycles, it comes behind those that it leads
// to. for_each_next(node, f) calls f(to) for each way on.
template <class ForEachNext>
std::vector<std::uint32_t> post_order(std::size_t bound, std::span<const std::uint32_t> roots,
                                      ForEachNext&& for_each_next) {
  struct Open {
    std::uint32_t node;
    std::size_t first;  // its pending ways on end the list of all
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

// Numbers from 0 in some order, with loops that are properly nested.
struct Order {
  // All places from `begin` to `end`. Inner loops come behind those around them.
  struct Loop {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t parent = kNone;
  };

  Order() = default;
  // Without loops.
  explicit Order(std::vector<std::uint32_t> order) : places(std::move(order)), loop_of(places.size(), kNone) {
    number();
  }
  void number() {
    position.resize(places.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) position[places[i]] = i;
  }

  std::vector<std::uint32_t> places;    // the numbers
  std::vector<std::uint32_t> position;  // by number
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
    // The innermost of those that end at a place is left.
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

  // Calls process(number) for what is queued until nothing is, or until it returns false; then the result is false.
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
  // Behind this place, or back to the start of the innermost loop that ends here and must run again.
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
  std::vector<bool> again_;          // by loop
  std::vector<std::uint32_t> ends_;  // by place: the innermost loop that ends with it
  std::uint32_t at_;                 // place; behind all while nothing runs
  bool more_;
};

}  // namespace rgtrans::analysis
