// Random rules of GDL over a typed vocabulary. Each column of a relation has a sort, and a variable has the sort of the
// columns in which it occurs. Rules are safe, because unbound variables get a literal that ranges over their sort.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/choices.hpp"

namespace rgtrans::test {

struct GdlSort {
  std::string letter;  // for names of variables
  std::string domain;  // the relation that lists the values
  std::vector<std::string> values;
  // The columns of a sort of nested terms, `(p ?a ?n)`. `values` lists the terms, too.
  std::string functor = {};
  std::vector<std::size_t> parts = {};
};

// The dependence of a relation. A rule of some kind may read relations of that kind and of earlier kinds.
enum class GdlKind : std::uint8_t { fixed, state, move };

struct GdlRelation {
  std::string name;
  std::vector<std::size_t> columns;  // sorts
  GdlKind kind = GdlKind::fixed;
  // For derived relations: rules may negate relations with a smaller rank, and read those with the same one.
  std::size_t rank = 0;
};

struct GdlVocabulary {
  std::vector<GdlSort> sorts;  // the first one is the sort of roles
  std::vector<GdlRelation> fixed, facts, derived, moves;
  std::string successor = "succ";
  std::size_t numbers = 0;  // the sort of the successor relation

  // The number of tuples with these columns.
  [[nodiscard]] std::size_t tuples(const std::vector<std::size_t>& columns) const;
};

// The text "(name a b)", or "name" without arguments.
std::string gdl_sentence(const std::string& name, const std::vector<std::string>& arguments);

class GdlRule {
 public:
  struct Scope {
    GdlKind kind = GdlKind::state;
    std::size_t rank =
        1000;  // derived relations with a smaller one may be read, those with the same one unless negated
  };

  GdlRule(Choices& choices, const GdlVocabulary& vocabulary, Scope scope)
      : c_(choices), v_(vocabulary), scope_(scope) {}

  // A term of a sort: a constant, a known variable, or a new one.
  std::string term(std::size_t sort);
  std::string constant(std::size_t sort);
  // A new variable that no literal binds yet.
  std::string variable(std::size_t sort);
  std::vector<std::string> terms(const GdlRelation& relation);
  // A new variable for each column; rarely a constant or a repeated variable.
  std::vector<std::string> head_terms(const GdlRelation& relation);

  // Adds the given literal. A positive one binds its variables.
  void add(const std::string& literal, bool binds = true);
  // Adds `count` random literals.
  void literals(int count);
  void literal();
  // Positive atoms.
  std::string fact();
  std::string does();
  // The rule, completed by literals for its unbound variables. Variables of the head named in `free` stay unbound.
  std::string finish(const std::string& head, const std::string& free = "");

 private:
  struct Variable {
    std::string name;
    std::size_t sort;
  };

  std::string atom();
  std::string disjunction();
  std::string distinct();
  std::string denied();
  const GdlRelation* readable();
  [[nodiscard]] std::size_t assignments() const;

  Choices& c_;
  const GdlVocabulary& v_;
  Scope scope_;
  std::vector<Variable> variables_;
  std::vector<std::string> body_, bound_;  // positive literals, repeated to bind variables
};

// The rules in infix notation.
std::string gdl_infix(const std::string& kif);

}  // namespace rgtrans::test
