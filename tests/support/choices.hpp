// The decisions of the random generators: from a seed, or from the bytes of a fuzzer, so that one generator serves
// both. After the end of the bytes all decisions are 0; every generator terminates if it receives only 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace rgtrans::test {

class Choices {
 public:
  explicit Choices(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  explicit Choices(std::span<const unsigned char> bytes) : bytes_(bytes), from_bytes_(true) {}

  // A number with 0 <= result < n.
  std::size_t below(std::size_t n) {
    if (n <= 1) return 0;
    if (!from_bytes_) return static_cast<std::size_t>((next() >> 33U) % n);
    std::size_t value = 0;
    for (std::size_t left = n - 1; left > 0 && !bytes_.empty(); left >>= 8U) {
      value = value << 8U | bytes_.front();
      bytes_ = bytes_.subspan(1);
    }
    return value % n;
  }
  // A number from low to high, inclusive.
  int pick(int low, int high) { return high <= low ? low : low + static_cast<int>(below(std::size_t(high - low + 1))); }
  bool coin(int percent) { return pick(1, 100) <= percent; }
  bool chance(std::size_t n) { return below(n) == 0; }
  std::string one_of(std::initializer_list<std::string_view> options) {
    return std::string(options.begin()[below(options.size())]);
  }
  [[nodiscard]] bool exhausted() const { return from_bytes_ && bytes_.empty(); }

 private:
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_ * 0x2545f4914f6cdd1dULL;
  }

  std::uint64_t state_ = 1;
  std::span<const unsigned char> bytes_;
  bool from_bytes_ = false;
};

}  // namespace rgtrans::test
