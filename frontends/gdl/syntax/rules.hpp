// Abstract syntax in normal form: facts, and rules whose bodies are conjunctions of literals. Disjunctions are
// expanded, equalities solved, keywords recognised.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/support/support.hpp"
#include "frontends/gdl/syntax/syntax.hpp"
#include "frontends/gdl/syntax/terms.hpp"

namespace rgtrans::gdl {

using PredId = Id<struct PredicateTag>;

enum class Keyword : std::uint8_t {
  none,
  role,
  init,
  fact,
  does,
  next,
  legal,
  goal,
  terminal,
  base,
  input,
  sees,
  distinct,
  equal,
  auxiliary
};

struct Predicate {
  SymbolId name;
  std::uint32_t arity = 0;
  Keyword keyword = Keyword::none;
  Range where;           // first mention
  bool defined = false;  // occurs in a head
};

struct Literal {
  PredId predicate;
  bool negated = false;
  std::vector<Pattern> arguments;
  Range where;
};

struct Rule {
  Literal head;
  std::vector<Literal> body;
  std::vector<SymbolId> variables;  // names; a pattern's variable is an index into them
  Range where;
};

struct Fact {
  PredId predicate;
  std::uint32_t first = 0;  // index into Program::fact_arguments
  Range where;
};

struct Program {
  Symbols symbols;
  Patterns patterns;
  std::vector<Predicate> predicates;
  std::vector<Fact> facts;
  std::vector<TermId> fact_arguments;
  std::vector<Rule> rules;
  std::vector<TermId> roles;  // in the order of the description
  SymbolId random;            // name of the role that represents chance

  PredId predicate(SymbolId name, std::uint32_t arity, Keyword keyword, Range where);
  [[nodiscard]] PredId find_keyword(Keyword keyword) const;
  // The strong component of each predicate in the dependency graph: mutually recursive predicates share a number.
  [[nodiscard]] std::vector<std::uint32_t> components() const;
  // A new predicate with a name that no description can contain.
  PredId auxiliary(std::uint32_t arity, Range where);
  [[nodiscard]] const Predicate& operator[](PredId id) const { return predicates[id.value]; }
  [[nodiscard]] std::span<const TermId> arguments(const Fact& fact) const {
    return {fact_arguments.data() + fact.first, predicates[fact.predicate.value].arity};
  }
  [[nodiscard]] std::string text(TermId term) const;
  // `name/arity`, for messages.
  [[nodiscard]] std::string describe(PredId id) const;

 private:
  IndexSet index_;
};

// Normalises a tree.
Program normalise(const Tree& tree, Symbols symbols, Diagnostics& diagnostics);

// Checks safety, placement, dependencies, arities and roles, and drops rules that cannot matter with a warning. Without
// an error, every rule is safe afterwards. Rules in the range `asked` stay even if no keyword depends on them.
void check(Program& program, Diagnostics& diagnostics, Range asked = {});

// Warns about legal text that looks misspelt. The roles must be known.
void suspect(const Program& program, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
