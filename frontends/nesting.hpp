// What readers of nested texts share, such as lists and trees of JSON: declarations that are parts of others, and names
// in quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/outline.hpp"

namespace rgtrans::outline {

// Whose part a word is, for a reader that comes to the words in their order.
class Nesting {
 public:
  // The innermost declaration that this word is within, or kNone. What ends in front of it is left.
  NameId around(std::size_t word) {
    while (!open_.empty() && open_.back().end <= word) open_.pop_back();
    return open_.empty() ? kNone : open_.back().name;
  }
  // The words up to `end` are parts of this declaration.
  void enter(NameId name, std::size_t end) { open_.push_back({name, end}); }

 private:
  struct Open {
    NameId name;
    std::size_t end;
  };
  std::vector<Open> open_;
};

// What stands in the quotes, of which the second may be missing; `otherwise` when that is nothing.
inline std::string unquoted(std::string_view literal, std::string_view otherwise) {
  literal.remove_prefix(1);
  if (literal.ends_with('"')) literal.remove_suffix(1);
  return std::string(literal.empty() ? otherwise : literal);
}

}  // namespace rgtrans::outline
