#include "frontends/gdl/network/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "core/support/progress.hpp"

namespace rgtrans::gdl {

NetworkMachine::NetworkMachine(const GroundProgram& program, const Network& network)
    : program_(program), network_(network) {
  for (const GroundLiteral l : program.next) next_.push_back(network.literal(l));
  for (const GroundLiteral l : program.legal) legal_.push_back(network.literal(l));
  terminal_ = network.literal(program.terminal);
  first_move_.assign(program.roles.size() + 1, 0);
  for (const auto& m : program.moves) ++first_move_[m.role + 1];
  for (std::size_t r = 0; r < program.roles.size(); ++r) first_move_[r + 1] += first_move_[r];

  const std::uint32_t nodes = network.size();
  value_.assign(nodes, 0);
  count_.assign(nodes, 0);
  pending_.assign(nodes, 0);
  inner_.assign(nodes, 0);
  // Components and their levels; components are numbered inputs first.
  std::vector<std::vector<std::uint32_t>> members(network.component_count());
  for (std::uint32_t n = network.inputs(); n < nodes; ++n) members[network.component(n)].push_back(n);
  level_.assign(network.component_count(), 0);
  cycle_.resize(network.component_count());
  std::uint32_t levels = 1;
  for (std::uint32_t c = 0; c < members.size(); ++c) {
    for (const std::uint32_t n : members[c]) {
      for (const GroundLiteral l : network.inputs_of(n)) {
        if (atom_of(l) < network.inputs() || network.component(atom_of(l)) == c) continue;
        level_[c] = std::max(level_[c], level_[network.component(atom_of(l))] + 1);
      }
    }
    levels = std::max(levels, level_[c] + 1);
    if (members[c].size() > 1) cycle_[c] = members[c];
  }
  queue_.resize(levels);
  lowest_ = levels;
  // Who uses a node.
  first_use_.assign(nodes + 1, 0);
  const auto outside = [&](std::uint32_t n, GroundLiteral l) {
    return atom_of(l) < network.inputs() || network.component(atom_of(l)) != network.component(n);
  };
  for (std::uint32_t n = network.inputs(); n < nodes; ++n)
    for (const GroundLiteral l : network.inputs_of(n))
      if (outside(n, l)) ++first_use_[atom_of(l) + 1];
  for (std::uint32_t n = 0; n < nodes; ++n) first_use_[n + 1] += first_use_[n];
  uses_.resize(first_use_.back());
  std::vector<std::uint32_t> fill(first_use_.begin(), first_use_.end() - 1);
  for (std::uint32_t n = network.inputs(); n < nodes; ++n) {
    for (const GroundLiteral l : network.inputs_of(n)) {
      if (!outside(n, l)) continue;
      uses_[fill[atom_of(l)]++] = 2 * n + (l & 1U);
      if (is_negated(l)) ++count_[n];  // everything is false at first
    }
    schedule(n);
  }
  state_.assign((program.facts.size() + 63) / 64, 0);
  propagate();
  set_state(initial());
}

NetworkMachine::State NetworkMachine::initial() const {
  State state((program_.facts.size() + 63) / 64, 0);
  for (std::size_t f = 0; f < program_.facts.size(); ++f)
    if (program_.initial[f]) state[f / 64] |= std::uint64_t{1} << (f % 64);
  return state;
}

void NetworkMachine::schedule(std::uint32_t node) {
  const std::uint32_t c = network_.component(node);
  if (!cycle_[c].empty()) node = cycle_[c][0];
  if (pending_[node] != 0) return;
  pending_[node] = 1;
  queue_[level_[c]].push_back(node);
  lowest_ = std::min<std::size_t>(lowest_, level_[c]);
}

// The value of `node` has just changed.
void NetworkMachine::notify(std::uint32_t node) {
  const bool value = value_[node] != 0;
  for (std::uint32_t i = first_use_[node]; i < first_use_[node + 1]; ++i) {
    const std::uint32_t user = uses_[i] / 2;
    const bool negated = (uses_[i] & 1U) != 0;
    if (value != negated) {
      ++count_[user];
    } else {
      --count_[user];
    }
    schedule(user);
  }
}

void NetworkMachine::set_input(std::uint32_t node, bool value) {
  if ((value_[node] != 0) == value) return;
  value_[node] = value ? 1 : 0;
  notify(node);
}

void NetworkMachine::propagate() {
  for (; lowest_ < queue_.size(); ++lowest_) {
    std::vector<std::uint32_t>& level = queue_[lowest_];
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t node = level[i];
      pending_[node] = 0;
      const std::uint32_t c = network_.component(node);
      if (!cycle_[c].empty()) {
        solve_cycle(c);
        continue;
      }
      const bool value = network_.gate(node) == Network::Gate::conjunction
                             ? count_[node] == network_.inputs_of(node).size()
                             : count_[node] > 0;
      if (value == (value_[node] != 0)) continue;
      value_[node] = value ? 1 : 0;
      notify(node);
    }
    level.clear();
  }
}

// The least fixpoint of gates that depend on each other, positively.
void NetworkMachine::solve_cycle(std::uint32_t component) {
  const std::vector<std::uint32_t>& members = cycle_[component];
  std::vector<std::uint8_t> old;
  old.reserve(members.size());
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> users;
  for (const std::uint32_t n : members) {
    old.push_back(value_[n]);
    value_[n] = 0;
    inner_[n] = count_[n];
    for (const GroundLiteral l : network_.inputs_of(n))
      if (atom_of(l) >= network_.inputs() && network_.component(atom_of(l)) == component)
        users[atom_of(l)].push_back(n);
  }
  std::vector<std::uint32_t> open;
  const auto test = [&](std::uint32_t n) {
    if (value_[n] != 0) return;
    const bool value =
        network_.gate(n) == Network::Gate::conjunction ? inner_[n] == network_.inputs_of(n).size() : inner_[n] > 0;
    if (!value) return;
    value_[n] = 1;
    open.push_back(n);
  };
  for (const std::uint32_t n : members) test(n);
  while (!open.empty()) {
    const std::uint32_t n = open.back();
    open.pop_back();
    const auto found = users.find(n);
    if (found == users.end()) continue;
    for (const std::uint32_t user : found->second) {
      ++inner_[user];
      test(user);
    }
  }
  for (std::size_t i = 0; i < members.size(); ++i)
    if (old[i] != value_[members[i]]) notify(members[i]);
}

void NetworkMachine::set_state(const State& state) {
  check_wanted();
  set_moves({});
  for (std::size_t w = 0; w < state.size(); ++w) {
    for (std::uint64_t changed = state[w] ^ state_[w]; changed != 0; changed &= changed - 1) {
      const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(changed));
      set_input(static_cast<std::uint32_t>(w * 64) + bit, (state[w] >> bit & 1U) != 0);
    }
  }
  state_ = state;
  propagate();
}

void NetworkMachine::set_moves(std::span<const std::uint32_t> joint) {
  for (const std::uint32_t m : joint_) set_input(program_.move_begin() + m, false);
  joint_.assign(joint.begin(), joint.end());
  for (const std::uint32_t m : joint_) set_input(program_.move_begin() + m, true);
}

void NetworkMachine::legal(std::uint32_t role, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (std::uint32_t m = first_move_[role]; m < first_move_[role + 1]; ++m)
    if (holds(legal_[m])) out.push_back(m);
}

std::vector<TermId> NetworkMachine::goals(std::uint32_t role) const {
  std::vector<TermId> out;
  for (const auto& goal : program_.goals)
    if (goal.role == role && holds(network_.literal(goal.when))) out.push_back(goal.value);
  return out;
}

int NetworkMachine::best_goal(std::uint32_t role) const {
  int best = 0;
  for (const TermId goal : goals(role)) best = std::max(best, std::atoi(program_.text(goal).c_str()));
  return best;
}

NetworkMachine::State NetworkMachine::successor(std::span<const std::uint32_t> joint) {
  set_moves(joint);
  propagate();
  State next(state_.size(), 0);
  for (std::size_t f = 0; f < next_.size(); ++f)
    if (holds(next_[f])) next[f / 64] |= std::uint64_t{1} << (f % 64);
  return next;
}

std::vector<std::uint32_t> NetworkMachine::percepts(std::span<const std::uint32_t> joint) {
  set_moves(joint);
  propagate();
  std::vector<std::uint32_t> out;
  for (std::uint32_t s = 0; s < program_.sees.size(); ++s)
    if (holds(network_.literal(program_.sees[s].when))) out.push_back(s);
  return out;
}

void NetworkMachine::step(std::span<const std::uint32_t> joint) { set_state(successor(joint)); }

}  // namespace rgtrans::gdl
