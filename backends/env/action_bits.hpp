// Sets of actions: a bit for each number, in words of 64. Reasoners that are compiled carry this text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __AVX512BW__
#include <immintrin.h>
#endif

namespace rgtrans::env {

inline bool has_action(const std::uint64_t* word, std::uint32_t number) {
  return (word[number / 64U] >> (number % 64U) & 1U) != 0;
}

inline std::uint32_t count_actions(const std::uint64_t* word, std::uint32_t words) {
  std::uint32_t count = 0;
  for (std::uint32_t w = 0; w < words; ++w) count += static_cast<std::uint32_t>(__builtin_popcountll(word[w]));
  return count;
}

// Where the bit is that has so many others below it.
inline std::uint32_t place_of(std::uint64_t word, std::uint32_t below) {
#ifdef __BMI2__
  return static_cast<std::uint32_t>(__builtin_ctzll(__builtin_ia32_pdep_di(std::uint64_t{1} << below, word)));
#else
  for (; below > 0; --below) word &= word - 1;
  return static_cast<std::uint32_t>(__builtin_ctzll(word));
#endif
}

// The action that has so many others of the set below it; the set has more than these.
inline std::uint32_t action_at(const std::uint64_t* word, std::uint32_t words, std::uint32_t below) {
  if (words == 1) return place_of(*word, below);
  for (std::uint32_t w = 0;; ++w) {
    const auto here = static_cast<std::uint32_t>(__builtin_popcountll(word[w]));
    if (below < here) return w * 64U + place_of(word[w], below);
    below -= here;
  }
}

// 64 bytes of 0 or 1 as bits, and bits as bytes.
inline std::uint64_t packed(const std::uint8_t* marks) {
  std::uint64_t result = 0;
  for (unsigned k = 0; k < 8; ++k) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, marks + std::size_t{k} * 8, 8);
    result |= (eight * 0x0102040810204080U >> 56U) << (k * 8U);
  }
  return result;
}
inline std::uint64_t spread(std::uint64_t byte) {
  const std::uint64_t bits = byte * 0x0101010101010101U & 0x8040201008040201U;
  return (bits + 0x7f7f7f7f7f7f7f7fU) >> 7U & 0x0101010101010101U;
}

// Adds number_of(i) for each i below `count`; numbers from `actions` on are none.
template <class NumberOf>
void add_actions(std::uint64_t* word, std::uint32_t words, std::uint32_t actions, std::size_t count,
                 const NumberOf& number_of) {
  constexpr std::uint32_t kFewWords = 64;
  if (words <= kFewWords) {
    // Bytes can be stored one after the other without waiting for each other; then eight become eight bits at once.
    std::uint8_t marks[kFewWords * 64];
    std::memset(marks, 0, std::size_t{words} * 64);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = number_of(i);
      if (number < actions) marks[number] = 1;
    }
    for (std::uint32_t w = 0; w < words; ++w) word[w] = packed(marks + std::size_t{w} * 64);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = number_of(i);
      if (number < actions) word[number / 64U] |= std::uint64_t{1} << (number % 64U);
    }
  }
}

// A byte of 0 or 1 for each action.
inline void write_bytes(const std::uint64_t* word, std::uint32_t count, std::uint8_t* to) {
  std::uint32_t at = 0;
#ifdef __AVX512BW__
  for (; at < count; at += 64) {
    const __mmask64 there = count - at >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (count - at)) - 1;
    _mm512_mask_storeu_epi8(to + at, there, _mm512_maskz_set1_epi8(word[at / 64U], 1));
  }
#else
  for (; at + 8 <= count; at += 8) {
    const std::uint64_t eight = spread(word[at / 64U] >> (at % 64U) & 0xffU);
    std::memcpy(to + at, &eight, 8);
  }
  for (; at < count; ++at) to[at] = word[at / 64U] >> (at % 64U) & 1U;
#endif
}

}  // namespace rgtrans::env
