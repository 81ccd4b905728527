// A description followed on its propositional network.
#pragma once

#include <memory>

#include "frontends/gdl/network/machine.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::gdl {

class NetworkSteps : public Steps {
 public:
  explicit NetworkSteps(GroundProgram program);

  [[nodiscard]] const GroundProgram& program() const { return fixed_->program; }
  [[nodiscard]] const Network& network() const { return fixed_->network; }

  [[nodiscard]] std::unique_ptr<Steps> clone() const override;
  [[nodiscard]] const std::vector<std::string>& role_names() const override { return fixed_->roles; }
  [[nodiscard]] std::uint32_t random_role() const override { return program().random; }
  [[nodiscard]] bool imperfect() const override { return program().imperfect; }
  [[nodiscard]] int most_goal() const override;
  [[nodiscard]] State initial() override { return machine_.initial(); }
  [[nodiscard]] const State& state() const override { return machine_.state(); }
  void set_state(const State& state) override { machine_.set_state(state); }
  [[nodiscard]] std::vector<std::byte> bytes(std::span<const std::uint32_t> joint) const override;
  void read(std::span<const std::byte> bytes, std::span<std::uint32_t> joint) override;
  [[nodiscard]] bool terminal() override { return machine_.terminal(); }
  void legal(std::uint32_t role, std::vector<std::uint32_t>& out) override { machine_.legal(role, out); }
  [[nodiscard]] std::string move_text(std::uint32_t move) const override { return fixed_->move_texts[move]; }
  [[nodiscard]] int goal(std::uint32_t role) override { return machine_.best_goal(role); }
  [[nodiscard]] std::vector<std::string> percepts(std::span<const std::uint32_t> joint, std::uint32_t role) override;
  void step(std::span<const std::uint32_t> joint) override { machine_.step(joint); }
  [[nodiscard]] std::vector<std::string> facts() const override;

 private:
  // What clones share.
  struct Fixed {
    explicit Fixed(GroundProgram&& ground);
    GroundProgram program;
    Network network;
    std::vector<std::string> roles, move_texts;
  };

  explicit NetworkSteps(std::shared_ptr<const Fixed> fixed);

  std::shared_ptr<const Fixed> fixed_;
  NetworkMachine machine_;
};

}  // namespace rgtrans::gdl
