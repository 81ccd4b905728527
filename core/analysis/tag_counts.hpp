// Tag counts: the minimum and maximum number of tags since the start of the move, at each node that moves pass.
//
//   begin, a: player = p;   a, b: $ x;   a, b: ;   b, c: $ y;      at b 0 to 1 tags, at c 1 to 2
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

// The same for any graph: the minimum and maximum number of tags on walks from the starts to each node.
struct TagArc {
  std::uint32_t from, to;
  bool tag;
};
struct TagBounds {
  static constexpr std::uint32_t kNever = 0xffffffffU;
  std::vector<std::uint32_t> least;  // by node; kNever if unreachable
  std::vector<std::uint32_t> most;   // `unbounded` after a cycle with a tag
};
[[nodiscard]] TagBounds tag_bounds(std::size_t nodes, std::span<const std::uint32_t> starts,
                                   std::span<const TagArc> arcs, std::uint32_t unbounded);

class TagCounts {
 public:
  // Counts from this number on are treated as unbounded.
  static constexpr std::uint32_t kUnbounded = 200;

  TagCounts(const ir::Game& game, const Flow& flow);

  struct Counts {
    std::uint32_t least = 0, most = 0;
    bool known = false;  // false if no move passes
  };
  [[nodiscard]] Counts at(ir::NodeId node) const { return counts_[flow_->index(node)]; }
  // Whether all walks of moves to this node have the same number of tags.
  [[nodiscard]] bool fixed(ir::NodeId node) const {
    const Counts c = at(node);
    return c.known && c.least == c.most && c.most < kUnbounded;
  }

 private:
  const Flow* flow_;
  std::vector<Counts> counts_;
};

// The nodes where a move begins: `begin` and the targets of player assignments.
std::vector<ir::NodeId> move_starts(const ir::Game& game, const Flow& flow);

}  // namespace rgtrans::analysis
