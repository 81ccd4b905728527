// Mutations of texts that keep most of a text what it was: words, marks, lines and pieces in parentheses are removed,
// doubled, exchanged, or taken from another text of the same language. A parser gets further into such a text than into
// one with other bytes.
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
// Now and then a new text, else a mutation of `text` with a new text beside it.
std::string mutate_or_generate(std::string_view text, std::span<const Generator> generators, test::Choices& choices);

}  // namespace rgtrans::fuzz
