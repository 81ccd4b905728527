#include "frontends/rbg/bits.hpp"

#include <algorithm>

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

Bits::Bits(std::size_t size, bool full) : words_((size + 63) / 64, full ? ~std::uint64_t{0} : 0) {
  if (full && size % 64 != 0) words_.back() = (std::uint64_t{1} << (size % 64)) - 1;
}
bool Bits::none() const {
  return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
}
std::size_t Bits::count() const {
  std::size_t sum = 0;
  for (std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
  return sum;
}
std::uint32_t Bits::single() const {
  if (count() != 1) return kNowhere;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] != 0)
      return static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(words_[i])));
  }
  return kNowhere;
}
bool Bits::add(const Bits& other) {
  bool grown = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    grown = grown || (other.words_[i] & ~words_[i]) != 0;
    words_[i] |= other.words_[i];
  }
  return grown;
}
void Bits::keep(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
}
void Bits::drop(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
}
bool Bits::contains(const Bits& other) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if ((other.words_[i] & ~words_[i]) != 0) return false;
  }
  return true;
}
bool Bits::meets(const Bits& other) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if ((other.words_[i] & words_[i]) != 0) return true;
  }
  return false;
}

}  // namespace rgtrans::rbg
