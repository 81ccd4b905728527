// Plays a description by its rules, one decision at a time. Every role decides in every step, even with a single move,
// and nobody sees the choices of others until keeper shows them at the end of the step. This class shares no code with
// the translation to RG, so lowered games are compared with it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "frontends/gdl/steps.hpp"

namespace rgtrans::test {

class RulesInTurn : public Reasoner {
 public:
  explicit RulesInTurn(std::unique_ptr<gdl::Steps> steps);

  [[nodiscard]] const GameInfo& info() const override { return info_; }
  [[nodiscard]] std::unique_ptr<Reasoner> clone() const override;
  void reset() override;
  [[nodiscard]] bool terminal() const override { return over_; }
  [[nodiscard]] std::size_t mover() const override;
  std::size_t move_count() override;
  std::string move_text(std::size_t index) override;
  std::span<const std::uint32_t> move_tags(std::size_t index) override;
  [[nodiscard]] std::string tag_text(std::uint32_t tag) const override { return steps_->move_text(tag); }
  std::string observed_move_text(std::size_t index, std::size_t player) override;
  std::uint64_t walk_count(std::size_t) override { return 1; }
  void apply(std::size_t index) override;
  bool undo() override { return false; }
  [[nodiscard]] std::string goal(std::size_t player) const override;
  // Only this class reads these bytes.
  [[nodiscard]] std::vector<std::byte> state_bytes() const override;
  void set_state_bytes(std::span<const std::byte> bytes) override;
  [[nodiscard]] std::string describe() const override;
  std::uint64_t perft(unsigned depth) override;
  std::uint64_t perft_walks(unsigned depth) override { return perft(depth); }
  PlayoutStats playouts(const PlayoutOptions& options) override;

 private:
  void enter();
  [[nodiscard]] bool all_decided() const { return joint_.size() == player_of_.size(); }

  std::unique_ptr<gdl::Steps> steps_;
  GameInfo info_;
  std::vector<std::size_t> player_of_;  // by role; info_.random() for nature
  std::vector<std::uint32_t> roles_;    // by player
  std::vector<std::uint32_t> joint_;    // moves of the roles that have decided
  bool over_ = false;
  bool listed_ = false;
  std::vector<std::uint32_t> legal_;
};

}  // namespace rgtrans::test
