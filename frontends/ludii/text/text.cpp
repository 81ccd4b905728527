#include "frontends/ludii/text/text.hpp"

#include <fmt/format.h>

namespace rgtrans::ludii {

SourceText::SourceText(std::string_view text, std::uint32_t base) : chars(text), places(text.size()) {
  for (std::size_t i = 0; i < text.size(); ++i) places[i] = base + static_cast<std::uint32_t>(i);
}

SourceText SourceText::part(std::size_t begin, std::size_t end) const {
  SourceText result;
  result.append(*this, begin, end);
  return result;
}

Range SourceText::range(std::size_t begin, std::size_t end) const {
  if (places.empty()) return {};
  if (begin >= places.size()) return {places.back(), places.back() + 1};
  if (end <= begin) end = begin + 1;
  const std::uint32_t last = places[std::min(end, places.size()) - 1];
  const std::uint32_t first = places[begin];
  // The characters may come from several places: then the first one is shown.
  return {first, last >= first && last - first < 2 * (end - begin) + 200 ? last + 1 : first + 1};
}

void SourceText::append(const SourceText& other, std::size_t begin, std::size_t end) {
  chars.append(other.chars, begin, end - begin);
  places.insert(places.end(), other.places.begin() + static_cast<std::ptrdiff_t>(begin),
                other.places.begin() + static_cast<std::ptrdiff_t>(end));
}

void SourceText::append(std::string_view text, std::uint32_t place) {
  chars += text;
  places.insert(places.end(), text.size(), place);
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

std::size_t find_outside(const SourceText& text, std::string_view word, std::size_t at) {
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text.chars.compare(i, word.size(), word) == 0) return i;
    if (text.chars[i] == '"') i = end_of_string(text, i) - 1;
  }
  return std::string::npos;
}

std::size_t end_of_string(const SourceText& text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text.chars[i] == '"' && text.chars[i - 1] != '\\') return i + 1;
  }
  throw Refused(text.range(at, at + 1), "the string is not closed", "a string ends with `\"`");
}

std::size_t end_of_bracket(const SourceText& text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text.chars[i];
    if (c == '"') {
      i = end_of_string(text, i) - 1;
    } else if (c == '(' || c == '{') {
      ++depth;
    } else if (c == ')' || c == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  throw Refused(text.range(at, at + 1), fmt::format("`{}` is not closed", text.chars[at]), "add the missing bracket");
}

}  // namespace rgtrans::ludii
