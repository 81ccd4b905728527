// Pragmas: facts that an earlier stage states for later ones, as typed structures. A stage may ignore any of them
// without changing the game tree.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/automaton.hpp"

namespace rgtrans::ir {

struct ArtificialTag {
  std::vector<SymbolId> tags;
  bool operator==(const ArtificialTag&) const = default;
};
struct Disjoint {  // at most one of the edges from node to targets is legal (exhaustive: exactly one)
  NodeId node;
  std::vector<NodeId> targets;
  bool exhaustive = false;
  bool operator==(const Disjoint&) const = default;
};
struct Integer {  // symbols[i] represents the number offset + i
  std::uint64_t offset = 0;
  std::vector<SymbolId> symbols;
  bool operator==(const Integer&) const = default;
};
struct Iterator {  // a -> b assigns variable, b -> c tests M[variable] == 1
  NodeId a, b, c;
  VarId variable;
  bool operator==(const Iterator&) const = default;
};
struct Repeat {  // the values of these variables identify a second visit of these nodes
  std::vector<NodeId> nodes;
  std::vector<VarId> variables;
  bool operator==(const Repeat&) const = default;
};
struct Unique {  // no walk visits these nodes twice in the same state, so engines need no test
  std::vector<NodeId> nodes;
  bool operator==(const Unique&) const = default;
};
struct SimpleApply {  // tags lead from -> to with the effect of the assignments
  struct TagPattern {
    SymbolId name;  // the tag itself, or the name that a tag of `type` is bound to
    TypeId type;
    bool operator==(const TagPattern&) const = default;
  };
  // In the expressions, a bound name occurs as the symbol of that name.
  struct Effect {
    ExprId lhs, rhs;
    bool operator==(const Effect&) const = default;
  };
  NodeId from, to;
  std::vector<TagPattern> tags;
  std::vector<Effect> effects;
  bool exhaustive = false;
  bool operator==(const SimpleApply&) const = default;
};
struct TagIndex {  // exactly (maximum: at most) index tags precede the tags on edges leaving these nodes
  std::vector<NodeId> nodes;
  std::uint32_t index = 0;
  bool maximum = false;
  bool operator==(const TagIndex&) const = default;
};
struct TranslatedFromRbg {
  bool operator==(const TranslatedFromRbg&) const = default;
};
struct Unknown {  // kept verbatim
  std::string content;
  bool operator==(const Unknown&) const = default;
};

using PragmaContent = std::variant<ArtificialTag, Disjoint, Integer, Iterator, Repeat, Unique, SimpleApply, TagIndex,
                                   TranslatedFromRbg, Unknown>;

// The kind of the pragma in messages.
inline std::string name_of(const PragmaContent& content) {
  static constexpr const char* kNames[] = {"artificial", "disjoint", "integer",   "iterator", "repeat",
                                           "unique",     "apply",    "tag-index", "rbg"};
  const auto* unknown = std::get_if<Unknown>(&content);
  return unknown == nullptr ? kNames[content.index()] : unknown->content.substr(0, unknown->content.find(' '));
}

struct Pragma {
  PragmaContent content;
  Range where;
};

}  // namespace rgtrans::ir
