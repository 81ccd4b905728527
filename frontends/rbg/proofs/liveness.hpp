// Liveness of the cursor, the board and variables. It finds steps without any effect that is read: moves of the cursor
// before it is placed anew, and offs and assignments inside patterns that the pattern does not read.
#pragma once

#include <vector>

#include "core/support/bits.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"
#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

class LaterReads {
 public:
  LaterReads(const Description& description, const Relations& relations, const FlowGraph& flow);

  [[nodiscard]] bool cursor(NodeId node) const { return live_[node].test(0); }
  [[nodiscard]] bool board(NodeId node) const { return live_[node].test(1); }
  [[nodiscard]] bool variable(NodeId node, std::uint32_t index) const { return live_[node].test(2 + index); }
  [[nodiscard]] bool any_count(NodeId node) const { return live_[node].intersects(count_mask_); }
  // Whether the step cannot fail and has no effect that is read at `to`.
  [[nodiscard]] bool idle(const FlowStep& step, NodeId to) const;

 private:
  void read(ArithId id, Bits& live) const;
  // Marks the key of a table lookup as live: a variable, or the piece at the cursor.
  void read_key(const FlowStep& step, Bits& live) const;
  [[nodiscard]] bool can_fail(const FlowStep& step) const;
  // Updates `live` from the state after the step to the state before it.
  void transfer(const FlowStep& step, Bits& live) const;

  const Description& d_;
  const Relations& r_;
  const FlowGraph& f_;
  Arithmetic arithmetic_;
  std::size_t counts_ = 0;
  Bits count_mask_;
  ByNode<Bits> live_;
};

}  // namespace rgtrans::rbg
