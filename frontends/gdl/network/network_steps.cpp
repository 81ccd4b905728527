#include "frontends/gdl/network/network_steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace rgtrans::gdl {

NetworkSteps::NetworkSteps(std::shared_ptr<const GroundProgram> program, std::shared_ptr<const Network> network)
    : program_(std::move(program)), network_(std::move(network)), machine_(*program_, *network_) {
  for (const TermId role : program_->roles) roles_.push_back(program_->text(role));
  machine_.set_state(machine_.initial());
}

std::unique_ptr<Steps> NetworkSteps::clone() const {
  auto copy = std::make_unique<NetworkSteps>(program_, network_);
  copy->set_state(state());
  return copy;
}

std::unique_ptr<Steps> on_network(GroundProgram program) {
  auto shared = std::make_shared<const GroundProgram>(std::move(program));
  auto network = std::make_shared<const Network>(*shared);
  return std::make_unique<NetworkSteps>(std::move(shared), std::move(network));
}

int NetworkSteps::most_goal() const {
  int most = 0;
  for (const auto& goal : program_->goals) most = std::max(most, std::atoi(program_->text(goal.value).c_str()));
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

std::string NetworkSteps::move_text(std::uint32_t move) const { return program_->text(program_->moves[move].term); }

int NetworkSteps::goal(std::uint32_t role) {
  int best = 0;
  for (const TermId goal : machine_.goals(role)) best = std::max(best, std::atoi(program_->text(goal).c_str()));
  return best;
}

std::vector<std::string> NetworkSteps::percepts(std::span<const std::uint32_t> joint, std::uint32_t role) {
  std::vector<std::string> out;
  for (const std::uint32_t percept : machine_.percepts(joint)) {
    const auto& seen = program_->sees[percept];
    if (seen.role == role) out.push_back(program_->text(seen.term));
  }
  return out;
}

std::vector<std::string> NetworkSteps::facts() const {
  std::vector<std::string> out;
  for (std::uint32_t f = 0; f < program_->facts.size(); ++f) {
    if (machine_.fact(f)) out.push_back(program_->text(program_->facts[f]));
  }
  return out;
}

}  // namespace rgtrans::gdl
