#include "ide/workbench/text.hpp"

#include <algorithm>

namespace rgtrans::ide {

namespace {

// Of the character that begins here; 1 for a byte that begins none.
std::size_t length_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  const unsigned first = byte(at), second = byte(at + 1);
  if (first >= 0xc2 && first < 0xe0) return follows(at + 1) ? 2 : 1;
  if (first >= 0xe0 && first < 0xf0) {
    const bool shortest = first != 0xe0 || second >= 0xa0, surrogate = first == 0xed && second >= 0xa0;
    return follows(at + 1) && follows(at + 2) && shortest && !surrogate ? 3 : 1;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const bool in_range = (first != 0xf0 || second >= 0x90) && (first != 0xf4 || second < 0x90);
    return follows(at + 1) && follows(at + 2) && follows(at + 3) && in_range ? 4 : 1;
  }
  return 1;
}

std::uint32_t units_of(std::size_t length, Encoding encoding) {
  if (encoding == Encoding::utf8) return static_cast<std::uint32_t>(length);
  return encoding == Encoding::utf16 && length == 4 ? 2 : 1;
}

}  // namespace

Lines::Lines(std::string_view text) {
  starts_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
      starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::uint32_t Lines::end(std::size_t line, std::string_view text) const {
  if (line + 1 >= starts_.size()) return static_cast<std::uint32_t>(text.size());
  std::uint32_t end = starts_[line + 1] - 1;
  if (text[end] == '\n' && end > starts_[line] && text[end - 1] == '\r') --end;
  return end;
}

std::uint32_t Lines::line_of(std::size_t offset) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(starts_, offset) - starts_.begin() - 1);
}

LinePlace Lines::place(std::size_t offset, std::string_view text, Encoding encoding) const {
  offset = std::min(offset, text.size());
  const std::uint32_t line = line_of(offset);
  const std::size_t end = std::min<std::size_t>(offset, this->end(line, text));
  return {line, units(text.substr(starts_[line], end - starts_[line]), encoding)};
}

std::uint32_t Lines::offset(LinePlace place, std::string_view text, Encoding encoding) const {
  if (place.line >= starts_.size()) return static_cast<std::uint32_t>(text.size());
  std::size_t at = starts_[place.line];
  const std::size_t end = this->end(place.line, text);
  for (std::uint32_t left = place.character; left > 0 && at < end;) {
    const std::size_t length = length_at(text, at);
    const std::uint32_t taken = units_of(length, encoding);
    if (taken > left) break;
    left -= taken;
    at += length;
  }
  return static_cast<std::uint32_t>(std::min(at, end));
}

std::uint32_t units(std::string_view text, Encoding encoding) {
  if (encoding == Encoding::utf8) return static_cast<std::uint32_t>(text.size());
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    count += units_of(length, encoding);
    at += length;
  }
  return count;
}

std::string valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    if (length == 1 && static_cast<unsigned char>(text[at]) >= 0x80) {
      result += "\xef\xbf\xbd";
    } else {
      result += text.substr(at, length);
    }
    at += length;
  }
  return result;
}

}  // namespace rgtrans::ide
