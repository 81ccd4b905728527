// The interface of a language for editors. Front ends without it still support diagnostics and formatting.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/support/outline.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

// A word with the same meaning in every text of the language.
struct LanguageWord {
  std::string_view text;
  std::string_view help;
  std::string_view snippet = {};  // text to insert, with fields to fill in as ${1:name}; "" means the word
  unsigned places = ~0U;          // language-specific bits: where in a text the word can occur
  bool keyword = true;            // false: a name
};

// The words and names that can occur at a place.
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
  // `at`: the begin of the word that is being typed.
  Wanted (*wanted)(const outline::Outline& outline, std::string_view text, std::size_t at);
  bool (*is_name)(std::string_view name);
  std::string_view line_comment = "//";
  std::string_view triggers = {};    // characters after which editors propose words at once
  std::string_view separator = ",";  // between arguments
  bool lists = false;                // a call is (name argument …)
  // Reports mistakes without building a game, for languages where building one takes long. Null otherwise.
  void (*check)(const Sources::File& file, Diagnostics& diagnostics) = nullptr;
};

}  // namespace rgtrans
