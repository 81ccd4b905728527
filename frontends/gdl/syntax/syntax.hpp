// The concrete syntax of both notations, read into one tree of words, variables and lists: the infix rule
// `p(X) :- q(X) & ~r` and the prefix rule `(<= (p ?x) (q ?x) (not r))` give trees of the same shape.
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
  SymbolId symbol;          // of a word; of a variable its name without the mark
  std::uint32_t first = 0;  // of a list: its elements are Tree::nodes[first, first + count)
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

// Looks at the first token, and for `:-` or a word followed by a parenthesis.
Notation detect_notation(std::string_view text);

// Reads the whole file. Mistakes go to `diagnostics`; statements that are sound are kept all the same.
Tree read_tree(const Sources::File& file, Symbols& symbols, Diagnostics& diagnostics, bool fold_case);

}  // namespace rgtrans::gdl
