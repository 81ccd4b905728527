#include "frontends/gdl/network/machine.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/support/progress.hpp"

namespace rgtrans::gdl {

NetworkMachine::NetworkMachine(const GroundProgram& program, const Network& network)
    : program_(program), network_(network) {
  for (const TermId role : program.roles) roles_.push_back(program.text(role));
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
  const Grouped members = network.gates_by_component();
  level_.assign(network.component_count(), 0);
  cycle_.resize(network.component_count());
  std::uint32_t levels = 1;
  for (std::uint32_t c = 0; c < network.component_count(); ++c) {
    for (const std::uint32_t n : members[c]) {
      for (const GroundLiteral l : network.inputs_of(n)) {
        if (atom_of(l) < network.inputs() || network.component(atom_of(l)) == c) continue;
        level_[c] = std::max(level_[c], level_[network.component(atom_of(l))] + 1);
      }
    }
    levels = std::max(levels, level_[c] + 1);
    if (members[c].size() > 1) cycle_[c].assign(members[c].begin(), members[c].end());
  }
  queue_.resize(levels);
  lowest_ = levels;
  const auto outside = [&](std::uint32_t n, GroundLiteral l) {
    return atom_of(l) < network.inputs() || network.component(atom_of(l)) != network.component(n);
  };
  uses_ = Grouped(nodes, [&](auto&& add) {
    for (std::uint32_t n = network.inputs(); n < nodes; ++n)
      for (const GroundLiteral l : network.inputs_of(n))
        if (outside(n, l)) add(atom_of(l), 2 * n + (l & 1U));
  });
  for (std::uint32_t n = network.inputs(); n < nodes; ++n) {
    for (const GroundLiteral l : network.inputs_of(n))
      if (outside(n, l) && is_negated(l)) ++count_[n];  // all nodes are false initially
    schedule(n);
  }
  state_.assign((program.facts.size() + 63) / 64, 0);
  propagate();
  set_state(initial());
}

Steps::State NetworkMachine::initial() {
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

// Updates the users of `node` after its value has changed.
void NetworkMachine::notify(std::uint32_t node) {
  const bool value = value_[node] != 0;
  for (const std::uint32_t use : uses_[node]) {
    const bool negated = (use & 1U) != 0;
    count_[use / 2] += value != negated ? 1 : -1;
    schedule(use / 2);
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

// The least fixpoint of mutually dependent gates, whose wires inside the cycle are positive.
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

void NetworkMachine::legal(std::uint32_t role, std::vector<std::uint32_t>& out) {
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

int NetworkMachine::goal(std::uint32_t role) {
  int best = 0;
  for (const TermId goal : goals(role)) best = std::max(best, goal_of(program_.text(goal)));
  return best;
}

Steps::State NetworkMachine::successor(std::span<const std::uint32_t> joint) {
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

std::vector<std::string> NetworkMachine::percepts(std::span<const std::uint32_t> joint, std::uint32_t role) {
  std::vector<std::string> out;
  for (const std::uint32_t percept : percepts(joint)) {
    const auto& seen = program_.sees[percept];
    if (seen.role == role) out.push_back(program_.text(seen.term));
  }
  return out;
}

int NetworkMachine::most_goal() const {
  int most = 0;
  for (const auto& goal : program_.goals) most = std::max(most, goal_number(program_.text(goal.value)).value_or(0));
  return most;
}

std::vector<std::string> NetworkMachine::facts() const {
  std::vector<std::string> out;
  for (std::uint32_t f = 0; f < program_.facts.size(); ++f)
    if (fact(f)) out.push_back(program_.text(program_.facts[f]));
  return out;
}

std::vector<std::byte> NetworkMachine::bytes(std::span<const std::uint32_t> joint) const {
  const auto facts = std::as_bytes(std::span(state_)), moves = std::as_bytes(joint);
  std::vector<std::byte> out(facts.begin(), facts.end());
  out.insert(out.end(), moves.begin(), moves.end());
  return out;
}

void NetworkMachine::read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) {
  State state(state_.size());
  const std::size_t facts = state.size() * sizeof(state[0]);
  if (bytes.size() != facts + joint.size_bytes()) throw Error("these bytes are no state of this game");
  std::memcpy(state.data(), bytes.data(), facts);
  std::memcpy(joint.data(), bytes.data() + facts, joint.size_bytes());
  set_state(state);
}

}  // namespace rgtrans::gdl
