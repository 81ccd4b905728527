// ASCII letters and digits, independent of the locale, and the first bytes of UTF-8 characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace rgtrans {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
// A character that may occur in a name in most languages.
[[nodiscard]] constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
[[nodiscard]] constexpr char to_lower(char c) { return static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c); }
[[nodiscard]] constexpr char to_upper(char c) { return static_cast<char>(is_lower(c) ? c - 'a' + 'A' : c); }

// A byte that begins a character of UTF-8, as opposed to a continuation byte.
[[nodiscard]] constexpr bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }
[[nodiscard]] inline std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

[[nodiscard]] inline bool all_digits(std::string_view text) { return std::ranges::all_of(text, is_digit); }
[[nodiscard]] inline bool all_word(std::string_view text) { return std::ranges::all_of(text, is_word); }
[[nodiscard]] inline std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), to_lower);
  return result;
}
[[nodiscard]] inline std::string upper_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), to_upper);
  return result;
}
[[nodiscard]] inline std::string capitalized(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result[0] = to_upper(result[0]);
  return result;
}

}  // namespace rgtrans
