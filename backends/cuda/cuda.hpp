// Games on a GPU: compiled by nvcc, loaded and played there. The host twin is the same generated source compiled as
// plain C++. It gives the same plays without a device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/cpp/cpp.hpp"
#include "backends/cuda/batch.hpp"  // IWYU pragma: export
#include "backends/env/env.hpp"
#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"

struct rgtrans_device;
struct rgtrans_device_shown;

namespace rgtrans::cuda {

// Where the generated source runs.
enum class Target { gpu, twin };

// Throws Error if there is no CUDA device with this number or it is too old. Compiles nothing.
void require_device(int number = 0);

// Compiles for a GPU (present or not) or for the twin. Throws Error without a compiler or if the game does not fit.
cpp::Built build(const ir::Game& game, Target target, const std::string& title = "game");

struct Plays {
  PlayoutStats stats;
  std::uint64_t lacked = 0;  // plays abandoned because a fixed-size memory was too small
  // One entry per play, on request.
  struct Play {
    std::uint32_t moves, end;
    std::vector<std::string> scores;  // by player
  };
  std::vector<Play> each;
};

struct PlaysOptions {
  std::uint64_t first = 0;  // number of the first play
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
  std::uint64_t most_moves = 1'000'000;
  bool each = false;
};

// The conversion of states on a device to tensors.
class Shown {
 public:
  // Throws Error for a game that hides moves, because devices do not store observations of players.
  Shown(const ir::Game& game, const rgtrans_device& functions, const env::BatchOptions& options);

  [[nodiscard]] const env::Observation& observation() const { return observation_; }
  // The tables for a batch on the device.
  [[nodiscard]] const rgtrans_device_shown& tables() const { return *tables_; }

 private:
  env::Observation observation_;
  env::TensorOps ops_;
  std::vector<std::uint8_t> alive_;
  std::shared_ptr<rgtrans_device_shown> tables_;
};

// A game compiled for a device.
class DeviceGame {
 public:
  DeviceGame(const ir::Game& game, Target target, int device = 0);

  [[nodiscard]] const GameInfo& info() const { return info_; }
  // Equal seeds and play numbers give equal plays, on every device and for every count.
  [[nodiscard]] Plays play(const PlaysOptions& options) const;

 private:
  std::shared_ptr<void> library_;
  const rgtrans_device* functions_ = nullptr;
  GameInfo info_;
  int device_;
};

}  // namespace rgtrans::cuda
