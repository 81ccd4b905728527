// Static relations as table constraints on the variables of a query: arc consistency of one literal, the consistency of
// two literals with common variables, equality patterns, and functional dependencies. Answers are cached by the sorts
// of the variables and the equalities between them.
#pragma once

#include <boost/functional/hash.hpp>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "frontends/gdl/lifted/model.hpp"
#include "frontends/gdl/lifted/union_find.hpp"

namespace rgtrans::gdl::lifted {

class TableConstraints {
 public:
  // `effort` counts the rows that are read, as literals.
  TableConstraints(Model& model, std::uint64_t& effort) : m_(model), effort_(effort) {}

  using Term = ProofUnionFind::Term;
  using Terms = ProofUnionFind::Terms;
  struct Literal {
    RelId relation;
    const Terms& arguments;
    bool negated = false;
  };
  // The values of each argument in the matching tuples (arc consistency). The arguments are resolved.
  const std::vector<SortId>& values(const ProofUnionFind& s, RelId relation, const Terms& arguments);
  // Some tuple has equal values wherever two numbers are equal.
  bool has_pattern(RelId relation, const Terms& numbers);
  // Two literals have a common solution for their shared variables. Two positive ones are joined on them. A negated
  // one, which comes second, is tested if it contains only these and constants.
  bool fit_together(const ProofUnionFind& s, const Literal& a, const Literal& b);
  // The columns of the mask determine another column.
  bool determines(RelId relation, std::uint64_t mask, std::size_t column);

 private:
  [[nodiscard]] const Relation& tuples(RelId relation) const { return *m_.info(relation).tuples; }

  Model& m_;
  std::uint64_t& effort_;
  using Question = std::vector<Term>;
  template <class Answer>
  using Asked = std::unordered_map<Question, Answer, boost::hash<Question>>;
  Asked<std::vector<SortId>> values_;
  Asked<bool> together_, patterns_;
  std::map<std::tuple<RelId, std::uint64_t, std::size_t>, bool> determined_;
};

}  // namespace rgtrans::gdl::lifted
