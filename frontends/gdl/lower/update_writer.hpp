// Writes updates as pieces of automaton, ordered so that few old values need a copy.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontends/gdl/lower/turn.hpp"

namespace rgtrans::gdl {

class UpdateWriter {
 public:
  explicit UpdateWriter(Turn& turn) : t_(turn) {}

  // New values in buffer variables, by group, until the old values have been read.
  using Buffers = std::vector<std::pair<std::uint32_t, Place>>;

  // Writes the updates and sets `at` to the node after them. If a later update, or `read_later`, reads the old value of
  // a variable, its new value goes to a buffer.
  Buffers write(const std::vector<Update>& updates, ir::NodeId& at,
                const std::unordered_set<std::uint32_t>* read_later);
  void commit(const Buffers& buffers, ir::NodeId& at);
  // The variables whose old values the update reads.
  void reads_of(const Update& update, std::vector<std::uint32_t>& out);

  // Assumes this phase from here on.
  void enter_phase(const TurnStructure::Phase& phase) { known_phase_ = &phase; }
  // From here on, updates of these groups write to the buffers.
  void wait_in(const Buffers& buffers) { pending_.insert(buffers.begin(), buffers.end()); }
  void leave_phase() {
    known_phase_ = nullptr;
    pending_.clear();
  }

 private:
  const Place& buffer(std::uint32_t g);
  // Orders readers before the variables that they read, except inside cycles. `reads`: per update, the other updates
  // whose variable it reads.
  std::vector<std::uint32_t> order_of(const std::vector<Update>& updates,
                                      std::vector<std::vector<std::uint32_t>>& reads);
  ir::NodeId write_one(const Update& update, const Place& target, ir::NodeId at);
  // Tests that a relevant move was made, and continues at `out` otherwise. Returns the node of the first case.
  ir::NodeId guard(const Update& update, ir::NodeId at, ir::NodeId out);
  ir::ExprId successor(std::uint32_t g, const Place& own);
  ir::ExprId looked_up(const Lookup& lookup, std::uint32_t group, const Place& own);

  Turn& t_;
  std::unordered_map<std::uint32_t, Place> buffers_, pending_;
  const TurnStructure::Phase* known_phase_ = nullptr;
};

}  // namespace rgtrans::gdl
