#include "frontends/ludii/text/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "frontends/ludii/text/defines.hpp"
#include "frontends/ludii/text/options.hpp"

namespace rgtrans::ludii {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// a..b between two digits.
SourceText with_ranges(const SourceText& text) {
  constexpr int kMostNumbers = 1000;
  return rewritten(text, [&](std::size_t i, SourceText& result) -> std::size_t {
    const bool range = text.chars.compare(i, 2, "..") == 0 && i > 0 && i + 2 < text.size() &&
                       is_digit(text.chars[i - 1]) && is_digit(text.chars[i + 2]);
    if (!range) return 0;
    std::size_t first = i, last = i + 2;
    while (first > 0 && is_digit(text.chars[first - 1]) && i - first < 9) --first;
    while (last < text.size() && is_digit(text.chars[last]) && last - i < 11) ++last;
    const int from = std::stoi(text.chars.substr(first, i - first));
    const int to = std::stoi(text.chars.substr(i + 2, last - i - 2));
    if (std::abs(from - to) >= kMostNumbers) throw Refused(text.range(first, last), "a range has at most 1000 numbers");
    // The first number is there; `3..3` gives it twice.
    const int by = from <= to ? 1 : -1;
    for (int value = from == to ? to : from + by;; value += by) {
      result.append(fmt::format(" {}", value), text.places[i]);
      if (value == to) break;
    }
    result.append(" ", text.places[i]);
    return last;
  });
}

bool is_coordinate(std::string_view text) {
  return text.size() >= 2 && text[0] >= 'A' && text[0] <= 'Z' && std::ranges::all_of(text.substr(1), is_digit) &&
         text.size() < 6;
}

// "A1".."C2", letter by letter.
SourceText with_coordinates(const SourceText& text) {
  return rewritten(text, [&](std::size_t i, SourceText& result) -> std::size_t {
    const std::size_t end = text.chars[i] == '"' ? end_of_string(text, i) : i + 1;
    if (text.chars[i] != '"' || text.chars.compare(end, 3, "..\"") != 0) return 0;
    const std::size_t last = end_of_string(text, end + 2);
    const std::string from = text.chars.substr(i + 1, end - i - 2), to = text.chars.substr(end + 3, last - end - 4);
    if (!is_coordinate(from) || !is_coordinate(to))
      throw Refused(text.range(i, last), "a range of coordinates goes from one cell to another, as in \"A1\"..\"C2\"");
    for (char letter = from[0]; letter <= to[0]; ++letter) {
      for (int row = std::stoi(from.substr(1)); row <= std::stoi(to.substr(1)); ++row)
        result.append(fmt::format("\"{}{}\" ", letter, row), text.places[i]);
    }
    return last;
  });
}

}  // namespace

SourceText without_comments(const SourceText& text) {
  return rewritten(text, [&](std::size_t i, SourceText&) -> std::size_t {
    if (text.chars.compare(i, 2, "//") != 0) return 0;
    while (i + 1 < text.size() && text.chars[i + 1] != '\n') ++i;
    return i + 1;
  });
}

std::optional<SourceText> cut_clause(SourceText& text, std::string_view name) {
  const std::string opening = fmt::format("({}", name);
  for (std::size_t i = 0; (i = find_outside(text, opening, i)) != std::string::npos; ++i) {
    const std::size_t behind = i + opening.size();
    if (behind >= text.size() || (!is_space(text.chars[behind]) && text.chars[behind] != '{')) continue;
    const std::size_t end = end_of_bracket(text, i);
    SourceText clause = text.part(i, end);
    SourceText rest = text.part(0, i);
    rest.append(text, end, text.size());
    text = std::move(rest);
    return clause;
  }
  return std::nullopt;
}

SourceText expand(const Sources::File& file, Sources& sources, const ReadOptions& options) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view raw = file.text;
  while (!raw.empty() && (is_space(raw.front()) || raw.starts_with(kByteOrderMark)))
    raw.remove_prefix(is_space(raw.front()) ? 1 : kByteOrderMark.size());
  SourceText text =
      without_comments(SourceText(raw, file.base + static_cast<std::uint32_t>(file.text.size() - raw.size())));
  apply_options(text, options.choices);
  cut_clause(text, "metadata");
  expand_defines(text, file.name, options.ludii, sources);
  return with_coordinates(with_ranges(without_comments(text)));
}

}  // namespace rgtrans::ludii
