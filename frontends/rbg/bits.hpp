// Sets of small numbers: vertices, kinds of pieces, values of a variable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rgtrans::rbg {

// Sets that are combined are made for the same size.
class Bits {
 public:
  Bits() = default;
  explicit Bits(std::size_t size, bool full = false);
  [[nodiscard]] bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1U) != 0; }
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  [[nodiscard]] bool none() const;
  [[nodiscard]] std::size_t count() const;
  // The only member when there is exactly one, else kNowhere.
  [[nodiscard]] std::uint32_t single() const;
  bool add(const Bits& other);  // true when something was new
  void keep(const Bits& other);
  void drop(const Bits& other);
  [[nodiscard]] bool contains(const Bits& other) const;
  [[nodiscard]] bool meets(const Bits& other) const;
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }
  bool operator==(const Bits&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace rgtrans::rbg
