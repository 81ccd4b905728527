// The text as a tree of lists and words with their places.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::ludax {

struct Node {
  enum class Kind : std::uint8_t { list, word, number, string, name };
  Kind kind = Kind::word;
  Range where;
  std::string_view text;  // as written; a name without its colon, a string with its quotes
  std::vector<Node> items;

  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  // The word after the opening parenthesis, or "".
  [[nodiscard]] std::string_view head() const {
    return is_list() && !items.empty() && items.front().kind == Kind::word ? items.front().text : std::string_view();
  }
};

// The items at the top level of the text. Must not be used after an error.
std::vector<Node> read_tree(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::ludax
