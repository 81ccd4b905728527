// Bounds the number of pieces of certain kinds on the board by data-flow over the steps that put pieces. Counts only
// sets of kinds that the rules test for, and only up to a small number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/support/bits.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

class PieceCounts {
 public:
  // The arguments must outlive this object.
  PieceCounts(const Description& description, const FlowGraph& flow);

  // Whether at most one of these pieces is on the board whenever the play is at the node. Also false if `contents`
  // includes places outside the board (see `contents_bits`).
  [[nodiscard]] bool one_on_board(NodeId node, const Bits& contents) const;
  // The same for the board except the vertex of the cursor.
  [[nodiscard]] bool one_elsewhere(NodeId node, const Bits& contents) const;

 private:
  // Upper bounds; kMany denotes any number.
  struct Count {
    std::uint8_t all = 0, elsewhere = 0;  // pieces on the board; pieces on the board except at the cursor
  };
  static constexpr std::uint8_t kMany = 4;

  static void add_one(std::uint8_t& count);
  // Merges the counts of another edge. Returns true if `known` changed.
  static bool join(std::vector<Count>::iterator known, const std::vector<Count>& counts);
  void find_sets();
  [[nodiscard]] std::vector<Count> at_start() const;
  // The counts after a step, by set.
  void advance(const FlowStep& step, const std::optional<Bits>& below, std::vector<Count>& counts) const;
  [[nodiscard]] bool may_put(const FlowStep& step, const Bits& pieces) const;
  // The possible contents of the cursor's vertex after the edge, if this step or the preceding test determines them.
  [[nodiscard]] std::optional<Bits> below_cursor_after(const FlowGraph::Edge& edge) const;
  [[nodiscard]] bool at_most_one(NodeId node, const Bits& contents, std::uint8_t Count::*where) const;

  const Description& d_;
  const FlowGraph& f_;
  std::vector<Bits> sets_;
  std::vector<Count> counts_;  // by node and set
};

}  // namespace rgtrans::rbg
