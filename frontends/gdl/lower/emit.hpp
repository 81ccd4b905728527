// Conditions as pieces of automaton. A condition is a decision diagram: each test has an edge for either outcome, so
// keeper has exactly one walk and needs no backtracking. A small gate, or one with a single use, is spliced into its
// user. Another gate is computed into a Bool by the stage that uses it often, or tested by a reachability check.
//
//   a and (b or c):    from --a--> 1,    1 --b--> yes,    1 --not b--> 2,    2 --c--> yes, and all others to no
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/circuit/conditions.hpp"
#include "frontends/gdl/lower/declarations.hpp"

namespace rgtrans::gdl {

class Emitter {
 public:
  struct TooLarge {};

  Emitter(ir::Game& game, Declarations& declarations, Conditions& conditions, std::uint64_t max_edges);

  // Counts all wires to emit, with repetitions. The circuit must be complete.
  void count_uses(const std::vector<Wire>& wires);
  // Suggests a name for a condition.
  void name(std::uint32_t node, const std::string& text, Range where) {
    wishes_.try_emplace(node, text);
    places_.try_emplace(node, where);
  }
  // The place in the description of all nodes and edges from now on. An unknown one changes nothing.
  void at(Range place) {
    if (place.known()) d_.place = place;
  }

  // Conditions that are computed at one place: always, for a phase, after the moves, or at the end.
  struct Stage {
    // Nodes in dependency order. The first node represents an iterated cycle, the stand-in a computed variable.
    std::vector<std::uint32_t> units;
    bool first = false;
  };
  // The nodes that the wires need and that are not available yet. `first`: available everywhere from then on, even in
  // checks.
  Stage stage(const std::vector<Wire>& wires, bool first);
  void declare_bits();
  ir::NodeId compute(const Stage& stage, ir::NodeId at);
  void enter(const Stage& stage) { set_available(stage, stage.first ? 2 : 1); }
  void leave(const Stage& stage) { set_available(stage, 0); }
  // The recursive conditions that need iteration and do not depend on the joint move.
  [[nodiscard]] std::vector<Wire> steady_iterations() const;
  // The stand-ins of computed variables that these wires read and that are not available yet.
  [[nodiscard]] std::vector<Wire> computed_below(const std::vector<Wire>& wires) const;
  // Resets the conditions that depend on the joint move to 0.
  ir::NodeId reset(const Stage& stage, ir::NodeId at);

  // An invalid node omits its outcome.
  void branch(Wire wire, ir::NodeId from, ir::NodeId yes, ir::NodeId no, int depth = 0);
  // Collects the variables that a test of the wire reads.
  void collect_reads(Wire wire, std::vector<std::uint32_t>& out);
  void emit_checks();
  // Removes unreachable nodes and edges.
  void remove_dead();

  ir::NodeId node() { return game_.graph.add_node({}, d_.place); }
  void edge(ir::NodeId from, ir::NodeId to, ir::Label label);
  void skip(ir::NodeId from, ir::NodeId to) { edge(from, to, ir::Empty()); }
  // Appends an edge to a straight line and returns its target.
  ir::NodeId then(ir::NodeId from, ir::Label label);
  ir::Label assign(const Place& place, SymbolId value) { return ir::Assign{place.expression, game_.symbol(value)}; }

 private:
  [[nodiscard]] const Place& place_of(std::uint32_t variable) const { return d_.of(c_, variable); }
  [[nodiscard]] bool is_available(std::uint32_t node) const { return available_[node] > 0; }
  [[nodiscard]] bool spliced(std::uint32_t node) const;
  [[nodiscard]] bool inline_gate(std::uint32_t node) const;
  [[nodiscard]] bool iterated(std::uint32_t node) const {
    return c_.circuit.kind(node) == Circuit::Kind::recursive && iterated_[unit_cycle(node)];
  }
  [[nodiscard]] std::size_t unit_cycle(std::uint32_t node) const;
  void find_iterated();
  void find_depths();
  void set_available(const Stage& stage, std::uint8_t value);
  template <class F>
  void for_each_need(std::uint32_t node, F&& f) const;
  std::vector<std::uint32_t> postorder(const std::vector<Wire>& wires) const;
  ir::NodeId look_up(std::uint32_t stand_in, ir::NodeId at);
  void at_condition(std::uint32_t node) {
    if (const auto found = places_.find(node); found != places_.end()) at(found->second);
  }
  void branch_gate(std::uint32_t node, ir::NodeId from, ir::NodeId yes, ir::NodeId no, int depth);
  std::pair<ir::NodeId, ir::NodeId> check(std::uint32_t node);
  void emit_walk(std::uint32_t node, ir::NodeId begin, ir::NodeId done);
  void branch_bodies(const std::vector<std::vector<Wire>>& bodies, ir::NodeId from, ir::NodeId yes, ir::NodeId no);
  ir::NodeId iterate(const Conditions::Cycle& cycle, ir::NodeId at);

  ir::Game& game_;
  Declarations& d_;
  Conditions& c_;
  std::uint64_t max_edges_;                         // above this limit emission throws TooLarge
  std::vector<std::uint32_t> uses_, cost_, depth_;  // per node
  std::vector<bool> iterated_;                      // per cycle
  std::vector<bool> needs_iterated_;                // per node: on an iterated cycle that reads the move
  std::vector<bool> reads_move_;
  std::vector<std::uint8_t> available_;  // per node: 1: its bit is up to date; 2: everywhere, even in checks
  std::unordered_map<std::uint32_t, std::uint32_t> bit_of_;
  std::vector<std::uint32_t> bit_nodes_;
  std::vector<Place> bits_;
  std::unordered_map<std::uint32_t, std::string> wishes_;
  std::unordered_map<std::uint32_t, Range> places_;
  std::unordered_map<std::uint32_t, std::pair<ir::NodeId, ir::NodeId>> checks_;
  std::vector<std::uint32_t> open_checks_;
  std::unordered_map<std::size_t, ir::NodeId> cycle_done_;
  Place changed_;
  bool in_check_ = false;
  std::vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
};

}  // namespace rgtrans::gdl
