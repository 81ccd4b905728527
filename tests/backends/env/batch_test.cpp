// Batches over compiled reasoners are those over the interpreter, whatever form the reasoner has.
#include <gtest/gtest.h>

#include "backends/env/env.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::env {
namespace {

constexpr std::size_t kCount = 8;

// What a batch writes.
struct Arrays {
  explicit Arrays(const Batch& batch)
      : mask(kCount * batch.actions().size()),
        observation(kCount * batch.observation().size()),
        rewards(kCount * batch.players()),
        player(kCount),
        actions(kCount) {
    buffers.mask = mask.data();
    buffers.observation = observation.data();
    buffers.rewards = rewards.data();
    buffers.player = player.data();
    buffers.actions = actions.data();
    buffers.viewer = -1;
  }
  std::vector<std::uint8_t> mask, observation;
  std::vector<float> rewards;
  std::vector<std::int32_t> player, actions;
  rgtrans_env_buffers buffers{};
};

class Forms : public testing::TestWithParam<const char*> {};

TEST_P(Forms, TablesHaveThePlanesOfTheInterpreter) {
  const ir::Game game = own_games::load(GetParam());
  ir::Game played = game;
  passes::optimize(played, {.level = 2});
  BatchOptions options{.count = kCount, .reset = ResetMode::same_step, .floats = false};
  limits::cpp_code.set(1);
  Batch tables(game, played, options);
  limits::cpp_code.set(limits::cpp_code.standard());
  options.compiled = false;
  Batch interpreted(game, played, options);
  Arrays one(tables);
  Arrays other(interpreted);
  const std::vector<std::uint64_t> seeds = {1, 2, 3, 4, 5, 6, 7, 8};
  one.buffers.seeds = other.buffers.seeds = seeds.data();
  tables.reset(one.buffers);
  interpreted.reset(other.buffers);
  for (int step = 0; step < 60; ++step) {
    ASSERT_EQ(one.mask, other.mask);
    ASSERT_EQ(one.player, other.player);
    ASSERT_EQ(one.rewards, other.rewards);
    ASSERT_EQ(one.observation, other.observation);
    ASSERT_GT(std::ranges::count(one.observation, 1), static_cast<std::ptrdiff_t>(kCount));
    tables.sample(one.actions.data());
    interpreted.sample(other.actions.data());
    ASSERT_EQ(one.actions, other.actions);
    tables.step(one.buffers);
    interpreted.step(other.buffers);
  }
}

INSTANTIATE_TEST_SUITE_P(Batch, Forms,
                         testing::Values("hrg/tic-tac-toe.hrg", "gdl/connect-four.kif", "rbg/breakthrough.rbg"));

}  // namespace
}  // namespace rgtrans::env
