// JSON text as a tree that knows where each of its values stands in the text, so that a wrong one can be pointed at.
// The parsing itself is nlohmann-json's.
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
    const Limit& values;   // of the whole text
    std::size_t depth;     // of values within each other
    std::string advice{};  // how to allow more depth
  };

  // Without rows when there were mistakes; they are reported. `file` must outlive this object.
  JsonTree(const Sources::File& file, Diagnostics& diagnostics, const Bounds& bounds);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] Row root() const { return 0; }
  [[nodiscard]] Kind kind(Row row) const { return rows_[row].kind; }
  // Of a string: what is between the quotes.
  [[nodiscard]] Range where(Row row) const { return rows_[row].where; }
  [[nodiscard]] std::string_view text(Row row) const;
  // Children of arrays and objects.
  [[nodiscard]] Row first(Row row) const { return rows_[row].first; }
  [[nodiscard]] Row next(Row row) const { return rows_[row].next; }
  // The value under a key of an object, or kNone.
  [[nodiscard]] Row member(Row object, std::string_view key) const;
  // Of a member of an object: its key, and the place of that without the quotes.
  [[nodiscard]] std::string_view key(Row row) const;
  [[nodiscard]] Range key_range(Row row) const;
  // Strings that are not spelt in the text as they are meant (they have escapes), by their place.
  [[nodiscard]] const std::map<std::uint32_t, std::string>& respelt() const { return respelt_; }

 private:
  friend class JsonReader;

  struct Node {
    Range where;
    std::uint32_t key = 0;  // offset of the key's text; its length is that of the text up to the quote
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

// "a number", "an object", …
std::string_view kind_name(JsonTree::Kind kind);

}  // namespace rgtrans
