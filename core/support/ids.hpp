// Distinct 32-bit id types: code that indexes one table with an id of another does not compile. A default-constructed
// id is "none". Plain numbers with a short life, such as the nodes of one exploration or the rows of one table, use
// kNone for "none".
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace rgtrans {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

template <class Tag>
struct Id {
  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}

  [[nodiscard]] constexpr bool valid() const { return value != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr auto operator<=>(const Id&) const = default;
};

// One round of an integer hash that mixes well enough for open addressing in a table whose size is a power of two.
constexpr std::uint64_t mix_hash(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

constexpr std::uint64_t combine_hash(std::uint64_t seed, std::uint64_t x) {
  return mix_hash(seed * 0x9e3779b97f4a7c15ULL + x + 1);
}

}  // namespace rgtrans

template <class Tag>
struct std::hash<rgtrans::Id<Tag>> {
  std::size_t operator()(rgtrans::Id<Tag> id) const noexcept { return rgtrans::mix_hash(id.value); }
};
