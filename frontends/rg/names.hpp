// What a name is: a run of letters and digits of any script and underscores.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/support/letters.hpp"

namespace rgtrans::rg {

// True for letters and numbers (Unicode Alphabetic or a number category).
bool is_letter_or_digit(std::uint32_t code_point);

// Decodes the UTF-8 sequence at `text`; its length, or 0 when it is not valid (overlong forms and surrogates
// included).
std::size_t decode_utf8(const char* text, const char* end, std::uint32_t& code_point);

// The length of the part of the name from `text` on that begins with a byte above 0x7f.
std::size_t name_length_beyond_ascii(const char* text, const char* end);

inline constexpr auto kNameBytes = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    table[static_cast<std::size_t>(c)] = is_word(static_cast<char>(c));
  }
  return table;
}();

// The length of the longest name at `text`, 0 when there is none.
inline std::size_t name_length(const char* text, const char* end) {
  const char* at = text;
  while (at != end && kNameBytes[static_cast<unsigned char>(*at)]) ++at;
  if (at != end && (static_cast<unsigned char>(*at) & 0x80U) != 0) at += name_length_beyond_ascii(at, end);
  return static_cast<std::size_t>(at - text);
}

inline bool is_keyword(std::string_view name) { return name == "const" || name == "type" || name == "var"; }

// A whole text that may stand where the grammar asks for a name.
inline bool is_name(std::string_view text) {
  return !text.empty() && name_length(text.data(), text.data() + text.size()) == text.size() && !is_keyword(text);
}

// Whether the text behind an @ would be read as one of the pragmas that have a meaning.
bool begins_like_known_pragma(std::string_view content);

}  // namespace rgtrans::rg
