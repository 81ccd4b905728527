// Immediate dominators of any directed graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::analysis {

// The SemiNCA algorithm (Georgiadis). It builds a depth-first tree and computes semi-dominators bottom-up with path
// compression. Each node's dominator is the nearest common ancestor of its semi-dominator and its parent in the tree.
//
// On flat arrays it is several times faster than boost::lengauer_tarjan_dominator_tree. The simpler iterative method is
// slow for games that evaluate a check in many places, because it climbs long chains repeatedly. Nodes are numbered
// from 1 in the order of the search; 0 means none.
template <class Graph>
class SemiNca {
 public:
  SemiNca(const Graph& graph, std::uint32_t root) : graph_(graph), number_(graph.size(), 0), node_(1), tree_(1, 0) {
    search(root);
    up_ = dominator_ = tree_;
    label_.resize(node_.size());
    std::iota(label_.begin(), label_.end(), 0U);
    semi_ = label_;
  }

  std::vector<std::uint32_t> run() {
    const auto count = static_cast<std::uint32_t>(node_.size());
    for (std::uint32_t w = count - 1; w >= 2; --w) {
      semi_[w] = tree_[w];
      graph_.for_each_in(node_[w], [&](std::uint32_t from) {
        const std::uint32_t v = number_[from];
        if (v != 0) semi_[w] = std::min(semi_[w], semi_[best(v, w + 1)]);
      });
    }
    std::vector<std::uint32_t> parent(graph_.size(), kNone);
    parent[node_[1]] = node_[1];
    for (std::uint32_t w = 2; w < count; ++w) {
      while (dominator_[w] > semi_[w]) dominator_[w] = dominator_[dominator_[w]];
      parent[node_[w]] = node_[dominator_[w]];
    }
    return parent;
  }

 private:
  void search(std::uint32_t root) {
    struct Open {
      std::uint32_t node, next;
    };
    std::vector<Open> stack;
    auto open = [&](std::uint32_t node, std::uint32_t parent) {
      number_[node] = static_cast<std::uint32_t>(node_.size());
      node_.push_back(node);
      tree_.push_back(parent);
      stack.push_back({node, 0});
    };
    open(root, 0);
    while (!stack.empty()) {
      const std::uint32_t at = stack.back().node;
      if (stack.back().next == graph_.out_count(at)) {
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = graph_.out(at, stack.back().next++);
      if (number_[to] == 0) open(to, number_[at]);
    }
  }

  // The node with the smallest semi-dominator on the path from v upwards through linked nodes (numbers >= `linked`).
  std::uint32_t best(std::uint32_t v, std::uint32_t linked) {
    if (up_[v] < linked) return label_[v];
    path_.clear();
    do {
      path_.push_back(v);
      v = up_[v];
    } while (up_[v] >= linked);
    std::uint32_t above = v;
    while (!path_.empty()) {
      v = path_.back();
      path_.pop_back();
      up_[v] = up_[above];
      if (semi_[label_[above]] < semi_[label_[v]]) label_[v] = label_[above];
      above = v;
    }
    return label_[v];
  }

  const Graph& graph_;
  std::vector<std::uint32_t> number_;                         // by node
  std::vector<std::uint32_t> node_, tree_;                    // by number: node, tree parent
  std::vector<std::uint32_t> up_, label_, semi_, dominator_;  // by number
  std::vector<std::uint32_t> path_;
};

// By node: its immediate dominator. The root is its own dominator; unreached nodes have kNone. A Graph has size(),
// out_count(node), out(node, i) and for_each_in(node, f).
template <class Graph>
std::vector<std::uint32_t> immediate_dominators(const Graph& graph, std::uint32_t root) {
  return SemiNca<Graph>(graph, root).run();
}

}  // namespace rgtrans::analysis
