#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "backends/env/env.hpp"
#include "core/support/score.hpp"
#include "tests/differential/driver/partial_player.hpp"
#include "tests/differential/driver/players.hpp"

namespace rgtrans::differential {

namespace {

env::BatchOptions one_play() {
  env::BatchOptions options;
  options.count = 1;
  options.compiled = false;
  options.reset = env::ResetMode::stay;
  options.floats = false;
  return options;
}

class EnvPlayer : public PartialPlayer {
 public:
  EnvPlayer(const ir::Game& written, const ir::Game& played)
      : batch_(written, played, one_play()), mask_(batch_.actions().size()), rewards_(batch_.players()) {
    if (batch_.actions().form() != analysis::ActionSpace::Form::flat) throw Error("actions are no whole moves");
    for (const SymbolId player : played.players()) info_.players.push_back(ir::written(played, player));
    for (const SymbolId score : played.scores()) scores_.emplace_back(played.symbols.str(score));
    observation_.resize(batch_.observation().size());
    buffers_.mask = mask_.data();
    buffers_.rewards = rewards_.data();
    buffers_.player = &player_;
    buffers_.observation = observation_.data();
    buffers_.seeds = &seed_;
    buffers_.actions = &action_;
    buffers_.viewer = -1;
    EnvPlayer::reset();
    if (terminal()) throw Error("the play is over before a reward is given");
  }

  void reset() override {
    made_.clear();
    std::ranges::fill(rewards_, 0.0F);
    batch_.reset(buffers_);
    look();
  }
  [[nodiscard]] bool terminal() const override { return player_ < 0; }
  [[nodiscard]] std::size_t mover() const override { return static_cast<std::size_t>(player_); }
  std::size_t move_count() override { return legal_.size(); }
  std::string move_text(std::size_t index) override { return batch_.actions().text(legal_.at(index)); }
  std::string observed_move_text(std::size_t, std::size_t) override { return {}; }
  void apply(std::size_t index) override { make(static_cast<std::int32_t>(legal_.at(index))); }
  // The score whose reward this is.
  [[nodiscard]] std::string goal(std::size_t player) const override {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const std::string& score : scores_) {
      const double value = score_number(score).value_or(0);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    const auto off = [&](const std::string& score) {
      const double reward = most > least ? 2 * (score_number(score).value_or(0) - least) / (most - least) - 1 : 0;
      return std::abs(reward - rewards_[player]);
    };
    return *std::ranges::min_element(scores_, {}, off);
  }
  [[nodiscard]] std::vector<std::byte> state_bytes() const override {
    const auto bytes = std::as_bytes(std::span(made_));
    return {bytes.begin(), bytes.end()};
  }
  void set_state_bytes(std::span<const std::byte> bytes) override {
    std::vector<std::int32_t> actions(bytes.size() / sizeof(std::int32_t));
    if (!actions.empty()) std::memcpy(actions.data(), bytes.data(), bytes.size());
    reset();
    for (const std::int32_t action : actions) make(action);
  }

 private:
  void make(std::int32_t action) {
    action_ = action;
    batch_.step(buffers_);
    made_.push_back(action);
    look();
  }
  void look() {
    legal_.clear();
    for (std::uint64_t id = 0; player_ >= 0 && id < mask_.size(); ++id)
      if (mask_[id] != 0) legal_.push_back(id);
  }

  env::Batch batch_;
  std::vector<std::uint8_t> mask_, observation_;
  std::vector<float> rewards_;
  std::int32_t player_ = -1, action_ = 0;
  std::uint64_t seed_ = 1;
  rgtrans_env_buffers buffers_{};
  std::vector<std::uint64_t> legal_;
  std::vector<std::int32_t> made_;
  std::vector<std::string> scores_;
};

}  // namespace

std::unique_ptr<Reasoner> make_env_player(const ir::Game& written, const ir::Game& played) {
  const analysis::ActionSpace chance(written, analysis::ActionSpace::Whose::random);
  if (chance.size() > 0) throw Error("a batch draws what is random");
  return std::make_unique<EnvPlayer>(written, played);
}

}  // namespace rgtrans::differential
