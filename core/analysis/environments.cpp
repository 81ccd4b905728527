#include "core/analysis/environments.hpp"

namespace rgtrans::analysis {

Environments::Environments(std::size_t variables) : variables_(variables) {
  while (variables > kFan << top_) top_ += kBits;
}

Environments::Id Environments::intern(const Part& part, unsigned shift, std::size_t position) {
  constexpr std::uint64_t kLevel = std::uint64_t{1} << 32U;
  const std::uint64_t place = kLevel * shift + position;
  std::uint64_t hash = place;
  for (std::size_t i = 0; i < kFan; i += 2)
    hash = (hash ^ ((std::uint64_t{part[i]} << 32U) | part[i + 1])) * 0x9e3779b97f4a7c15ULL;
  hash = mix_hash(hash);
  const auto fresh = static_cast<Id>(parts_.size());
  const Id row = index_.find_or_insert(hash, fresh, [&](Id r) { return parts_[r] == part && places_[r] == place; });
  if (row == fresh) {
    parts_.push_back(part);
    places_.push_back(place);
  }
  return row;
}

Environments::Id Environments::make(const std::vector<Value>& values) { return make(values, top_, 0); }

Environments::Id Environments::make(const std::vector<Value>& values, unsigned shift, std::size_t position) {
  Part part{};
  for (std::size_t i = 0; i < kFan; ++i) {
    const std::size_t below = position * kFan + i;
    if ((below << shift) >= variables_) break;
    part[i] = shift == 0 ? values[below] : make(values, shift - kBits, below);
  }
  return intern(part, shift, position);
}

Environments::Id Environments::set(Id at, std::size_t variable, Value value, unsigned shift) {
  Part part = parts_[at];
  Id& slot = part[(variable >> shift) & kMask];
  slot = shift == 0 ? value : set(slot, variable, value, shift - kBits);
  return intern(part, shift, variable >> (shift + kBits));
}

}  // namespace rgtrans::analysis
