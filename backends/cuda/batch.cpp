#include "backends/cuda/batch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "backends/cuda/cuda.hpp"
#include "backends/cuda/device.h"
#include "backends/cuda/library.hpp"

namespace rgtrans::cuda {

namespace {

// Rewards scaled to [-1, 1] from the lowest to the highest score of the game; a score that is not a number counts as 0.
std::vector<float> rewards_of(const rgtrans_device& functions) {
  std::vector<double> values;
  for (std::uint32_t s = 0; s < functions.scores; ++s)
    values.push_back(score_number(functions.score_names[s]).value_or(0));
  if (values.empty()) return {};
  const auto [low, high] = std::ranges::minmax(values);
  std::vector<float> rewards;
  for (const double value : values)
    rewards.push_back(low == high ? 0.F : static_cast<float>(2 * (value - low) / (high - low) - 1));
  return rewards;
}

// The tags of all actions, as numbers of the library.
struct TagsOfActions {
  std::vector<std::uint32_t> lengths, tags;

  void add(const std::vector<std::uint32_t>& move) {
    lengths.push_back(static_cast<std::uint32_t>(move.size()));
    tags.insert(tags.end(), move.begin(), move.end());
  }
};

// A sequence of tags that is no move of the library, to represent actions that the played game lacks; none if every
// sequence is a move. The library packs tags into as few bits as their numbers need; 0 ends a move.
std::optional<std::vector<std::uint32_t>> never_played(const rgtrans_device& functions, bool has_empty_move) {
  if (functions.most_tags > 1) return std::vector<std::uint32_t>{0, 1};
  if (!std::has_single_bit(functions.tags)) return std::vector<std::uint32_t>{functions.tags};
  if (!has_empty_move) return std::vector<std::uint32_t>{};
  return std::nullopt;
}

// None if some actions cannot be distinguished.
std::optional<TagsOfActions> tags_of(const analysis::ActionSpace& actions, const rgtrans_device& functions) {
  std::unordered_map<std::string_view, std::uint32_t> number_of;
  for (std::uint32_t i = 1; i < functions.tags; ++i) number_of.emplace(functions.tag_names[i], i);
  std::vector<std::uint32_t> numbers;  // by tag of the action space; 0 for a tag that the played game lacks
  for (const std::string& tag : actions.tags()) {
    const auto found = number_of.find(tag);
    numbers.push_back(found == number_of.end() ? 0 : found->second);
  }
  const auto never = never_played(functions, actions.id("").has_value());
  TagsOfActions result;
  for (std::uint64_t id = 0; id < actions.size(); ++id) {
    std::vector<std::uint32_t> move = actions.places(id);
    for (std::uint32_t& tag : move) tag = numbers[tag];
    const bool played = move.size() <= functions.most_tags && std::ranges::find(move, 0U) == move.end();
    if (!played && !never) return std::nullopt;
    result.add(played ? move : *never);
  }
  return result;
}

}  // namespace

std::size_t DeviceArray::bytes() const {
  const bool words = element == Element::int32 || element == Element::float32;
  const std::int64_t count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  return static_cast<std::size_t>(count) * (words ? 4 : 1);
}

DeviceBatch::DeviceBatch(const ir::Game& played, const analysis::ActionSpace& actions, Target target,
                         const env::BatchOptions& options, bool observe)
    : target_(target) {
  if (target == Target::gpu) require_device();
  DeviceLibrary loaded = load_library(played, target);
  library_ = std::move(loaded.library);
  functions_ = loaded.functions;
  if (observe) shown_ = std::make_unique<Shown>(played, *functions_, options);
  open(actions, options);
}

template <class Function, class... Arguments>
void DeviceBatch::call(Function* function, Arguments... arguments) {
  if (batch_ == nullptr) throw Refusal("engine", "this environment is closed");
  std::array<char, 256> message{};
  const int result = function(batch_, arguments..., rgtrans_device_text{message.data(), message.size()});
  if (result < 0) throw Refusal("actions", message.data());
  if (result == 0) throw Refusal("engine", message.data(), kWayOut);
}

void DeviceBatch::open(const analysis::ActionSpace& actions, const env::BatchOptions& options) {
  const rgtrans_device& f = *functions_;
  rewards_ = rewards_of(f);
  rgtrans_device_actions table{};
  std::optional<TagsOfActions> tags;
  if (f.packed != 0 && actions.form() == analysis::ActionSpace::Form::flat) tags = tags_of(actions, f);
  if (tags) {
    lengths_ = std::move(tags->lengths);
    tags_ = std::move(tags->tags);
    action_count_ = actions.size();
    table = {static_cast<std::uint32_t>(lengths_.size()), lengths_.data(), tags_.data()};
  }
  std::array<char, 256> message{};
  batch_ = f.open(0, static_cast<std::uint32_t>(options.count), 0, options.most_moves, rewards_.data(),
                  tags ? &table : nullptr, {message.data(), message.size()});
  if (batch_ == nullptr) throw Refusal("engine", message.data(), kWayOut);
  if (shown_ != nullptr) call(f.show, &shown_->tables());

  rgtrans_device_arrays raw{};
  f.arrays(batch_, &raw);
  using Element = DeviceArray::Element;
  const auto count = static_cast<std::int64_t>(options.count);
  arrays_.actions = {raw.actions, Element::int32, {count}};
  arrays_.mask = {raw.masks, Element::uint8, {count, static_cast<std::int64_t>(action_count_)}};
  arrays_.rewards = {raw.rewards, Element::float32, {count, static_cast<std::int64_t>(f.players)}};
  arrays_.terminated = {raw.terminated, Element::uint8, {count}};
  arrays_.truncated = {raw.truncated, Element::uint8, {count}};
  arrays_.player = {raw.players, Element::int32, {count}};
  arrays_.choices = {raw.choices, Element::int32, {count}};
  if (shown_ == nullptr) return;
  const std::vector<std::size_t>& shape = shown_->observation().shape;
  arrays_.observations = {raw.observations, options.floats ? Element::float32 : Element::boolean, {count}};
  arrays_.observations.shape.insert(arrays_.observations.shape.end(), shape.begin(), shape.end());
  if (options.channels_last && shape.size() == 3)
    std::rotate(arrays_.observations.shape.begin() + 1, arrays_.observations.shape.begin() + 2,
                arrays_.observations.shape.end());
}

DeviceBatch::~DeviceBatch() { close(); }

void DeviceBatch::close() {
  if (batch_ != nullptr) functions_->close(batch_);
  batch_ = nullptr;
}

std::size_t DeviceBatch::players() const { return functions_->players; }

void DeviceBatch::reset(std::uint64_t seed) { call(functions_->reset, seed); }

void DeviceBatch::step() { call(functions_->step, action_count_ > 0 ? 0 : 1); }

void DeviceBatch::sample() { call(functions_->sample); }

DeviceBatch::Measured DeviceBatch::random_steps(std::uint32_t steps) {
  Measured result;
  call(functions_->random_steps, steps, &result.moves, &result.seconds);
  return result;
}

void DeviceBatch::observe(std::int32_t viewer) { call(functions_->observe, viewer); }

void DeviceBatch::fetch(void* to, const DeviceArray& from) {
  call(functions_->fetch, to, static_cast<const void*>(from.data), from.bytes());
}

void DeviceBatch::store(const void* actions) {
  call(functions_->store, arrays_.actions.data, actions, arrays_.actions.bytes());
}

void DeviceBatch::wait() {
  std::uint8_t byte = 0;
  call(functions_->fetch, static_cast<void*>(&byte), static_cast<const void*>(arrays_.terminated.data), sizeof byte);
}

}  // namespace rgtrans::cuda
