#include "backends/scene/terms.hpp"

#include "core/support/letters.hpp"
#include "core/support/text.hpp"

namespace rgtrans::scene {

namespace {

// "rx0y3", "b7": letters and numbers take turns. None otherwise.
std::vector<std::string> runs(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    const bool number = is_digit(text[i]);
    if (!number && !rgtrans::is_letter(text[i])) return {};
    while (end < text.size() && is_digit(text[end]) == number && (number || rgtrans::is_letter(text[end]))) ++end;
    out.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return out;
}

}  // namespace

bool is_number(std::string_view text) { return !text.empty() && text.size() <= 6 && all_digits(text); }

bool is_letter(std::string_view text) { return text.size() == 1 && rgtrans::is_letter(text[0]); }

NameTerm read_term(std::string_view written) {
  NameTerm term;
  const std::size_t bracket = written.find('(');
  if (bracket != std::string_view::npos) {  // S(1,2) or (cell 1 2)
    term.parts = split_list(written, "(), ");
    if (term.parts.size() > 1) {
      term.functor = term.parts.front();
      term.parts.erase(term.parts.begin());
    }
    return term;
  }
  if (written.find(' ') != std::string_view::npos) return {"", split_list(written, " ")};
  const std::vector<std::string> pieces = split_list(written, "_");
  if (pieces.size() > 1 && is_number(pieces.back())) {  // V__3_4
    std::size_t first = pieces.size() - 1;
    while (first > 0 && (is_number(pieces[first - 1]) || (first > 1 && is_letter(pieces[first - 1])))) --first;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i < first) {
        term.functor += pieces[i];
      } else {
        term.parts.push_back(pieces[i]);
      }
    }
    return term;
  }
  const std::vector<std::string> turns = runs(written);
  if (turns.size() == 2 && is_letter(turns[0]) && is_number(turns[1])) return {"", turns};
  if (turns.size() >= 2 && turns.size() % 2 == 0 && is_number(turns.back())) {
    for (std::size_t i = 0; i < turns.size(); ++i) {
      if (i % 2 == 0) {
        term.functor += turns[i];
      } else {
        term.parts.push_back(turns[i]);
      }
    }
    return term;
  }
  return {"", {std::string(written)}};
}

std::vector<std::string> words_in(std::string_view name) {
  std::vector<std::string> out(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = is_lower(c) || is_upper(c) || is_digit(c);
    const bool begins = is_upper(c) && i > 0 && is_lower(name[i - 1]);
    if ((!letter || begins) && !out.back().empty()) out.emplace_back();
    if (letter) out.back() += to_lower(c);
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

}  // namespace rgtrans::scene
