#include "core/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/support/letters.hpp"

namespace rgtrans {

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t') result += c;
    }
  }
  return result;
}

std::string dot_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
  }
  return result + '"';
}

namespace {

template <class Take>
void for_each_part(std::string_view text, std::string_view separators, Take&& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<std::string> split_list(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for_each_part(text, separators, [&](std::string_view part) {
    if (!part.empty()) parts.emplace_back(part);
  });
  return parts;
}

int compare_natural(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
      ++i;
      ++j;
      continue;
    }
    auto run = [](std::string_view text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view x = run(a, i);
    const std::string_view y = run(b, j);
    if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
    if (const int order = x.compare(y); order != 0) return order;
  }
  const std::size_t left = a.size() - i;
  const std::size_t right = b.size() - j;
  if (left != right) return left < right ? -1 : 1;
  return a.compare(b);
}

std::string percent_encoded(std::string_view text, std::string_view plain) {
  std::string out;
  for (const char c : text) {
    const bool as_is = is_letter(c) || is_digit(c) || plain.find(c) != std::string_view::npos;
    out += as_is ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string percent_decoded(std::string_view text) {
  const auto digit = [&](std::size_t at) {
    const char c = at < text.size() ? to_lower(text[at]) : '\0';
    if (is_digit(c)) return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && digit(i + 1) >= 0 && digit(i + 2) >= 0) {
      out += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

namespace {

// The length of a character of UTF-8 by its first byte; 0 where none begins so.
std::size_t character_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// C0, DEL, C1, and marks that override the direction of writing.
bool steers_terminal(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]) < 0x20 || character[0] == 0x7f;
  if (character.size() == 2) return character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
  return character == "\u2028" || character == "\u2029" || (character >= "\u202a" && character <= "\u202e") ||
         (character >= "\u2066" && character <= "\u2069");
}

// `kept`: control characters that stay.
std::string without_controls(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(static_cast<unsigned char>(text[i]));
    bool valid = length > 0 && i + length <= text.size();
    for (std::size_t k = 1; valid && k < length; ++k) valid = !begins_character(text[i + k]);
    if (!valid) {
      if (begins_character(text[i])) out += '?';
      ++i;
      continue;
    }
    const std::string_view character = text.substr(i, length);
    i += length;
    if (length == 1 && kept.find(character[0]) != std::string_view::npos) {
      out += character;
    } else if (character == "\t") {
      out += ' ';
    } else if (steers_terminal(character)) {
      out += '?';
    } else {
      out += character;
    }
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return without_controls(text, ""); }
std::string terminal_text(std::string_view text) { return without_controls(text, "\n\t"); }

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for_each_part(text, "\n", [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

std::string line_difference(std::string_view before, std::string_view after) {
  const std::vector<std::string> old_lines = split_lines(before), new_lines = split_lines(after);
  std::unordered_map<std::string_view, int> balance;  // by line: occurrences in `before` minus occurrences in `after`
  for (const std::string& line : old_lines) ++balance[line];
  for (const std::string& line : new_lines) --balance[line];
  std::string text;
  for (const std::string& line : old_lines) {
    if (balance[line] <= 0) continue;
    --balance[line];
    text += "- " + line + "\n";
  }
  for (const std::string& line : new_lines) {
    if (balance[line] >= 0) continue;
    ++balance[line];
    text += "+ " + line + "\n";
  }
  return text;
}

}  // namespace rgtrans
