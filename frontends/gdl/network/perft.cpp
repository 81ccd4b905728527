// Joint perft: counts layer by layer and merges equal states.
#include <boost/container_hash/hash.hpp>
#include <unordered_map>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/network/machine.hpp"

namespace rgtrans::gdl {

namespace {

using Layer = std::unordered_map<Steps::State, std::uint64_t, boost::hash<Steps::State>>;

// `successor`: the state after a joint move from the machine's current one.
template <class Machine, class Successor>
JointPerft count(Machine& machine, unsigned depth, std::uint64_t max_states, Successor&& successor) {
  JointPerft result;
  Layer layer = {{machine.initial(), 1}};
  const auto add = [](std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; };
  const auto roles = static_cast<std::uint32_t>(machine.role_names().size());
  std::vector<std::vector<std::uint32_t>> legal(roles);
  for (unsigned d = 0;; ++d) {
    JointPerft::Row& row = result.rows.emplace_back();
    row.distinct = layer.size();
    Layer next;
    for (const auto& [state, ways] : layer) {
      row.leaves = add(row.leaves, ways);
      machine.set_state(state);
      if (machine.terminal()) {
        row.terminal_leaves = add(row.terminal_leaves, ways);
        continue;
      }
      bool stuck = false;
      for (std::uint32_t r = 0; r < roles; ++r) {
        machine.legal(r, legal[r]);
        stuck = stuck || legal[r].empty();
      }
      if (stuck) ++row.stuck_states;
      if (stuck || d == depth) continue;
      std::vector<std::size_t> choice(roles, 0);
      std::vector<std::uint32_t> joint(roles);
      for (std::size_t r = 0; r < roles;) {
        for (std::size_t i = 0; i < roles; ++i) joint[i] = legal[i][choice[i]];
        std::uint64_t& count = next[successor(joint)];
        count = add(count, ways);
        if (next.size() > max_states) {
          result.complete = false;
          return result;
        }
        for (r = 0; r < roles && ++choice[r] == legal[r].size(); ++r) choice[r] = 0;
      }
    }
    if (d == depth) return result;
    layer = std::move(next);
  }
}

}  // namespace

JointPerft joint_perft(const GroundProgram& program, unsigned depth, std::uint64_t max_states) {
  const Network network(program);
  NetworkMachine machine(program, network);
  return count(machine, depth, max_states, [&](const auto& joint) { return machine.successor(joint); });
}

JointPerft joint_perft(Steps& steps, unsigned depth, std::uint64_t max_states) {
  return count(steps, depth, max_states, [&](const auto& joint) {
    const Steps::State before = steps.state();
    steps.step(joint);
    Steps::State after = steps.state();
    steps.set_state(before);
    return after;
  });
}

}  // namespace rgtrans::gdl
