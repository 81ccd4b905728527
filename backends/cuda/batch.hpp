// Many plays of one game on a device, or on the host twin, stepped together. All arrays stay in device memory.
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

// The batch does not fit into the device's memory, or an action is illegal. The batch is unchanged.
class Refusal : public Error {
 public:
  Refusal(std::string parameter, const std::string& message, std::string hint = {})
      : Error(message, std::move(hint)), parameter_(std::move(parameter)) {}
  // The name of the wrong argument.
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

// An array of a batch.
struct DeviceArray {
  enum class Element : std::uint8_t { int32, uint8, float32, boolean };  // booleans are bytes

  void* data = nullptr;
  Element element = Element::uint8;
  std::vector<std::int64_t> shape;

  [[nodiscard]] std::size_t bytes() const;
};

// A finished play restarts in the next step, which ignores its action.
class DeviceBatch {
 public:
  // Builds the game as played and opens a batch of `options.count` plays. `actions` numbers the moves of the game as
  // loaded.
  DeviceBatch(const ir::Game& played, const analysis::ActionSpace& actions, Target target,
              const env::BatchOptions& options, bool observe);
  ~DeviceBatch();
  DeviceBatch(const DeviceBatch&) = delete;
  DeviceBatch& operator=(const DeviceBatch&) = delete;

  // Releases the device memory. Afterwards only close() may be called.
  void close();

  [[nodiscard]] Target target() const { return target_; }
  [[nodiscard]] std::size_t players() const;
  // The number of actions. 0 means that moves are factored or too long for the device; a step then takes indices of
  // legal moves, in the device's order.
  [[nodiscard]] std::size_t action_count() const { return action_count_; }
  // Null without observations.
  [[nodiscard]] const Shown* shown() const { return shown_.get(); }

  struct Arrays {
    DeviceArray actions, mask, rewards, terminated, truncated, player, choices, observations;
  };
  [[nodiscard]] const Arrays& arrays() const { return arrays_; }

  // Equal seeds give equal plays. Without a seed, the random numbers continue.
  void reset(std::uint64_t seed);
  // Makes the moves in the array of actions. Throws Refusal if one is illegal.
  void step();
  // Fills the array of actions with uniformly random legal actions.
  void sample();
  struct Measured {
    std::uint64_t moves = 0;
    double seconds = 0;  // on the device
  };
  Measured random_steps(std::uint32_t steps);
  // Computes the observations of one player, independent of the mover. They are valid until the next step.
  void observe(std::int32_t viewer);

  // Copies an array to host memory, after all preceding operations.
  void fetch(void* to, const DeviceArray& from);
  // Copies device or host memory to the array of actions.
  void store(const void* actions);
  // Waits for all preceding operations.
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
  // Tables that the open batch reads: the rewards of scores, the number of tags of each action, and all tags.
  std::vector<float> rewards_;
  std::vector<std::uint32_t> lengths_, tags_;
  void* batch_ = nullptr;
  Arrays arrays_;
};

}  // namespace rgtrans::cuda
