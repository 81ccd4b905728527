// How many pieces of some kinds there can be on the board, by data-flow over the steps that put pieces. Only the sets
// of kinds that the rules test for are counted, and only as far as a few.
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

  // Whenever the play is at the node, at most one of these pieces lies on the board, and they do not stand for places
  // outside the board (`contents_bits`).
  [[nodiscard]] bool one_on_board(NodeId node, const Bits& contents) const;
  // The same for the board without the vertex of the cursor.
  [[nodiscard]] bool one_elsewhere(NodeId node, const Bits& contents) const;

 private:
  // Upper bounds; kMany stands for any number.
  struct Count {
    std::uint8_t all = 0, elsewhere = 0;  // on the board; on the board, but not below the cursor
  };
  static constexpr std::uint8_t kMany = 4;

  static void add_one(std::uint8_t& count);
  // Adds what may also hold; true when that was new.
  static bool join(std::vector<Count>::iterator known, const std::vector<Count>& counts);
  void find_sets();
  [[nodiscard]] std::vector<Count> at_start() const;
  // What holds after a step, by set.
  void advance(const FlowStep& step, const std::optional<Bits>& below, std::vector<Count>& counts) const;
  [[nodiscard]] bool may_put(const FlowStep& step, const Bits& pieces) const;
  // What can lie below the cursor then, where this step or the one before it tells.
  [[nodiscard]] std::optional<Bits> below_cursor_after(const FlowGraph::Edge& edge) const;
  [[nodiscard]] bool at_most_one(NodeId node, const Bits& contents, std::uint8_t Count::*where) const;

  const Description& d_;
  const FlowGraph& f_;
  std::vector<Bits> sets_;
  std::vector<Count> counts_;  // by node and set
};

}  // namespace rgtrans::rbg
