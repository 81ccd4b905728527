// Updates as pieces of automaton, in an order in which few old values are overwritten too early.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontends/gdl/lower/turn.hpp"

namespace rgtrans::gdl {

class UpdateWriter {
 public:
  explicit UpdateWriter(Turn& turn) : t_(turn) {}

  // New values that wait in variables of their own, by group, until nobody needs the old ones.
  using Buffers = std::vector<std::pair<std::uint32_t, Place>>;

  // Old values that are needed after their update are kept: the new one waits in a buffer, as do those of the variables
  // that are read later by others. `at` becomes the node behind.
  Buffers write(const std::vector<Update>& updates, ir::NodeId& at,
                const std::unordered_set<std::uint32_t>* read_later);
  void commit(const Buffers& buffers, ir::NodeId& at);
  // The variables whose old values the update reads.
  void reads_of(const Update& update, std::vector<std::uint32_t>& out);

  // From here on the game is in this phase.
  void enter_phase(const TurnStructure::Phase& phase) { known_phase_ = &phase; }
  // From here on these buffers hold the present values of their groups.
  void wait_in(const Buffers& buffers) { pending_.insert(buffers.begin(), buffers.end()); }
  void leave_phase() {
    known_phase_ = nullptr;
    pending_.clear();
  }

 private:
  const Place& buffer(std::uint32_t g);
  // Readers before what they read, as far as there are no cycles. `reads`: per update, the other updates whose variable
  // it reads.
  std::vector<std::uint32_t> order_of(const std::vector<Update>& updates,
                                      std::vector<std::vector<std::uint32_t>>& reads);
  ir::NodeId write_one(const Update& update, const Place& target, ir::NodeId at);
  // Behind: one of the moves that matter was made; else on to `out`.
  ir::NodeId guard(const Update& update, ir::NodeId at, ir::NodeId out);
  ir::ExprId successor(std::uint32_t g, const Place& own);
  ir::ExprId looked_up(const Lookup& lookup, std::uint32_t group, const Place& own);

  Turn& t_;
  std::unordered_map<std::uint32_t, Place> buffers_, pending_;
  const TurnStructure::Phase* known_phase_ = nullptr;
};

}  // namespace rgtrans::gdl
