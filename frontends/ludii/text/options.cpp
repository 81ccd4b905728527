#include "frontends/ludii/text/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/text/defines.hpp"

namespace rgtrans::ludii {

namespace {

struct Item {
  std::string name;
  std::vector<SourceText> texts;
};

struct Category {
  Range where;
  std::string heading, tag;
  std::vector<std::string> names;  // of the texts
  std::vector<Item> items;
  std::size_t chosen = 0;
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
  for (std::size_t i = begin; (i = find_outside(text, "<", i)) < end;) {
    const std::size_t behind = end_of_angle(text, i);
    found.push_back(text.part(i + 1, behind - 1));
    i = behind;
  }
  return found;
}

// The string that begins at or behind the place, without its quotes.
std::string string_behind(const SourceText& text, std::size_t at) {
  const std::size_t quote = text.chars.find('"', at);
  if (quote == std::string::npos) return {};
  const std::size_t end = end_of_string(text, quote);
  return text.chars.substr(quote + 1, end - quote - 2);
}

Category read_category(const SourceText& clause) {
  Category category;
  const std::size_t tag = clause.chars.find('<');
  const std::size_t arguments = clause.chars.find('{');
  if (tag == std::string::npos || arguments == std::string::npos)
    throw Refused(clause.range(0, 7), "an option has a tag and arguments",
                  "(option \"Name\" <Tag> args:{ <a> } { … })");
  category.where = clause.range(0, 7);
  category.heading = string_behind(clause, 0);
  category.tag = clause.part(tag + 1, end_of_angle(clause, tag) - 1).chars;
  const std::size_t behind = end_of_bracket(clause, arguments);
  for (const SourceText& name : angles(clause, arguments, behind)) category.names.push_back(name.chars);
  std::size_t most = 0;
  for (std::size_t i = behind; (i = find_outside(clause, "(item", i)) != std::string::npos;) {
    const std::size_t end = end_of_bracket(clause, i);
    std::size_t stars = 0;
    while (end + stars < clause.size() && clause.chars[end + stars] == '*') ++stars;
    if (category.items.empty() || stars > most) {
      category.chosen = category.items.size();
      most = stars;
    }
    category.items.push_back({string_behind(clause, i), angles(clause, i, end)});
    i = end;
  }
  return category;
}

// A choice as the game writes it: "Board Size/9x9".
struct Written {
  std::string text;
  Range where;
};

// The choices of a ruleset. Throws Refused if there is none of that name.
std::vector<Written> choices_of_ruleset(const std::vector<SourceText>& clauses, const std::string& wanted, Range game) {
  constexpr std::string_view kHeading = "Ruleset/";
  std::vector<std::string> names;
  for (const SourceText& clause : clauses) {
    for (std::size_t i = 1; i < clause.size(); ++i) {
      if (clause.chars.compare(i, 9, "(ruleset ") != 0) continue;
      const std::size_t end = end_of_bracket(clause, i);
      std::string name = string_behind(clause, i);
      if (name.starts_with(kHeading)) name.erase(0, kHeading.size());
      std::vector<Written> choices;
      std::size_t at = clause.chars.find('{', i);
      while (name == wanted && at < end) {
        at = clause.chars.find('"', at);
        if (at >= end) break;
        const std::size_t behind = end_of_string(clause, at);
        choices.push_back({clause.chars.substr(at + 1, behind - at - 2), clause.range(at, behind)});
        at = behind;
      }
      if (name == wanted) return choices;
      names.push_back(std::move(name));
      i = end - 1;
    }
  }
  if (names.empty()) throw Refused(game, "this game has no rulesets");
  throw Refused(clauses.front().range(0, 9), fmt::format("this game has no ruleset {}", wanted),
                fmt::format("there are {}", fmt::join(names, ", ")));
}

void choose(Category& category, const std::string& wanted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < category.items.size(); ++i) {
    if (category.items[i].name == wanted) {
      category.chosen = i;
      return;
    }
    names.push_back(category.items[i].name);
  }
  throw Refused(category.where, fmt::format("the option {} has no choice {}", category.heading, wanted),
                fmt::format("there are {}", fmt::join(names, ", ")));
}

void choose(std::vector<Category>& categories, const std::vector<SourceText>& rulesets, const Choices& choices,
            Range game) {
  if (const auto name = choices.find("Ruleset"); name != choices.end()) {
    for (const Written& choice : choices_of_ruleset(rulesets, name->second, game)) {
      const auto category = std::ranges::find_if(
          categories, [&](const Category& one) { return choice.text.starts_with(one.heading + "/"); });
      if (category == categories.end()) throw Refused(choice.where, "no option has that name");
      choose(*category, choice.text.substr(category->heading.size() + 1));
    }
  }
  for (const auto& [heading, wanted] : choices) {
    if (heading == "Ruleset") continue;
    const auto category = std::ranges::find(categories, heading, &Category::heading);
    if (category != categories.end()) {
      choose(*category, wanted);
      continue;
    }
    std::vector<std::string> headings;
    for (const Category& one : categories) headings.push_back(one.heading);
    throw Refused(
        game, fmt::format("this game has no option {}", heading),
        headings.empty() ? std::string("it has no options") : fmt::format("there are {}", fmt::join(headings, ", ")));
  }
}

}  // namespace

void apply_options(SourceText& text, const Choices& choices) {
  std::vector<Category> categories;
  std::vector<SourceText> rulesets;
  while (const auto clause = cut_clause(text, "option")) categories.push_back(read_category(*clause));
  while (auto clause = cut_clause(text, "rulesets")) rulesets.push_back(std::move(*clause));
  const std::size_t game = text.chars.find("(game");
  choose(categories, rulesets, choices, text.range(game == std::string::npos ? 0 : game, game + 5));
  for (const Category& category : categories) {
    if (category.items.empty() || category.items[category.chosen].texts.empty()) break;
    const std::vector<SourceText>& texts = category.items[category.chosen].texts;
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
      if (number >= texts.size())
        throw Refused(text.range(i, end), fmt::format("the option <{}> has no such argument", category.tag));
      result.append(texts[number]);
      if (++uses > limits::expansions || result.size() > limits::characters)
        throw Refused(text.range(i, end), "the options make the text too long", limits::characters.advice());
      i = end - 1;
    }
    text = std::move(result);
  }
}

}  // namespace rgtrans::ludii
