// Mutations that keep most of a text: they remove, double or exchange words, marks, lines and pieces in parentheses, or
// take them from another text of the same language. Such a text reaches more of a parser than one with other bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tests/support/choices.hpp"

namespace rgtrans::fuzz {

// A random text of a language.
using Generator = std::string (*)(test::Choices& choices);

// One to a few changes; `other` lends words and lines, and may be empty.
std::string mutate(std::string_view text, std::string_view other, test::Choices& choices);
// Sometimes a new text, else a mutation of `text` with parts of a new text.
std::string mutate_or_generate(std::string_view text, std::span<const Generator> generators, test::Choices& choices);

}  // namespace rgtrans::fuzz
