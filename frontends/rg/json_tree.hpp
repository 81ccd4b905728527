// JSON text as a tree that knows where each of its values stands in the text; private to the reader of the JSON form.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "frontends/rg/ast.hpp"

namespace rgtrans::rg {

class JsonTree {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
  using Row = std::uint32_t;
  static constexpr Row kNone = 0xffffffffU;

  // Reads the text of program.file; texts with escapes go to program.respelt. Without rows when there were mistakes.
  JsonTree(ast::Program& program, Diagnostics& diagnostics);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] Row root() const { return 0; }
  [[nodiscard]] Kind kind(Row row) const { return rows_[row].kind; }
  // Of a string: what is between the quotes.
  [[nodiscard]] Range where(Row row) const { return rows_[row].where; }
  [[nodiscard]] std::string_view text(Row row) const { return program_.text(rows_[row].where); }
  // Children of arrays and objects.
  [[nodiscard]] Row first(Row row) const { return rows_[row].first; }
  [[nodiscard]] Row next(Row row) const { return rows_[row].next; }
  // The value under a key of an object, or kNone.
  [[nodiscard]] Row member(Row object, std::string_view key) const;

 private:
  friend class JsonReader;

  struct Node {
    Range where;
    std::uint32_t key = 0;  // offset of the key's text; its length is that of the text up to the quote
    Row first = kNone;
    Row next = kNone;
    Kind kind = Kind::null;
  };

  ast::Program& program_;
  std::deque<Node> rows_;
};

std::string_view kind_name(JsonTree::Kind kind);

}  // namespace rgtrans::rg
