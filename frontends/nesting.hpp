// Helpers for readers of nested texts, such as lists and JSON: nested declarations and quoted names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/outline.hpp"

namespace rgtrans::outline {

// Tracks the enclosing declaration while a reader visits the words in order.
class Nesting {
 public:
  // The innermost declaration around this word, or kNone. Leaves declarations that end before it.
  NameId around(std::size_t word) {
    while (!open_.empty() && open_.back().end <= word) open_.pop_back();
    return open_.empty() ? kNone : open_.back().name;
  }
  // Enters a declaration that contains the words up to `end`.
  void enter(NameId name, std::size_t end) { open_.push_back({name, end}); }

 private:
  struct Open {
    NameId name;
    std::size_t end;
  };
  std::vector<Open> open_;
};

// The text inside the quotes, of which the second may be missing; `otherwise` if it is empty.
inline std::string unquoted(std::string_view literal, std::string_view otherwise) {
  literal.remove_prefix(1);
  if (literal.ends_with('"')) literal.remove_suffix(1);
  return std::string(literal.empty() ? otherwise : literal);
}

// The first words of the lists in parentheses around a place, innermost first; "" where a list begins with no word.
inline std::vector<std::string_view> heads_around(const Outline& outline, std::string_view text, std::size_t at) {
  std::vector<std::string_view> heads;
  int depth = 0;
  std::string_view behind;
  for (std::size_t i = outline.lexemes_before(at); i-- > 0;) {
    if (outline.lexemes[i].kind == LexemeKind::comment) continue;
    const std::string_view word = outline.lexemes[i].at.of(text);
    if (word == ")") ++depth;
    if (word == "(" && depth-- == 0) {
      depth = 0;
      heads.push_back(behind);
      behind = {};
      continue;
    }
    behind = depth > 0 || word == ")" || word == "(" || word == "{" ? std::string_view() : word;
  }
  return heads;
}

}  // namespace rgtrans::outline
