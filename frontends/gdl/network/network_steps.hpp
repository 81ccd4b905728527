// A description followed on its propositional network.
#pragma once

#include <memory>

#include "frontends/gdl/network/machine.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl {

class NetworkSteps : public Steps {
 public:
  NetworkSteps(std::shared_ptr<const GroundProgram> program, std::shared_ptr<const Network> network);

  [[nodiscard]] std::unique_ptr<Steps> clone() const override;
  [[nodiscard]] const std::vector<std::string>& role_names() const override { return roles_; }
  [[nodiscard]] std::uint32_t random_role() const override { return program_->random; }
  [[nodiscard]] bool imperfect() const override { return program_->imperfect; }
  [[nodiscard]] int most_goal() const override;
  [[nodiscard]] State initial() override { return machine_.initial(); }
  [[nodiscard]] const State& state() const override { return machine_.state(); }
  void set_state(const State& state) override { machine_.set_state(state); }
  [[nodiscard]] std::vector<std::byte> bytes(std::span<const std::uint32_t> joint) const override;
  void read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) override;
  [[nodiscard]] bool terminal() override { return machine_.terminal(); }
  void legal(std::uint32_t role, std::vector<std::uint32_t>& out) override { machine_.legal(role, out); }
  [[nodiscard]] std::string move_text(std::uint32_t move) const override;
  [[nodiscard]] int goal(std::uint32_t role) override;
  [[nodiscard]] std::vector<std::string> percepts(std::span<const std::uint32_t> joint, std::uint32_t role) override;
  void step(std::span<const std::uint32_t> joint) override { machine_.step(joint); }
  [[nodiscard]] std::vector<std::string> facts() const override;

 private:
  std::shared_ptr<const GroundProgram> program_;
  std::shared_ptr<const Network> network_;
  std::vector<std::string> roles_;
  Machine machine_;
};

std::unique_ptr<Steps> on_network(GroundProgram program);

}  // namespace rgtrans::gdl
