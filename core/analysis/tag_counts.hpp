// Tag counts: how many tags can have been passed since the move began, at each node that moves pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

// The same for any graph: the fewest and the most tags on walks from the starts to each node.
struct TagArc {
  std::uint32_t from, to;
  bool tag;
};
struct TagBounds {
  static constexpr std::uint32_t kNever = 0xffffffffU;
  std::vector<std::uint32_t> least;  // by node; kNever where no walk comes
  std::vector<std::uint32_t> most;   // `unbounded` behind a loop with a tag
};
[[nodiscard]] TagBounds tag_bounds(std::size_t nodes, std::span<const std::uint32_t> starts,
                                   std::span<const TagArc> arcs, std::uint32_t unbounded);

class TagCounts {
 public:
  // A count from here on is taken to be unbounded.
  static constexpr std::uint32_t kUnbounded = 200;

  TagCounts(const ir::Game& game, const Flow& flow);

  struct Counts {
    std::uint32_t least = 0, most = 0;
    bool known = false;  // false: no move passes
  };
  [[nodiscard]] Counts at(ir::NodeId node) const { return counts_[flow_->index(node)]; }
  // Every walk of a move from its start to this node has the same number of tags.
  [[nodiscard]] bool fixed(ir::NodeId node) const {
    const Counts c = at(node);
    return c.known && c.least == c.most && c.most < kUnbounded;
  }

 private:
  const Flow* flow_;
  std::vector<Counts> counts_;
};

// Nodes where a move begins: `begin` and the targets of player assignments.
std::vector<ir::NodeId> move_starts(const ir::Game& game, const Flow& flow);

}  // namespace rgtrans::analysis
