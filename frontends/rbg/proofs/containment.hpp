// Walks that contain walks of patterns. The play can take no walk that contains a walk of some pattern from a place
// where that pattern has none.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>

#include "core/support/effort.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

class Containment {
 public:
  // The arguments must outlive this object.
  Containment(const Description& description, Relations& relations, const FlowGraph& flow);

  // Does every walk from this step to a switch contain one of the pattern, from the place before the step? Sound, not
  // complete.
  bool contains(EdgeId step, const FlowGraph::Pattern& pattern);

 private:
  // Where a walk of the pattern is, and the function by which the cursor of the other walk is ahead of its cursor.
  struct Place {
    NodeId at;
    std::uint32_t ahead = kNone;
    auto operator<=>(const Place&) const = default;
  };

  bool step_matches(const FlowGraph::Edge& edge, const Place& place);
  bool walk_matches(NodeId node, const Place& place);
  bool edges_match(NodeId node, const Place& place);
  // Are these the same test, the first at the cursor that is ahead?
  bool same_test(const FlowStep& a, const FlowStep& b, std::uint32_t ahead);
  // May a walk of the pattern look at the vertex where the other walk is now?
  bool reads_again(const Place& place);
  [[nodiscard]] bool reads(NodeId at, std::uint32_t start, std::uint32_t changed) const;

  const Description& d_;
  Relations& r_;
  const FlowGraph& f_;
  NodeId end_;  // of the pattern in question
  Effort pairs_{"", 0};
  std::map<std::pair<NodeId, Place>, bool> matched_;
  std::map<Place, bool> reads_;
};

}  // namespace rgtrans::rbg
