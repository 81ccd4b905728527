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
  [[nodiscard]] bool test(std::size_t i) const { return (word(i / 64) >> (i % 64) & 1U) != 0; }
  void set(std::size_t i) { word(i / 64) |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { word(i / 64) &= ~(std::uint64_t{1} << (i % 64)); }
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
    for (std::size_t w = 0; w < words(); ++w) {
      for (std::uint64_t left = word(w); left != 0; left &= left - 1) {
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
      }
    }
  }
  bool operator==(const Bits&) const = default;

 private:
  [[nodiscard]] std::size_t words() const { return 1 + rest_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t w) const { return w == 0 ? first_ : rest_[w - 1]; }
  [[nodiscard]] std::uint64_t& word(std::size_t w) { return w == 0 ? first_ : rest_[w - 1]; }

  std::uint64_t first_ = 0;  // most sets are no larger, and need no memory of their own
  std::vector<std::uint64_t> rest_;
};

}  // namespace rgtrans::rbg
