// Distinct 32-bit ids. An index into one table can never be used with another one by mistake, and a
// default-constructed id is "none". Numbers that are no ids, because they count something for a while (the nodes of one
// exploration, the rows of one table), have the same "none".
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

// One round of a well-mixing integer hash; enough for open addressing with a power-of-two table.
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
