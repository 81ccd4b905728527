#include "frontends/rbg/flow/bits.hpp"

#include "frontends/rbg/ast.hpp"

namespace rgtrans::rbg {

Bits::Bits(std::size_t size, bool full) : rest_(size > 64 ? (size - 1) / 64 : 0, full ? ~std::uint64_t{0} : 0) {
  if (!full || size == 0) return;
  first_ = ~std::uint64_t{0};
  if (size % 64 != 0) word(words() - 1) = (std::uint64_t{1} << (size % 64)) - 1;
}
bool Bits::none() const {
  for (std::size_t w = 0; w < words(); ++w) {
    if (word(w) != 0) return false;
  }
  return true;
}
std::size_t Bits::count() const {
  std::size_t sum = 0;
  for (std::size_t w = 0; w < words(); ++w) sum += static_cast<std::size_t>(std::popcount(word(w)));
  return sum;
}
std::uint32_t Bits::single() const {
  if (count() != 1) return kNowhere;
  std::uint32_t member = kNowhere;
  for_each([&](std::size_t i) { member = static_cast<std::uint32_t>(i); });
  return member;
}
bool Bits::add(const Bits& other) {
  const bool grown = !contains(other);
  for (std::size_t w = 0; w < words(); ++w) word(w) |= other.word(w);
  return grown;
}
void Bits::keep(const Bits& other) {
  for (std::size_t w = 0; w < words(); ++w) word(w) &= other.word(w);
}
void Bits::drop(const Bits& other) {
  for (std::size_t w = 0; w < words(); ++w) word(w) &= ~other.word(w);
}
bool Bits::contains(const Bits& other) const {
  for (std::size_t w = 0; w < words(); ++w) {
    if ((other.word(w) & ~word(w)) != 0) return false;
  }
  return true;
}
bool Bits::meets(const Bits& other) const {
  for (std::size_t w = 0; w < words(); ++w) {
    if ((other.word(w) & word(w)) != 0) return true;
  }
  return false;
}

}  // namespace rgtrans::rbg
