// A set of small numbers. A set of up to 64 numbers allocates no memory. Operations on two sets require equal sizes.
#pragma once

#include <bit>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/support/ids.hpp"

namespace rgtrans {

class Bits {
 public:
  Bits() = default;
  explicit Bits(std::size_t size) : rest_(size > 64 ? (size - 1) / 64 : 0, 0) {}
  // The set of all numbers below `size`.
  static Bits full(std::size_t size) {
    Bits bits(size);
    for (std::size_t w = 0; w <= bits.rest_.size() && size > 64 * w; ++w)
      bits.word(w) = size >= 64 * (w + 1) ? ~std::uint64_t{0} : (std::uint64_t{1} << (size % 64)) - 1;
    return bits;
  }

  [[nodiscard]] bool test(std::size_t i) const { return (word(i / 64) >> (i % 64)) & 1U; }
  void set(std::size_t i) { word(i / 64) |= std::uint64_t{1} << (i % 64); }
  // Inserts i, growing the set if necessary. Returns whether i is new.
  bool insert(std::size_t i) {
    if (i / 64 > rest_.size()) rest_.resize(i / 64, 0);
    const bool fresh = !test(i);
    set(i);
    return fresh;
  }
  [[nodiscard]] bool contains(std::size_t i) const { return i / 64 <= rest_.size() && test(i); }
  void reset(std::size_t i) { word(i / 64) &= ~(std::uint64_t{1} << (i % 64)); }
  void clear() {
    first_ = 0;
    rest_.assign(rest_.size(), 0);
  }
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
  [[nodiscard]] bool none() const { return !any(); }
  Bits& operator|=(const Bits& other) {
    assert(rest_.size() == other.rest_.size());
    first_ |= other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] |= other.rest_[i];
    return *this;
  }
  Bits& operator&=(const Bits& other) {
    assert(rest_.size() == other.rest_.size());
    first_ &= other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] &= other.rest_[i];
    return *this;
  }
  // Adds the members of the other set. Returns whether any of them is new.
  bool merge(const Bits& other) {
    assert(rest_.size() == other.rest_.size());
    std::uint64_t fresh = other.first_ & ~first_;
    first_ |= other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      fresh |= other.rest_[i] & ~rest_[i];
      rest_[i] |= other.rest_[i];
    }
    return fresh != 0;
  }
  Bits& remove(const Bits& other) {
    assert(rest_.size() == other.rest_.size());
    first_ &= ~other.first_;
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] &= ~other.rest_[i];
    return *this;
  }
  // Set difference.
  friend Bits operator-(Bits a, const Bits& b) { return std::move(a.remove(b)); }
  friend Bits operator&(Bits a, const Bits& b) { return std::move(a &= b); }
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t sum = mix_hash(first_);
    for (const std::uint64_t w : rest_) sum = combine_hash(sum, w);
    return sum;
  }
  [[nodiscard]] bool contains(const Bits& other) const {
    assert(rest_.size() == other.rest_.size());
    if ((other.first_ & ~first_) != 0) return false;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if ((other.rest_[i] & ~rest_[i]) != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool intersects(const Bits& other) const {
    assert(rest_.size() == other.rest_.size());
    if ((first_ & other.first_) != 0) return true;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if ((rest_[i] & other.rest_[i]) != 0) return true;
    }
    return false;
  }
  auto operator<=>(const Bits&) const = default;

  // The only member, or none if the set does not have exactly one.
  [[nodiscard]] std::optional<std::size_t> single() const { return count() == 1 ? first() : std::nullopt; }
  // The smallest member, or none.
  [[nodiscard]] std::optional<std::size_t> first() const {
    for (std::size_t w = 0; w <= rest_.size(); ++w) {
      if (word(w) != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(word(w)));
    }
    return std::nullopt;
  }

  // Iterates over the members in increasing order.
  class Iterator {
   public:
    using value_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Bits& bits, std::size_t word) : bits_(&bits), word_(word) { load(); }
    std::size_t operator*() const { return word_ * 64 + static_cast<std::size_t>(std::countr_zero(left_)); }
    Iterator& operator++() {
      left_ &= left_ - 1;
      if (left_ == 0) {
        ++word_;
        load();
      }
      return *this;
    }
    Iterator operator++(int) {
      Iterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const Iterator& other) const { return word_ == other.word_ && left_ == other.left_; }

   private:
    void load() {
      for (left_ = 0; word_ < bits_->words(); ++word_) {
        if ((left_ = bits_->word(word_)) != 0) return;
      }
    }
    const Bits* bits_ = nullptr;
    std::size_t word_ = 0;
    std::uint64_t left_ = 0;  // the bits of the current word that have not been visited
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, words()}; }
  template <class F>
  void for_each(F&& f) const {
    for (const std::size_t i : *this) f(i);
  }

  [[nodiscard]] std::vector<std::uint64_t> to_words() const {
    std::vector<std::uint64_t> all{first_};
    all.insert(all.end(), rest_.begin(), rest_.end());
    return all;
  }
  // Word w holds the numbers from 64 w to 64 w + 63.
  [[nodiscard]] std::size_t words() const { return rest_.size() + 1; }
  [[nodiscard]] const std::uint64_t& word(std::size_t w) const { return w == 0 ? first_ : rest_[w - 1]; }
  std::uint64_t& word(std::size_t w) { return w == 0 ? first_ : rest_[w - 1]; }

 private:
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> rest_;
};

struct BitsHash {
  std::size_t operator()(const Bits& bits) const { return bits.hash(); }
};

}  // namespace rgtrans
