#include "ide/workbench/wire.hpp"

#include <fmt/format.h>

namespace rgtrans::ide::wire {

std::string FieldPath::text() const {
  const std::string before = outer == nullptr ? std::string() : outer->text();
  if (key.empty()) return fmt::format("{}[{}]", before, index);
  return before.empty() ? std::string(key) : fmt::format("{}.{}", before, key);
}

void refuse(const FieldPath& path, std::string_view expected, const Json& found) {
  constexpr std::size_t kLongest = 40;
  std::string text = found.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  throw BadField(fmt::format("{}: expected {}, found {}", path.text(), expected, found.is_null() ? "nothing" : text));
}

void check_bounds(const FieldPath& path, const Json& found, double value, Between bounds) {
  if (value < bounds.least || value > bounds.most)
    refuse(path, fmt::format("a number from {} to {}", bounds.least, bounds.most), found);
}

std::string Typescript::field_line(const std::string& field, char end, std::string_view help) {
  constexpr std::size_t kLongest = 120;
  const std::string line = fmt::format("  {}{}", field, end);
  if (help.empty()) return line + "\n";
  const std::string with_help = fmt::format("{} // {}\n", line, help);
  return with_help.size() <= kLongest + 1 ? with_help : fmt::format("  // {}\n{}\n", help, line);
}

std::string Typescript::text() const {
  std::string text;
  for (const std::string& declaration : declarations_) text += (text.empty() ? "" : "\n") + declaration;
  return text;
}

}  // namespace rgtrans::ide::wire
