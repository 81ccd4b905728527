// JSON text as a tree. Every value stores its place in the text, so that messages can point at it. nlohmann-json does
// the parsing.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "core/support/limits.hpp"
#include "core/support/support.hpp"

namespace rgtrans {

class JsonTree {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  using Row = std::uint32_t;

  struct Bounds {
    const Limit& values;   // limit on values in the whole text
    std::size_t depth;     // limit on the nesting of values
    std::string advice{};  // how to raise the limit on depth
  };

  // Reports mistakes to `diagnostics`; the tree is then empty. `file` must outlive this object.
  JsonTree(const Sources::File& file, Diagnostics& diagnostics, const Bounds& bounds);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] Row root() const { return 0; }
  [[nodiscard]] Kind kind(Row row) const { return rows_[row].kind; }
  // The place and text of a value. For a string, both exclude the quotes.
  [[nodiscard]] Range where(Row row) const { return rows_[row].where; }
  [[nodiscard]] std::string_view text(Row row) const;
  // The first child of an array or object, and the next sibling of a value.
  [[nodiscard]] Row first(Row row) const { return rows_[row].first; }
  [[nodiscard]] Row next(Row row) const { return rows_[row].next; }
  // The value under a key of an object, or kNone.
  [[nodiscard]] Row member(Row object, std::string_view key) const;
  // The key of an object's member, and its place without the quotes.
  [[nodiscard]] std::string_view key(Row row) const;
  [[nodiscard]] Range key_range(Row row) const;
  // Strings with escapes, whose value differs from their text, by the offset of their place.
  [[nodiscard]] const std::map<std::uint32_t, std::string>& respelt() const { return respelt_; }

 private:
  friend class JsonReader;

  struct Node {
    Range where;
    std::uint32_t key = 0;  // offset of the key's text, which extends to the closing quote
    Row first = kNone;
    Row next = kNone;
    Kind kind = Kind::null;
  };

  [[nodiscard]] const std::string* respelt_at(std::uint32_t place) const;
  [[nodiscard]] std::string_view spelling(Range range) const;

  const Sources::File& file_;
  std::map<std::uint32_t, std::string> respelt_;
  std::deque<Node> rows_;
};

// A noun phrase for messages: "a number", "an object", …
std::string_view kind_name(JsonTree::Kind kind);

}  // namespace rgtrans
