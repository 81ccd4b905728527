// The words of the language and their kinds, used to explain a word in a wrong place.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "frontends/ludax/ast.hpp"

namespace rgtrans::ludax {

enum class WordKind : std::uint8_t { mask, function, predicate, effect, result, shape, section, player, other };

struct Word {
  std::string_view text;
  WordKind kind;
  ast::Kind term = ast::Kind::number;  // for a mask, function or predicate
};

// The word of that kind, or null. `and`, `or` and `not` have two kinds.
const Word* find_word(std::string_view text, WordKind kind);
// The kind as words for messages: "a set of cells", "a number", …
std::string_view describe(WordKind kind);
// An explanation of a word that does not fit, or "".
std::string what_is(std::string_view word);
// "did you mean x?" among words of the given kinds, or "".
std::string nearest(std::string_view word, std::span<const WordKind> kinds);

// The constructs that take an argument with this name.
std::string_view owners_of_argument(std::string_view name);

}  // namespace rgtrans::ludax
