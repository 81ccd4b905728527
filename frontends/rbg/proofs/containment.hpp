// Proves that walks contain walks of a pattern. If the pattern has no walk from some place, the play can take no walk
// that contains one from there.
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

  // Whether every walk from this step to a switch contains a walk of the pattern that starts at the place before the
  // step. Sound but incomplete.
  bool contains(EdgeId step, const FlowGraph::Pattern& pattern);

 private:
  // A position of the pattern's walk, and the function from its cursor to the other walk's cursor.
  struct Place {
    NodeId at;
    std::uint32_t ahead = kNone;
    auto operator<=>(const Place&) const = default;
  };

  bool step_matches(const FlowGraph::Edge& edge, const Place& place);
  bool walk_matches(NodeId node, const Place& place);
  bool edges_match(NodeId node, const Place& place);
  // Whether the tests are equal, if the first one is evaluated at the cursor that is `ahead`.
  bool same_test(const FlowStep& a, const FlowStep& b, std::uint32_t ahead);
  // Whether the rest of the pattern may read the vertex of the other walk's cursor.
  bool reads_again(const Place& place);
  [[nodiscard]] bool reads(NodeId at, std::uint32_t start, std::uint32_t changed) const;

  const Description& d_;
  Relations& r_;
  const FlowGraph& f_;
  NodeId end_;  // end of the current pattern
  Effort pairs_{"", 0};
  std::map<std::pair<NodeId, Place>, bool> matched_;
  std::map<Place, bool> reads_;
};

}  // namespace rgtrans::rbg
