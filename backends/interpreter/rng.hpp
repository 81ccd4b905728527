// xoshiro256++ (Blackman and Vigna, public domain), seeded by splitmix64. Bounded numbers use Lemire's method.
#pragma once

#include <cstdint>

namespace rgtrans::interpreter {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31U);
    }
  }
  // A uniformly distributed number in [0, n); n > 0.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t m = (next() >> 32U) * n;
    if (static_cast<std::uint32_t>(m) < n) {
      const std::uint32_t threshold = (0U - n) % n;
      while (static_cast<std::uint32_t>(m) < threshold) m = (next() >> 32U) * n;
    }
    return static_cast<std::uint32_t>(m >> 32U);
  }

  // The same, but draws no number if there is only one choice.
  std::uint32_t choice(std::uint32_t n) { return n == 1 ? 0 : below(n); }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, unsigned k) { return (x << k) | (x >> (64U - k)); }
  std::uint64_t state_[4] = {};
};

}  // namespace rgtrans::interpreter
