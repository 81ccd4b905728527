// The text as a tree of clauses, arrays and words with their places.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

struct Node {
  enum class Kind : std::uint8_t { clause, array, word, string };
  Kind kind = Kind::word;
  Range where;
  std::string label;  // "if" of `if:(…)`
  std::string text;   // the name of a clause, a word, a string without its quotes
  std::vector<Node> items;

  [[nodiscard]] bool is_clause() const { return kind == Kind::clause; }
  [[nodiscard]] bool is_clause(std::string_view name) const { return is_clause() && text == name; }
  [[nodiscard]] bool is_array() const { return kind == Kind::array; }
  [[nodiscard]] bool is_word() const { return kind == Kind::word; }
  [[nodiscard]] bool is_word(std::string_view word) const { return is_word() && text == word; }
  [[nodiscard]] bool is_string() const { return kind == Kind::string; }
  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_boolean() const;
  // Throws Refused if there are fewer.
  [[nodiscard]] const Node& item(std::size_t number) const;
  // Whether there is a first part, and it is …
  [[nodiscard]] bool begins_with_array() const { return !items.empty() && items.front().is_array(); }
  [[nodiscard]] bool begins_with_string() const { return !items.empty() && items.front().is_string(); }
  [[nodiscard]] bool begins_with_word(std::string_view word) const {
    return !items.empty() && items.front().is_word(word);
  }
  [[nodiscard]] bool begins_with_clause() const { return !items.empty() && items.front().is_clause(); }
  [[nodiscard]] bool begins_with_clause(std::string_view name) const {
    return !items.empty() && items.front().is_clause(name);
  }
  [[nodiscard]] const Node& last_item() const { return item(items.empty() ? 0 : items.size() - 1); }
  // The item with that label, or null.
  [[nodiscard]] const Node* labelled(std::string_view name) const;
  // The items of an array, else the node alone.
  [[nodiscard]] std::span<const Node> each() const { return is_array() ? std::span(items) : std::span(this, 1); }
  // The first node that fits, of this one and all within, or null.
  template <class F>
  [[nodiscard]] const Node* find(const F& fits) const {
    if (fits(*this)) return this;
    for (const Node& item : items) {
      if (const Node* const found = item.find(fits)) return found;
    }
    return nullptr;
  }
  // Whether a clause of that name is here or within.
  [[nodiscard]] bool contains(std::string_view name) const;
  // As in the text, for messages: `(move Step`, `Cell`, `"Disc"`.
  [[nodiscard]] std::string shown() const;
  // The name of the ludeme, of a family with its first word: `move Step`, `Cell`, `{…}`, `a string`.
  [[nodiscard]] std::string ludeme() const;
  // Equal exactly for equal clauses.
  [[nodiscard]] std::string whole() const;
};

// The items at the top level. Throws Refused.
std::vector<Node> read_tree(const SourceText& text);

}  // namespace rgtrans::ludii
