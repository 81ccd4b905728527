// Joins static literals about coordinates to static relations of cells: `at(C, X, Y), at(D, U, Y), succ(X, U)` means
// that D is one step from C. A coordinate that only static literals mention is a function of its cell. So each literal
// becomes a condition on the cells of its coordinates, and all conditions on the same cells become one relation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "frontends/gdl/ground/grounder.hpp"

namespace rgtrans::gdl::lifted {

class StaticJoins {
 public:
  using Tuple = std::vector<std::uint32_t>;
  // The values of a rule's variables in state-dependent literals; null if no such literal binds it.
  using Values = std::vector<std::optional<std::set<std::uint32_t>>>;
  StaticJoins(Program& program, Unground& unground) : program_(program), u_(unground) {}

  // `at` is the relation of cells and their coordinates. False if the rule never holds.
  bool join(EngineRule& rule, RelId at, const Values& values);
  // Merges two rules that differ in a relation created here, if the union is simpler than either: two arguments differ.
  [[nodiscard]] std::optional<EngineRule> unite(const EngineRule& a, const EngineRule& b, const Values& values) const;

  [[nodiscard]] bool fixed(const EngineLiteral& literal) const;
  [[nodiscard]] Values given(const EngineRule& rule);
  // The possible values of a column for any query; null if unknown. The demand of actual queries must not narrow them,
  // because a condition would then entail itself.
  [[nodiscard]] const Domain* possible(RelId relation, std::uint32_t column);
  // The tuples contain all combinations of the variables' values.
  [[nodiscard]] static bool trivial(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values);
  // Projects the join of static literals to some variables; null if that is too much work. A variable that no literal
  // binds is kNone. `given` is a further literal, with these tuples.
  std::optional<std::set<Tuple>> project(const EngineRule& rule, const std::set<std::uint32_t>& literals,
                                         const Tuple& variables);
  std::optional<std::set<Tuple>> project(const EngineRule& rule, const std::set<std::uint32_t>& literals,
                                         const std::vector<Pattern>& arguments, Effort& effort,
                                         const EngineLiteral* given = nullptr, const std::set<Tuple>& tuples = {});
  // A literal with these tuples; null if they allow all values of the variables.
  std::optional<EngineLiteral> about(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values,
                                     const std::string& name);
  EngineLiteral literal_of(const Tuple& variables, const std::set<Tuple>& tuples, const std::string& name);
  // The literal holds for these values of its rule's variables.
  [[nodiscard]] bool holds(const EngineLiteral& literal, std::span<const std::uint32_t> row) const;

 private:
  class Body;
  [[nodiscard]] static std::optional<std::set<Tuple>> given(const Tuple& variables, const std::set<Tuple>& tuples,
                                                            const Values& values);
  [[nodiscard]] static bool unequal(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values);

  Program& program_;
  Unground& u_;
  std::unique_ptr<Domains> all_;                                        // the domains with full demand
  std::uint32_t first_of_all_ = 0;                                      // index of the first rule that they cover
  std::map<std::pair<std::size_t, std::set<Tuple>>, RelId> relations_;  // by arity, because a relation may be empty
  std::map<RelId, const std::set<Tuple>*> tuples_;
  std::map<std::size_t, RelId> scratch_;  // by arity
};

}  // namespace rgtrans::gdl::lifted
