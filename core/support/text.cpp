#include "core/support/text.hpp"

#include <algorithm>
#include <unordered_map>

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
void for_each_part(std::string_view text, char separator, Take&& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for_each_part(text, separator, [&](std::string_view part) {
    if (!part.empty()) parts.emplace_back(part);
  });
  return parts;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for_each_part(text, '\n', [&](std::string_view line) { lines.emplace_back(line); });
  return lines;
}

std::string line_difference(std::string_view before, std::string_view after) {
  const std::vector<std::string> old_lines = split_lines(before), new_lines = split_lines(after);
  std::unordered_map<std::string_view, int> balance;  // how many more of a line there were
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
