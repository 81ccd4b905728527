// A text in which every character knows its place in the sources. Defines and options move characters about, and an
// error still points at the line that the author wrote.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::ludii {

struct SourceText {
  std::string chars;
  std::vector<std::uint32_t> places;

  SourceText() = default;
  SourceText(std::string_view text, std::uint32_t base);

  [[nodiscard]] std::size_t size() const { return chars.size(); }
  [[nodiscard]] SourceText part(std::size_t begin, std::size_t end) const;
  // The range in the sources of chars[begin, end).
  [[nodiscard]] Range range(std::size_t begin, std::size_t end) const;
  void append(const SourceText& other, std::size_t begin, std::size_t end);
  void append(const SourceText& other) { append(other, 0, other.size()); }
  // Appends the expansion of the character at `place`: messages about it name that place.
  void append(std::string_view text, std::uint32_t place);
};

// Thrown after an error without which the rest makes no sense.
struct Refused : std::runtime_error {
  Refused(Range at, const std::string& message, std::string advice = {})
      : std::runtime_error(message), where(at), hint(std::move(advice)) {}
  Range where;
  std::string hint;
  std::string missing;  // the ludeme that is not translated
};

// The first place at or behind `at`, outside of strings, where the text goes on with the word; or npos.
std::size_t find_outside(const SourceText& text, std::string_view word, std::size_t at);
// The end of the string that begins at `at`, behind its closing quote.
std::size_t end_of_string(const SourceText& text, std::size_t at);
// The end of the bracket that begins at `at`, behind its closing bracket. Throws Refused.
std::size_t end_of_bracket(const SourceText& text, std::size_t at);
bool is_space(char c);

// Replaces parts of a text. At each place, `rewrite` appends the replacement and returns the place behind the part. If
// it returns 0, the character is kept, or the whole string that begins there.
template <class Rewrite>
SourceText rewritten(const SourceText& text, const Rewrite& rewrite) {
  SourceText result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t behind = rewrite(i, result);
    const std::size_t next = behind > i ? behind : text.chars[i] == '"' ? end_of_string(text, i) : i + 1;
    if (behind <= i) result.append(text, i, next);
    i = next;
  }
  return result;
}

}  // namespace rgtrans::ludii
