// The syntax tree of RG text as flat arrays. A node is an index, and a name is its place in the source. An edge takes
// about a hundred bytes, so files with millions of edges fit into memory together with the game.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::rg::ast {

// Appends an element and returns its row.
template <class T>
std::uint32_t add(std::vector<T>& list, const T& what) {
  list.push_back(what);
  return static_cast<std::uint32_t>(list.size() - 1);
}

// A half-open range of rows in one of the arrays below.
struct Slice {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

struct Type {
  enum class Kind : std::uint8_t { name, set, arrow };
  Kind kind = Kind::name;
  Range where;
  std::uint32_t a = 0;  // set: first of Program::names; arrow: the source type
  std::uint32_t b = 0;  // set: one past the last; arrow: the destination type
};

struct Value {
  bool is_map = false;
  Range where;    // place of the value; for a symbol, of its name
  Slice entries;  // for a map: rows of Program::entries
};

struct Entry {
  Range key;  // for the default entry: the place of its colon
  bool is_default = false;
  std::uint32_t value = kNone;
};

struct Expression {
  enum class Kind : std::uint8_t { name, access, cast };
  Kind kind = Kind::name;
  Range where;
  Range name;           // the name; for a cast: the type
  std::uint32_t a = 0;  // access: the map; cast: the operand
  std::uint32_t b = 0;  // access: the index
};

struct Edge {
  enum class Label : std::uint8_t { empty, compare, assign, assign_any, reachability, tag, tag_variable };
  Range source, target;
  std::uint32_t end = 0;  // offset of the edge's end, excluding the semicolon
  Label label = Label::empty;
  bool negated = false;
  std::uint32_t a = kNone;  // left expression; for reachability: start; for a tag: name (rows of Program::names)
  std::uint32_t b = kNone;  // right expression; assign_any: type; reachability: target
  [[nodiscard]] Range where() const { return {source.begin, end}; }
};

struct Definition {
  Range name;
  std::uint32_t type = kNone;
  std::uint32_t value = kNone;  // none for a type definition
  Range where;
};

struct ApplyTag {
  Range name;
  std::uint32_t type = kNone;  // none for a plain tag
};

struct ApplyEffect {
  std::uint32_t lhs = kNone;
  std::uint32_t rhs = kNone;
};

struct PragmaText {
  enum class Kind : std::uint8_t {
    artificial_tag,
    disjoint,
    disjoint_exhaustive,
    integer,
    iterator,
    repeat,
    simple_apply,
    simple_apply_exhaustive,
    tag_index,
    tag_max_index,
    translated_from_rbg,
    unique,
    unknown,
  };
  Kind kind = Kind::unknown;
  Range where;
  Slice first;   // names before the colon, or all names if there is no colon
  Slice second;  // names after the colon
  std::uint64_t number = 0;
  std::vector<ApplyTag> tags;
  std::vector<ApplyEffect> effects;
  Range content;  // for an unknown pragma: the text between @ and ;
};

// The written names of pragmas, by PragmaText::Kind. An unknown pragma has no entry.
inline constexpr std::string_view kPragmaNames[] = {
    "artificialTag",         "disjoint", "disjointExhaustive", "integer",           "iterator", "repeat", "simpleApply",
    "simpleApplyExhaustive", "tagIndex", "tagMaxIndex",        "translatedFromRbg", "unique",
};

struct Program {
  const Sources::File* file = nullptr;

  std::vector<Range> names;
  std::vector<Type> types;
  std::vector<Value> values;
  std::vector<Entry> entries;
  std::vector<Expression> expressions;

  std::vector<PragmaText> pragmas;
  std::vector<Definition> type_defs;
  std::vector<Definition> constants;
  std::vector<Definition> variables;
  std::vector<Edge> edges;

  std::vector<Range> comments;  // in order; only for the formatter

  // Names with escapes in JSON, whose value differs from their text, by place.
  std::map<std::uint32_t, std::string> respelt;

  // The author's texts of symbols, by symbol; only in JSON.
  std::map<std::string, std::string> words;

  [[nodiscard]] std::string_view text(Range range) const {
    if (!respelt.empty()) {
      if (const auto it = respelt.find(range.begin); it != respelt.end()) return it->second;
    }
    return std::string_view(file->text).substr(range.begin - file->base, range.end - range.begin);
  }
};

}  // namespace rgtrans::rg::ast
