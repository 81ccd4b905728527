// What a language tells editors about its texts. A front end without it gets diagnostics and formatting all the same.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/support/outline.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

// A word that means the same in every text of the language.
struct LanguageWord {
  std::string_view text;
  std::string_view help;
  std::string_view snippet = {};  // what to insert, with the places to fill in as ${1:name}; "" is the word
  unsigned places = ~0U;          // bits of the language's own: where in a text it can stand
  bool keyword = true;            // false: a name
};

// What can stand at a place.
struct Wanted {
  unsigned kinds = ~0U;   // bits 1 << DeclaredKind
  unsigned places = ~0U;  // as in LanguageWord
};
template <class... Kinds>
constexpr unsigned kind_bits(Kinds... kinds) {
  return (0U | ... | (1U << static_cast<unsigned>(kinds)));
}

struct Editing {
  std::span<const LanguageWord> words;
  outline::Outline (*outline)(std::string_view text);
  // `at` is where the word begins that is being typed.
  Wanted (*wanted)(const outline::Outline& outline, std::string_view text, std::size_t at);
  bool (*is_name)(std::string_view name);
  std::string_view line_comment = "//";
  std::string_view triggers = {};    // characters behind which something is proposed at once
  std::string_view separator = ",";  // of arguments
  bool lists = false;                // a call is (name argument …)
  // Mistakes that can be told without making a game of the text; null where making one takes no time.
  void (*check)(const Sources::File& file, Diagnostics& diagnostics) = nullptr;
};

}  // namespace rgtrans
