#include "frontends/gdl/lower/emit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/progress.hpp"
#include "core/support/reach.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

using ir::NodeId;
using Kind = Circuit::Kind;

Emitter::Emitter(ir::Game& game, Declarations& declarations, Conditions& conditions, std::uint64_t max_edges)
    : game_(game), d_(declarations), c_(conditions), max_edges_(max_edges) {}

std::size_t Emitter::unit_cycle(std::uint32_t node) const {
  return static_cast<std::size_t>(&c_.cycle(node) - c_.cycles.data());
}

template <class F>
void Emitter::for_each_need(std::uint32_t node, F&& f) const {
  if (c_.circuit.kind(node) == Kind::conjunction) {
    for (const Wire w : c_.circuit.inputs(node)) f(node_of(w));
  } else if (c_.circuit.kind(node) == Kind::recursive) {
    const Conditions::Cycle& cycle = c_.cycle(node);
    for (const auto& bodies : cycle.bodies)
      for (const auto& body : bodies)
        for (const Wire w : body)
          if (!std::ranges::binary_search(cycle.nodes, node_of(w))) f(node_of(w));
  } else if (const auto* computed = c_.computed_by(node)) {
    if (!c_.is_stand_in(node)) {
      f(node_of(computed->stand_in));
      return;
    }
    for (const Lookup& lookup : computed->lookups) {
      f(node_of(lookup.when));
      if (const auto* source = c_.computed_variable(lookup.source)) f(node_of(source->stand_in));
    }
  }
}

// --- Counting. ---

void Emitter::count_uses(const std::vector<Wire>& wires) {
  const Circuit& circuit = c_.circuit;
  const std::uint32_t size = circuit.size();
  uses_.assign(size, 0);
  cost_.assign(size, 1);
  available_.assign(size, 0);
  seen_.assign(size, 0);
  reads_move_ = c_.reads_move();
  std::vector<std::uint32_t> open;
  std::vector<bool> reached(size), cycle_reached(c_.cycles.size());
  const auto use = [&](Wire w) {
    const std::uint32_t n = node_of(w);
    ++uses_[n];
    if (reached[n]) return;
    reached[n] = true;
    open.push_back(n);
  };
  for (const Wire w : wires) use(w);
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    if (circuit.kind(n) == Kind::conjunction) {
      for (const Wire w : circuit.inputs(n)) use(w);
    } else if (circuit.kind(n) == Kind::leaf) {
      for_each_need(n, [&](std::uint32_t need) { use(2 * need); });
    } else if (circuit.kind(n) == Kind::recursive && !cycle_reached[unit_cycle(n)]) {
      cycle_reached[unit_cycle(n)] = true;
      for (const auto& bodies : c_.cycle(n).bodies)
        for (const auto& body : bodies)
          for (const Wire w : body) use(w);
    }
  }
  for (std::uint32_t n = 0; n < size; ++n) {
    if (circuit.kind(n) != Kind::conjunction) continue;
    std::uint32_t cost = 0;
    for (const Wire w : circuit.inputs(n)) {
      const std::uint32_t i = node_of(w);
      cost = std::min(kLowerLimits.cost, cost + (spliced(i) ? cost_[i] : 1));
    }
    cost_[n] = cost;
  }
  find_iterated();
  find_depths();
}

// The depth to which gates would be spliced into each other.
void Emitter::find_depths() {
  depth_.assign(c_.circuit.size(), 0);
  for (std::uint32_t n = 0; n < c_.circuit.size(); ++n) {
    if (c_.circuit.kind(n) != Kind::conjunction) continue;
    for (const Wire w : c_.circuit.inputs(n))
      if (const std::uint32_t i = node_of(w); inline_gate(i)) depth_[n] = std::max(depth_[n], depth_[i] + 1);
  }
}

bool Emitter::spliced(std::uint32_t node) const {
  return c_.circuit.kind(node) == Kind::conjunction &&
         (uses_[node] <= 1 || cost_[node] <= kFormCosts.small_tests ||
          cost_[node] * std::uint64_t{uses_[node]} <= kLowerLimits.copied_tests);
}

// A gate whose tests stand where it is asked for, unless that is too deep inside others.
bool Emitter::inline_gate(std::uint32_t node) const {
  return c_.circuit.kind(node) == Kind::conjunction && (spliced(node) || needs_iterated_[node]);
}

// Checks can only compute linear cycles. A cycle is iterated if it is not linear, or if it needs an iterated cycle that
// reads the move.
void Emitter::find_iterated() {
  iterated_.assign(c_.cycles.size(), false);
  for (std::size_t i = 0; i < c_.cycles.size(); ++i) iterated_[i] = !c_.cycles[i].linear;
  needs_iterated_.assign(c_.circuit.size(), false);
  if (c_.cycles.empty()) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t n = 0; n < c_.circuit.size(); ++n) {
      if (needs_iterated_[n] || !reads_move_[n]) continue;
      if (c_.circuit.kind(n) == Kind::conjunction) {
        needs_iterated_[n] =
            std::ranges::any_of(c_.circuit.inputs(n), [&](Wire w) { return needs_iterated_[node_of(w)]; });
      } else if (c_.circuit.kind(n) == Kind::recursive) {
        const std::size_t i = unit_cycle(n);
        for (const auto& bodies : c_.cycles[i].bodies)
          for (const auto& body : bodies)
            for (const Wire w : body) iterated_[i] = iterated_[i] || needs_iterated_[node_of(w)];
        needs_iterated_[n] = iterated_[i];
      }
      changed = changed || needs_iterated_[n];
    }
  }
}

// --- Stages. ---

// The needed nodes that are not available, in dependency order; one node represents a cycle.
std::vector<std::uint32_t> Emitter::postorder(const std::vector<Wire>& wires) const {
  std::vector<std::uint32_t> result;
  std::vector<std::uint8_t> state(c_.circuit.size());
  std::vector<std::pair<std::uint32_t, bool>> open;
  const auto representative = [&](std::uint32_t n) {
    return c_.circuit.kind(n) == Kind::recursive ? c_.cycle(n).nodes[0] : n;
  };
  for (const Wire root : wires) {
    open.emplace_back(representative(node_of(root)), false);
    while (!open.empty()) {
      const auto [n, expanded] = open.back();
      open.pop_back();
      if (expanded) {
        if (state[n] != 2) result.push_back(n);
        state[n] = 2;
        continue;
      }
      if (state[n] != 0 || is_available(n)) continue;
      state[n] = 1;
      open.emplace_back(n, true);
      for_each_need(n, [&](std::uint32_t need) {
        need = representative(need);
        if (state[need] == 0 && !is_available(need)) open.emplace_back(need, false);
      });
    }
  }
  return result;
}

Emitter::Stage Emitter::stage(const std::vector<Wire>& wires, bool first) {
  Stage stage;
  stage.first = first;
  const std::vector<std::uint32_t> order = postorder(wires);
  std::unordered_map<std::uint32_t, std::uint32_t> uses;
  for (const Wire w : wires) ++uses[node_of(w)];
  for (const std::uint32_t n : order) for_each_need(n, [&](std::uint32_t need) { ++uses[need]; });
  const auto take = [&](std::uint32_t n) {
    if (bit_of_.try_emplace(n, static_cast<std::uint32_t>(bit_nodes_.size())).second) bit_nodes_.push_back(n);
    available_[n] = first ? 2 : 1;
  };
  for (const std::uint32_t n : order) {
    if (c_.circuit.kind(n) == Kind::recursive) {
      const Conditions::Cycle& cycle = c_.cycle(n);
      if (iterated(n)) {
        stage.units.push_back(n);
        for (const std::uint32_t member : cycle.nodes) take(member);
        continue;
      }
      for (const std::uint32_t member : cycle.nodes) {
        if (uses[member] < 2) continue;
        stage.units.push_back(member);
        take(member);
      }
      continue;
    }
    if (c_.is_stand_in(n)) {
      stage.units.push_back(n);
      available_[n] = first ? 2 : 1;
      continue;
    }
    if (c_.circuit.kind(n) != Kind::conjunction || uses[n] < 2) continue;
    if (spliced(n) && !(needs_iterated_[n] && cost_[n] > kFormCosts.small_tests)) continue;
    stage.units.push_back(n);
    take(n);
  }
  leave(stage);
  return stage;
}

void Emitter::set_available(const Stage& stage, std::uint8_t value) {
  for (const std::uint32_t n : stage.units) {
    if (iterated(n)) {
      for (const std::uint32_t member : c_.cycle(n).nodes) available_[member] = value;
    } else {
      available_[n] = value;
    }
  }
}

std::vector<Wire> Emitter::steady_iterations() const {
  std::vector<Wire> result;
  for (std::size_t i = 0; i < c_.cycles.size(); ++i) {
    const std::uint32_t n = c_.cycles[i].nodes[0];
    if (iterated_[i] && !reads_move_[n] && uses_[n] > 0) result.push_back(2 * n);
  }
  return result;
}

std::vector<Wire> Emitter::computed_below(const std::vector<Wire>& wires) const {
  std::vector<Wire> result;
  if (c_.computed.empty()) return result;
  for (const std::uint32_t n : postorder(wires))
    if (c_.is_stand_in(n)) result.push_back(2 * n);
  return result;
}

void Emitter::declare_bits() {
  std::vector<std::string> wishes;
  for (const std::uint32_t n : bit_nodes_) {
    const auto known = wishes_.find(n);
    wishes.push_back(known != wishes_.end() ? known->second : fmt::format("condition_{}", n));
  }
  bits_ = d_.bits(wishes);
}

NodeId Emitter::compute(const Stage& stage, NodeId at) {
  for (const std::uint32_t n : stage.units) {
    at_condition(n);
    if (iterated(n)) {
      at = iterate(c_.cycle(n), at);
      if (stage.first)
        for (const std::uint32_t member : c_.cycle(n).nodes) available_[member] = 2;
      continue;
    }
    if (c_.is_stand_in(n)) {
      at = look_up(n, at);
      available_[n] = stage.first ? 2 : 1;
      continue;
    }
    const NodeId yes = node();
    const NodeId no = node();
    const NodeId next = node();
    if (c_.circuit.kind(n) == Kind::recursive) {
      const auto [begin, end] = check(n);
      edge(at, yes, ir::Reachability{begin, end, false});
      edge(at, no, ir::Reachability{begin, end, true});
    } else {
      branch_gate(n, at, yes, no, 1);
    }
    const Place& bit = bits_[bit_of_.at(n)];
    edge(yes, next, assign(bit, d_.bit(true)));
    edge(no, next, assign(bit, d_.bit(false)));
    available_[n] = stage.first ? 2 : 1;
    at = next;
  }
  return at;
}

NodeId Emitter::reset(const Stage& stage, NodeId at) {
  for (const std::uint32_t n : stage.units) {
    if (!reads_move_[n]) continue;
    if (!iterated(n)) {
      at = then(at, assign(bits_[bit_of_.at(n)], d_.bit(false)));
      continue;
    }
    for (const std::uint32_t member : c_.cycle(n).nodes)
      at = then(at, assign(bits_[bit_of_.at(member)], d_.bit(false)));
  }
  return at;
}

// Assigns its value to a computed variable.
NodeId Emitter::look_up(std::uint32_t stand_in, NodeId at) {
  const std::uint32_t variable = c_.circuit.variable(stand_in);
  const Lookups& lookups = c_.computed_by(stand_in)->lookups;
  const NodeId out = node();
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const bool last = i + 1 == lookups.size();
    const NodeId yes = last ? at : node();
    const NodeId no = last ? NodeId() : node();
    if (!last) branch(lookups[i].when, at, yes, no);
    edge(yes, out, ir::Assign{place_of(variable).expression, d_.looked_up(c_, variable, i)});
    at = no;
  }
  return out;
}

// Computes a non-linear recursion as a least fixpoint: starts with false and adds consequences until nothing changes.
NodeId Emitter::iterate(const Conditions::Cycle& cycle, NodeId at) {
  if (!changed_.expression.valid()) changed_ = d_.flag("changed");
  for (const std::uint32_t n : cycle.nodes) {
    available_[n] = 1;
    at = then(at, assign(bits_[bit_of_.at(n)], d_.bit(false)));
  }
  const NodeId round = node();
  skip(at, round);
  at = then(round, assign(changed_, d_.bit(false)));
  static constexpr std::uint32_t kHolds[] = {0};
  for (std::size_t i = 0; i < cycle.nodes.size(); ++i) {
    const Place& bit = bits_[bit_of_.at(cycle.nodes[i])];
    const NodeId next = node();
    const NodeId open = node();
    const NodeId yes = node();
    d_.test(bit, kHolds, at, next, open);
    branch_bodies(cycle.bodies[i], open, yes, next);
    edge(then(yes, assign(bit, d_.bit(true))), next, assign(changed_, d_.bit(true)));
    at = next;
  }
  const NodeId out = node();
  d_.test(changed_, kHolds, at, round, out);
  return out;
}

// --- Conditions. ---

void Emitter::edge(NodeId from, NodeId to, ir::Label label) {
  if (game_.graph.edge_bound() > max_edges_) throw TooLarge();
  game_.graph.add_edge(from, to, std::move(label), d_.place);
}

NodeId Emitter::then(NodeId from, ir::Label label) {
  const NodeId to = node();
  edge(from, to, std::move(label));
  return to;
}

void Emitter::branch(Wire wire, NodeId from, NodeId yes, NodeId no, int depth) {
  if (is_fixed(wire)) {
    const NodeId to = wire == kAlways ? yes : no;
    if (to.valid()) skip(from, to);
    return;
  }
  if (is_inverted(wire)) std::swap(yes, no);
  const std::uint32_t n = node_of(wire);
  if (c_.circuit.kind(n) == Kind::leaf) {
    if (game_.graph.edge_bound() > max_edges_) throw TooLarge();
    d_.test(place_of(c_.circuit.variable(n)), c_.circuit.values(n), from, yes, no);
    return;
  }
  if (available_[n] > (in_check_ ? 1 : 0)) {
    static constexpr std::uint32_t kHolds[] = {0};
    d_.test(bits_[bit_of_.at(n)], kHolds, from, yes, no);
    return;
  }
  if (depth < kLowerLimits.splice_depth && inline_gate(n)) {
    branch_gate(n, from, yes, no, depth + 1);
    return;
  }
  const auto [begin, end] = check(n);
  if (yes.valid()) edge(from, yes, ir::Reachability{begin, end, false});
  if (no.valid()) edge(from, no, ir::Reachability{begin, end, true});
}

// Tests the inputs in sequence, cheap ones first.
void Emitter::branch_gate(std::uint32_t node, NodeId from, NodeId yes, NodeId no, int depth) {
  const auto list = c_.circuit.inputs(node);
  std::vector<Wire> inputs(list.begin(), list.end());
  std::ranges::stable_sort(inputs, {}, [&](Wire w) { return is_available(node_of(w)) ? 1U : cost_[node_of(w)]; });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const NodeId to = i + 1 == inputs.size() ? (yes.valid() ? yes : NodeId()) : this->node();
    branch(inputs[i], from, to, no, depth);
    from = to;
  }
}

// Tests the bodies in sequence until one holds.
void Emitter::branch_bodies(const std::vector<std::vector<Wire>>& bodies, NodeId from, NodeId yes, NodeId no) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const NodeId next = b + 1 == bodies.size() ? no : node();
    for (std::size_t i = 0; i < bodies[b].size(); ++i) {
      const NodeId to = i + 1 == bodies[b].size() ? yes : node();
      branch(bodies[b][i], from, to, next, 1);
      from = to;
    }
    from = next;
  }
}

// --- Checks. ---

// The begin and end nodes of a check; emit_checks() writes the automaton between them.
std::pair<NodeId, NodeId> Emitter::check(std::uint32_t node) {
  const auto [it, fresh] = checks_.try_emplace(node);
  if (fresh) {
    it->second.first = this->node();
    if (c_.circuit.kind(node) == Kind::recursive) {
      const auto [done, is_new] = cycle_done_.try_emplace(unit_cycle(node));
      if (is_new) done->second = this->node();
      it->second.second = done->second;
    } else {
      it->second.second = this->node();
    }
    open_checks_.push_back(node);
  }
  return it->second;
}

void Emitter::emit_checks() {
  in_check_ = true;
  while (!open_checks_.empty()) {
    const std::uint32_t n = open_checks_.back();
    open_checks_.pop_back();
    const auto [begin, end] = checks_.at(n);
    at_condition(n);
    if (c_.circuit.kind(n) == Kind::recursive) {
      emit_walk(n, begin, end);
    } else {
      branch_gate(n, begin, end, NodeId(), 1);
    }
  }
  in_check_ = false;
}

// The nodes of a linear cycle become nodes of the automaton; a body with a recursive literal is a path to the node of
// that literal.
void Emitter::emit_walk(std::uint32_t node, NodeId begin, NodeId done) {
  const Conditions::Cycle& cycle = c_.cycle(node);
  for (const auto& body : cycle.bodies[c_.position(node)]) {
    NodeId target = done;
    std::vector<Wire> tests;
    for (const Wire w : body) {
      if (std::ranges::binary_search(cycle.nodes, node_of(w))) {
        target = check(node_of(w)).first;
      } else {
        tests.push_back(w);
      }
    }
    NodeId from = begin;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const NodeId to = i + 1 == tests.size() ? target : this->node();
      branch(tests[i], from, to, NodeId(), 1);
      from = to;
    }
    if (tests.empty()) skip(begin, target);
  }
}

// A gate inside of a check reads what outside is in a bit, so it is looked at again where it was met outside before.
// Where gates are so deep that some become checks, all count as inside.
void Emitter::collect_reads(Wire wire, std::vector<std::uint32_t>& out) {
  check_wanted();
  std::vector<std::pair<std::uint32_t, bool>> open;  // node, and whether it is inside a check
  stamp_ += 2;
  const auto reach = [&](std::uint32_t n, bool inside) {
    const std::uint32_t mark = stamp_ + (inside ? 1 : 0);
    if (seen_[n] >= mark || available_[n] > (inside ? 1 : 0)) return;
    seen_[n] = mark;
    open.emplace_back(n, inside);
  };
  reach(node_of(wire), depth_[node_of(wire)] >= static_cast<std::uint32_t>(kLowerLimits.splice_depth));
  while (!open.empty()) {
    const std::uint32_t n = open.back().first;
    bool inside = open.back().second;
    open.pop_back();
    if (c_.circuit.kind(n) == Kind::leaf) {
      if (c_.is_group(c_.circuit.variable(n))) out.push_back(c_.circuit.variable(n));
      continue;
    }
    inside = inside || !inline_gate(n);
    for_each_need(n, [&](std::uint32_t need) { reach(need, inside); });
  }
}

void Emitter::remove_dead() {
  ir::Automaton& graph = game_.graph;
  std::vector<NodeId> roots = {game_.begin(), game_.end()};
  for (const auto& [d, nodes] : checks_) roots.insert(roots.end(), {nodes.first, nodes.second});
  const std::vector<bool> seen = nodes_reached_from(graph, roots);
  for (std::uint32_t n = 0; n < seen.size(); ++n) {
    if (seen[n] || !graph.alive(NodeId(n))) continue;
    for (const ir::EdgeId e : graph.out_edge_list(NodeId(n))) graph.remove_edge(e);
  }
  for (std::uint32_t n = 0; n < seen.size(); ++n)
    if (!seen[n] && graph.alive(NodeId(n))) graph.remove_node(NodeId(n));
}

}  // namespace rgtrans::gdl
