#include "frontends/ludii/text/options.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/text/defines.hpp"

namespace rgtrans::ludii {

namespace {

struct Category {
  std::string tag;
  std::vector<std::string> names;
  std::vector<SourceText> texts;  // of the chosen item
};

// The end of a text in angle brackets: the first `>` that does not directly follow `(`.
std::size_t end_of_angle(const SourceText& text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text.chars[i] == '>' && text.chars[i - 1] != '(') return i + 1;
  }
  throw Refused(text.range(at, at + 1), "`<` is not closed", "add the missing `>`");
}

std::vector<SourceText> angles(const SourceText& text, std::size_t begin, std::size_t end) {
  std::vector<SourceText> found;
  for (std::size_t i = begin; i < end; ++i) {
    if (text.chars[i] == '"') {
      i = end_of_string(text, i) - 1;
    } else if (text.chars[i] == '<') {
      const std::size_t behind = end_of_angle(text, i);
      found.push_back(text.part(i + 1, behind - 1));
      i = behind - 1;
    }
  }
  return found;
}

Category read_category(const SourceText& clause) {
  Category category;
  const std::size_t tag = clause.chars.find('<');
  const std::size_t arguments = clause.chars.find('{');
  if (tag == std::string::npos || arguments == std::string::npos)
    throw Refused(clause.range(0, 7), "an option has a tag and arguments",
                  "(option \"Name\" <Tag> args:{ <a> } { … })");
  category.tag = clause.part(tag + 1, end_of_angle(clause, tag) - 1).chars;
  const std::size_t behind = end_of_bracket(clause, arguments);
  for (const SourceText& name : angles(clause, arguments, behind)) category.names.push_back(name.chars);
  std::size_t most = 0;
  std::optional<std::pair<std::size_t, std::size_t>> chosen;
  for (std::size_t i = behind; i < clause.size(); ++i) {
    if (clause.chars[i] == '"') {
      i = end_of_string(clause, i) - 1;
      continue;
    }
    if (clause.chars.compare(i, 5, "(item") != 0) continue;
    const std::size_t end = end_of_bracket(clause, i);
    std::size_t stars = 0;
    while (end + stars < clause.size() && clause.chars[end + stars] == '*') ++stars;
    if (!chosen || stars > most) {
      chosen = {i, end};
      most = stars;
    }
    i = end - 1;
  }
  if (chosen) category.texts = angles(clause, chosen->first, chosen->second);
  return category;
}

}  // namespace

void apply_options(SourceText& text) {
  std::vector<Category> categories;
  while (const auto clause = cut_clause(text, "option")) categories.push_back(read_category(*clause));
  for (const Category& category : categories) {
    if (category.texts.empty()) break;
    SourceText result;
    std::size_t uses = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t behind = i + 1 + category.tag.size();
      const bool is_use = text.chars[i] == '<' && text.chars.compare(i + 1, category.tag.size(), category.tag) == 0 &&
                          behind < text.size() && (text.chars[behind] == '>' || text.chars[behind] == ':');
      if (!is_use) {
        result.append(text, i, i + 1);
        continue;
      }
      const std::size_t end = end_of_angle(text, i);
      std::size_t number = 0;
      if (text.chars[behind] == ':') {
        const std::string name = text.chars.substr(behind + 1, end - behind - 2);
        while (number < category.names.size() && category.names[number] != name) ++number;
      }
      if (number >= category.texts.size())
        throw Refused(text.range(i, end), fmt::format("the option <{}> has no such argument", category.tag));
      result.append(category.texts[number]);
      if (++uses > limits::expansions || result.size() > limits::characters)
        throw Refused(text.range(i, end), "the options make the text too long", limits::characters.advice());
      i = end - 1;
    }
    text = std::move(result);
  }
}

}  // namespace rgtrans::ludii
