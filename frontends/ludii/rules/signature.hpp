// The arguments of a ludeme, by its row in a table: errors, and later completion, read the same row.
//
// A signature is a text such as "[type] int [through:int] [role]": kinds in their order, optional ones in brackets, a
// label in front of those that have one in the text of a game, and "kind/name" where two have the same kind.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "frontends/ludii/equipment/statics.hpp"
#include "frontends/ludii/text/tree.hpp"

namespace rgtrans::ludii {

struct Parameter {
  std::string_view label, kind, name;
  bool optional = false;
};
std::vector<Parameter> read_signature(std::string_view signature);

// A row of a table of ludemes. The name has two words if the first argument is a word that chooses the ludeme. Ludemes
// that are lowered alike share a row: "is Even|Odd", "move Step, step".
template <class Lower>
struct Ludeme {
  std::string_view names, signature;
  Lower lower;
};

bool is_role(const Node& node);
bool is_region(const Node& node);
// The one of the names that fits the clause, or "".
std::string_view matching_name(std::string_view names, const Node& clause);
inline bool names_clause(std::string_view names, const Node& clause) { return !matching_name(names, clause).empty(); }
// The first clause, here or within, that is one of the ludemes, or null.
const Node* find_clause(std::string_view names, const Node& node);

// The row of the clause, with the name that fits: one with two words before one with one.
template <class Lower>
std::optional<Ludeme<Lower>> find_ludeme(std::span<const Ludeme<Lower>> table, const Node& clause) {
  std::optional<Ludeme<Lower>> result;
  for (const Ludeme<Lower>& row : table) {
    const std::string_view name = matching_name(row.names, clause);
    if (!name.empty() && (!result || name.find(' ') != std::string_view::npos))
      result = {name, row.signature, row.lower};
  }
  return result;
}

// A clause whose arguments are matched with its row.
class Call {
 public:
  // Throws Refused for an argument that does not fit.
  Call(const Node& clause, std::string_view name, std::string_view signature);

  [[nodiscard]] const Node& clause() const { return clause_; }
  // The argument, or null.
  [[nodiscard]] const Node* operator[](std::string_view name) const;
  [[nodiscard]] const Node& need(std::string_view name) const { return *(*this)[name]; }
  [[nodiscard]] bool flag(std::string_view name, bool otherwise = false) const;
  // All arguments of the kind "list": those that are left, with the items of arrays.
  [[nodiscard]] const std::vector<const Node*>& list() const { return list_; }
  // The second word of the name.
  [[nodiscard]] std::string_view word() const { return word_; }

 private:
  const Node& clause_;
  std::string_view word_;
  std::vector<std::pair<std::string_view, const Node*>> arguments_;
  std::vector<const Node*> list_;
};

}  // namespace rgtrans::ludii
