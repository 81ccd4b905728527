// The words of the language, each with what it is, so that a word in the wrong place can be explained.
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
  ast::Kind term = ast::Kind::number;  // of a mask, function or predicate
};

// None when it is no word of that kind. `and`, `or` and `not` are of two kinds.
const Word* find_word(std::string_view text, WordKind kind);
// "a set of cells", "a number", …
std::string_view describe(WordKind kind);
// What a word that does not fit is, or "".
std::string what_is(std::string_view word);
// "did you mean x?" among words of some kinds, or "".
std::string nearest(std::string_view word, std::span<const WordKind> kinds);

// An argument with a name, and the constructs that take it.
std::string_view owners_of_argument(std::string_view name);

}  // namespace rgtrans::ludax
