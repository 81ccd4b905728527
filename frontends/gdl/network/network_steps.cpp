#include "frontends/gdl/network/network_steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace rgtrans::gdl {

NetworkSteps::Fixed::Fixed(GroundProgram&& ground) : program(std::move(ground)), network(program) {
  for (const TermId role : program.roles) roles.push_back(program.text(role));
  for (const auto& move : program.moves) move_texts.push_back(program.text(move.term));
}

NetworkSteps::NetworkSteps(GroundProgram program) : NetworkSteps(std::make_shared<const Fixed>(std::move(program))) {}

NetworkSteps::NetworkSteps(std::shared_ptr<const Fixed> fixed)
    : fixed_(std::move(fixed)), machine_(fixed_->program, fixed_->network) {
  machine_.set_state(machine_.initial());
}

std::unique_ptr<Steps> NetworkSteps::clone() const {
  std::unique_ptr<NetworkSteps> copy(new NetworkSteps(fixed_));
  copy->set_state(state());
  return copy;
}

int NetworkSteps::most_goal() const {
  int most = 0;
  for (const auto& goal : program().goals) most = std::max(most, std::atoi(program().text(goal.value).c_str()));
  return most;
}

std::vector<std::byte> NetworkSteps::bytes(std::span<const std::uint32_t> joint) const {
  const auto facts = std::as_bytes(std::span(state())), moves = std::as_bytes(joint);
  std::vector<std::byte> out(facts.begin(), facts.end());
  out.insert(out.end(), moves.begin(), moves.end());
  return out;
}

void NetworkSteps::read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) {
  State state(machine_.initial().size());
  const std::size_t facts = state.size() * sizeof(state[0]);
  if (bytes.size() != facts + joint.size_bytes()) throw Error("these bytes are no state of this game");
  std::memcpy(state.data(), bytes.data(), facts);
  std::memcpy(joint.data(), bytes.data() + facts, joint.size_bytes());
  set_state(state);
}

std::vector<std::string> NetworkSteps::percepts(std::span<const std::uint32_t> joint, std::uint32_t role) {
  std::vector<std::string> out;
  for (const std::uint32_t percept : machine_.percepts(joint)) {
    const auto& seen = program().sees[percept];
    if (seen.role == role) out.push_back(program().text(seen.term));
  }
  return out;
}

std::vector<std::string> NetworkSteps::facts() const {
  std::vector<std::string> out;
  for (std::uint32_t f = 0; f < program().facts.size(); ++f) {
    if (machine_.fact(f)) out.push_back(program().text(program().facts[f]));
  }
  return out;
}

}  // namespace rgtrans::gdl
