// The concrete syntax of both notations, as one tree of words, variables and lists. The infix rule `p(X) :- q(X) & ~r`
// and the prefix rule `(<= (p ?x) (q ?x) (not r))` give trees of the same shape.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::gdl {

struct Node {
  enum class Kind : std::uint8_t { word, variable, list };

  Kind kind = Kind::word;
  SymbolId symbol;          // the word, or the name of a variable without its mark
  std::uint32_t first = 0;  // a list's elements are Tree::nodes[first, first + count)
  std::uint32_t count = 0;
  Range where;
};

struct Tree {
  std::vector<Node> nodes;
  std::vector<Node> statements;

  [[nodiscard]] std::span<const Node> elements(const Node& list) const {
    return {nodes.data() + list.first, list.count};
  }
};

enum class Notation : std::uint8_t { prefix, infix };

// Infix if the text starts with words up to a `:-` or a word directly followed by a parenthesis.
Notation detect_notation(std::string_view text);

// Reads the whole file. Errors go to `diagnostics`; correct statements are kept nevertheless.
Tree read_tree(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics, bool fold_case);

}  // namespace rgtrans::gdl
