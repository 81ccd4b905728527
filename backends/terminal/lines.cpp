#include "backends/terminal/lines.hpp"

#include <algorithm>
#include <istream>
#include <ostream>

#include "core/support/letters.hpp"

namespace rgtrans::terminal {

std::optional<std::string> StreamLines::next(const std::string& prompt, const std::vector<std::string>& /*offered*/) {
  out_ << prompt << std::flush;
  std::string line;
  if (!std::getline(in_, line)) return std::nullopt;
  return line;
}

Completion complete(std::string_view begun, const std::vector<std::string>& offered) {
  Completion found;
  for (const std::string& text : offered) {
    if (!text.starts_with(begun)) continue;
    const std::string rest = text.substr(begun.size());
    const auto same = found.fitting.empty() ? rest.end() : std::ranges::mismatch(rest, found.rest).in1;
    found.rest.assign(rest.begin(), same);
    found.fitting.push_back(text);
  }
  // No half of a character.
  while (!found.rest.empty() && found.fitting.size() > 1) {
    const std::string& text = found.fitting.front();
    const std::size_t end = begun.size() + found.rest.size();
    const bool inside = end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U;
    if (!inside) break;
    found.rest.pop_back();
  }
  return found;
}

std::string in_columns(const std::vector<std::string>& texts, std::size_t width) {
  constexpr std::size_t kGap = 2;  // blanks before each text
  std::size_t widest = 1;
  for (const std::string& text : texts) widest = std::max(widest, count_characters(text));
  const std::size_t columns =
      std::clamp<std::size_t>(width / (widest + kGap), 1, std::max<std::size_t>(texts.size(), 1));
  const std::size_t rows = (texts.size() + columns - 1) / columns;
  std::string out;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = row; i < texts.size(); i += rows) {
      out += std::string(kGap, ' ') + texts[i] + std::string(widest - count_characters(texts[i]), ' ');
    }
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
  return out;
}

}  // namespace rgtrans::terminal
