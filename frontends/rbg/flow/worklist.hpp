// Which nodes of a flow graph to look at (again) for a data-flow analysis.
#pragma once

#include <functional>
#include <queue>
#include <vector>

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Hands out nodes in reverse post-order: those before a node first, as far as loops allow.
class Worklist {
 public:
  explicit Worklist(const Flow& flow);
  void push(NodeId node);
  [[nodiscard]] bool empty() const { return places_.empty(); }
  NodeId pop();

 private:
  std::vector<NodeId> order_;
  std::vector<std::uint32_t> place_of_;
  std::vector<char> waiting_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> places_;
};

}  // namespace rgtrans::rbg
