// Plays of one game on a device, or by the twin, stepped at once. The arrays stay in the memory of the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/env/env.hpp"
#include "core/analysis/analysis.hpp"
#include "core/ir/ir.hpp"
#include "core/support/support.hpp"

struct rgtrans_device;

namespace rgtrans::cuda {

enum class Target;
class Shown;

// A device refuses a request, because the batch does not fit its memory or an action is not legal. Nothing was changed.
class Refusal : public Error {
 public:
  Refusal(std::string parameter, const std::string& message, std::string hint = {})
      : Error(message, std::move(hint)), parameter_(std::move(parameter)) {}
  // Which argument was wrong.
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

// An array of a batch.
struct DeviceArray {
  enum class Element : std::uint8_t { int32, uint8, float32, boolean };  // truths are bytes

  void* data = nullptr;
  Element element = Element::uint8;
  std::vector<std::int64_t> shape;

  [[nodiscard]] std::size_t bytes() const;
};

// Plays that are over begin anew in the next step, whose action counts for nothing.
class DeviceBatch {
 public:
  // Builds the game as it is played, and opens a batch of `options.count` plays. `actions` numbers the moves of the
  // game as it was loaded.
  DeviceBatch(const ir::Game& played, const analysis::ActionSpace& actions, Target target,
              const env::BatchOptions& options, bool observe);
  ~DeviceBatch();
  DeviceBatch(const DeviceBatch&) = delete;
  DeviceBatch& operator=(const DeviceBatch&) = delete;

  // Gives the memory of the device back; nothing else may be called afterwards but this.
  void close();

  [[nodiscard]] Target target() const { return target_; }
  [[nodiscard]] std::size_t players() const;
  // How many numbers actions have. 0: moves are factored or too long for the device, and a step takes the numbers of
  // legal moves, in the order in which the device finds them.
  [[nodiscard]] std::size_t action_count() const { return action_count_; }
  // Null where nothing is observed.
  [[nodiscard]] const Shown* shown() const { return shown_.get(); }

  struct Arrays {
    DeviceArray actions, mask, rewards, terminated, truncated, player, choices, observations;
  };
  [[nodiscard]] const Arrays& arrays() const { return arrays_; }

  // Equal seeds give equal plays; without one the random numbers go on.
  void reset(std::uint64_t seed);
  // Plays the array of actions. Throws Refusal where one is not legal.
  void step();
  // Writes uniform legal actions to the array of actions.
  void sample();
  struct Measured {
    std::uint64_t moves = 0;
    double seconds = 0;  // of the device
  };
  Measured random_steps(std::uint32_t steps);
  // Writes the observations of one player, whoever is to move; they stay until the next step.
  void observe(std::int32_t viewer);

  // Copies an array to the memory of the processor, after all that was asked for before.
  void fetch(void* to, const DeviceArray& from);
  // Copies to the array of actions from memory of the device or of the processor.
  void store(const void* actions);
  // Comes back when all that was asked for before is done.
  void wait();

 private:
  template <class Function, class... Arguments>
  void call(Function* function, Arguments... arguments);
  void open(const analysis::ActionSpace& actions, const env::BatchOptions& options);

  Target target_;
  std::shared_ptr<void> library_;
  const rgtrans_device* functions_ = nullptr;
  std::unique_ptr<Shown> shown_;
  std::size_t action_count_ = 0;
  // Tables that the open batch reads: rewards of scores; of each action the number of its tags, and all tags.
  std::vector<float> rewards_;
  std::vector<std::uint32_t> lengths_, tags_;
  void* batch_ = nullptr;
  Arrays arrays_;
};

}  // namespace rgtrans::cuda
