// Names of letters and digits of any script and underscores, as RG text and JSON allow them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/support/letters.hpp"

namespace rgtrans {

// True for letters and numbers (Unicode Alphabetic or a number category).
bool is_letter_or_digit(std::uint32_t code_point);

// Decodes the UTF-8 sequence at `text`. Returns its length, or 0 for an invalid sequence, such as an overlong form or a
// surrogate.
std::size_t decode_utf8(const char* text, const char* end, std::uint32_t& code_point);

// The length of the rest of a name from `text`, which starts with a byte above 0x7f.
std::size_t name_length_beyond_ascii(const char* text, const char* end);

inline constexpr auto kNameBytes = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    table[static_cast<std::size_t>(c)] = is_word(static_cast<char>(c));
  }
  return table;
}();

// The length of the longest name at `text`; 0 if there is none.
inline std::size_t name_length(const char* text, const char* end) {
  const char* at = text;
  while (at != end && kNameBytes[static_cast<unsigned char>(*at)]) ++at;
  if (at != end && (static_cast<unsigned char>(*at) & 0x80U) != 0) at += name_length_beyond_ascii(at, end);
  return static_cast<std::size_t>(at - text);
}

}  // namespace rgtrans
