// A set of small numbers. Up to 64 of them need no memory of their own. Sets that are combined are made for the same
// size.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans {

class Bits {
 public:
  Bits() = default;
  explicit Bits(std::size_t size) : rest_(size > 64 ? (size - 1) / 64 : 0, 0) {}
  // All numbers below `size`.
  static Bits full(std::size_t size) {
    Bits bits(size);
    for (std::size_t w = 0; w <= bits.rest_.size() && size > 64 * w; ++w)
      bits.word(w) = size >= 64 * (w + 1) ? ~std::uint64_t{0} : (std::uint64_t{1} << (size % 64)) - 1;
    return bits;
  }

  [[nodiscard]] bool test(std::size_t i) const { return (word(i / 64) >> (i % 64)) & 1U; }
  void set(std::size_t i) { word(i / 64) |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { word(i / 64) &= ~(std::uint64_t{1} << (i % 64)); }
  [[nodiscard]] bool any() const {
    if (first_ != 0) return true;
    for (const std::uint64_t w : rest_) {
      if (w != 0) return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t n = static_cast<std::size_t>(std::popcount(first_));
    for (const std::uint64_t w : rest_) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }
  Bits& operator|=(const Bits& other) {
    first_ |= other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] |= other.rest_[i];
    return *this;
  }
  Bits& operator&=(const Bits& other) {
    first_ &= other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] &= other.rest_[i];
    return *this;
  }
  // Adds the members of the other; whether there were new ones.
  bool merge(const Bits& other) {
    std::uint64_t fresh = other.first_ & ~first_;
    first_ |= other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      fresh |= other.rest_[i] & ~rest_[i];
      rest_[i] |= other.rest_[i];
    }
    return fresh != 0;
  }
  Bits& remove(const Bits& other) {
    first_ &= ~other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] &= ~other.rest_[i];
    return *this;
  }
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t sum = mix_hash(first_);
    for (const std::uint64_t w : rest_) sum = combine_hash(sum, w);
    return sum;
  }
  [[nodiscard]] bool contains(const Bits& other) const {
    if ((other.first_ & ~first_) != 0) return false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if ((other.rest_[i] & ~rest_[i]) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool intersects(const Bits& other) const {
    if ((first_ & other.first_) != 0) return true;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if ((rest_[i] & other.rest_[i]) != 0) return true;
    }
    return false;
  }
  bool operator==(const Bits&) const = default;

  // The only member, if there is exactly one.
  [[nodiscard]] std::optional<std::size_t> single() const { return count() == 1 ? first() : std::nullopt; }
  // The smallest member.
  [[nodiscard]] std::optional<std::size_t> first() const {
    for (std::size_t w = 0; w <= rest_.size(); ++w) {
      if (word(w) != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(word(w)));
    }
    return std::nullopt;
  }

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w <= rest_.size(); ++w) {
      for (std::uint64_t bits = w == 0 ? first_ : rest_[w - 1]; bits != 0; bits &= bits - 1) {
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  [[nodiscard]] const std::uint64_t& word(std::size_t w) const { return w == 0 ? first_ : rest_[w - 1]; }
  std::uint64_t& word(std::size_t w) { return w == 0 ? first_ : rest_[w - 1]; }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> rest_;
};

struct BitsHash {
  std::size_t operator()(const Bits& bits) const { return bits.hash(); }
};

}  // namespace rgtrans
