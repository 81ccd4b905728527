#include "backends/cuda/cuda.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "backends/cuda/device.h"
#include "backends/cuda/library.hpp"
#include "core/support/support.hpp"

namespace rgtrans::cuda {

namespace {

// The CUDA driver interface, loaded at run time; it exists wherever a device is usable.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() {
    if (library_ != nullptr) dlclose(library_);
  }
  // Calls a function of the driver. Returns false if it does not exist or fails.
  template <class... Arguments>
  [[nodiscard]] bool call(const char* name, Arguments... arguments) const {
    if (library_ == nullptr) return false;
    const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    return function != nullptr && function(arguments...) == 0;
  }

 private:
  void* library_;
};

}  // namespace

void require_device(int number) {
  constexpr int kCapability = 75;  // attribute: major number of the compute capability
  constexpr int kLeast = 8;
  const Driver driver;
  int count = 0;
  if (!driver.call("cuInit", 0U) || !driver.call("cuDeviceGetCount", &count) || count == 0) {
    throw Error("there is no CUDA device on this machine, or no driver for it", kWayOut);
  }
  int device = 0;
  if (number < 0 || number >= count || !driver.call("cuDeviceGet", &device, number)) {
    throw Error(fmt::format("there is no CUDA device {}; this machine has {}", number, count), kWayOut);
  }
  int major = 0;
  if (!driver.call("cuDeviceGetAttribute", &major, kCapability, device) || major < kLeast) {
    throw Error(
        fmt::format("the CUDA device {} is too old: compute capability {}.0 or later is needed", number, kLeast),
        kWayOut);
  }
}

cpp::Built build(const ir::Game& game, Target target, const std::string& title) {
  cpp::BuildOptions options;
  options.generate.device = true;
  options.generate.title = title;
  options.nvcc = target == Target::gpu;
  return cpp::build(game, options);
}

DeviceLibrary load_library(const ir::Game& game, Target target) {
  const std::filesystem::path path = build(game, target).library;
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw Error("cannot load the compiled game: " + std::string(dlerror()));
  DeviceLibrary result{{handle, [](void* library) { dlclose(library); }}, nullptr};
  using Get = const rgtrans_device* (*)(std::uint32_t);
  const auto get = reinterpret_cast<Get>(dlsym(handle, "rgtrans_get_device"));
  if (get != nullptr) result.functions = get(RGTRANS_DEVICE_VERSION);
  if (result.functions == nullptr)
    throw Error("the compiled game is of another version; delete it, and it is built again");
  return result;
}

Shown::Shown(const ir::Game& game, const rgtrans_device& functions, const env::BatchOptions& options) {
  if (ir::hides_moves(game))
    throw Error("the game hides moves, and a device does not keep what players have seen",
                "observe=False leaves out observations; the engine \"cpp\" makes them");
  observation_ = env::observe(cpp::with_direct_choices(game), options, 0, 0);
  const env::StoredStates states(functions.universes, functions.universe_count, functions.variables,
                                 functions.variable_count);
  ops_ = env::TensorOps(observation_, options.channels_last, &states);
  std::map<const std::uint8_t*, std::size_t> begins;  // begin of each variable's marks
  for (const rgtrans_env_op& op : ops_.ops) {
    if (op.alive == nullptr || !begins.emplace(op.alive, alive_.size()).second) continue;
    alive_.insert(alive_.end(), op.alive, op.alive + functions.places);
  }
  for (rgtrans_env_op& op : ops_.ops) {
    if (op.alive != nullptr) op.alive = alive_.data() + begins.at(op.alive);
  }
  tables_ = std::make_shared<rgtrans_device_shown>(
      rgtrans_device_shown{ops_.ops.data(), ops_.places.data(), alive_.data(), ops_.places.size(), alive_.size(),
                           static_cast<std::uint32_t>(ops_.ops.size()), static_cast<std::uint32_t>(observation_.size()),
                           options.floats ? 1 : 0});
}

DeviceGame::DeviceGame(const ir::Game& game, Target target, int device) : device_(device) {
  if (target == Target::gpu) require_device(device);
  DeviceLibrary loaded = load_library(game, target);
  library_ = std::move(loaded.library);
  functions_ = loaded.functions;
  for (std::uint32_t p = 0; p < functions_->players; ++p) info_.players.emplace_back(functions_->player_names[p]);
  info_.hidden = ir::hides_moves(game);
  for (std::uint32_t s = 0; s < functions_->scores; ++s) {
    const double goal = score_value(functions_->score_names[s]);
    info_.least_goal = s == 0 ? goal : std::min(info_.least_goal, goal);
    info_.most_goal = s == 0 ? goal : std::max(info_.most_goal, goal);
  }
}

Plays DeviceGame::play(const PlaysOptions& options) const {
  const rgtrans_device& f = *functions_;
  std::array<char, 256> message{};
  std::vector<std::uint64_t> scores(std::size_t{f.players} * f.scores);
  std::vector<std::uint64_t> wins(f.players);
  Plays plays;
  std::vector<rgtrans_device_play> each(options.each ? options.count : 0);
  std::vector<std::uint16_t> each_score(each.size() * f.players);
  rgtrans_device_plays raw{};
  raw.scores = scores.data();
  raw.wins = wins.data();
  if (options.each) {
    raw.each = each.data();
    raw.each_score = each_score.data();
  }
  if (f.playouts(device_, options.first, options.count, options.seed, options.most_moves, &raw,
                 {message.data(), message.size()}) == 0) {
    throw Error(message.data(), kWayOut);
  }
  plays.stats = cpp::to_stats(raw, f.players, f.scores, f.score_names);
  plays.stats.stopped = raw.count - raw.ends[RGTRANS_PLAY_FINISHED];
  plays.lacked = raw.ends[RGTRANS_PLAY_LACKED];
  for (std::size_t i = 0; i < each.size(); ++i) {
    plays.each.push_back({each[i].moves, each[i].end, {}});
    for (std::uint32_t p = 0; p < f.players; ++p)
      plays.each.back().scores.emplace_back(f.score_names[each_score[i * f.players + p]]);
  }
  return plays;
}

}  // namespace rgtrans::cuda
