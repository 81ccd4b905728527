// The text as a tree of lists and words, each with its place.
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
  std::string_view text;  // as it is written; of a name without the colon, of a string with the quotes
  std::vector<Node> items;

  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  // The word behind the opening parenthesis, or "".
  [[nodiscard]] std::string_view head() const {
    return is_list() && !items.empty() && items.front().kind == Kind::word ? items.front().text : std::string_view();
  }
};

// What stands at the top level of the text. With errors the result is not to be used.
std::vector<Node> read_tree(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::ludax
