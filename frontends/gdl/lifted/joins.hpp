// Static literals about the coordinates of cells become static relations of the cells: `at(C, X, Y), at(D, U, Y),
// succ(X, U)` says that D is one step from C. A coordinate that nothing but static literals mentions is told by its
// cell, so each literal is about the cells of its coordinates, and all that is said of the same cells is one relation.
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
  // What literals that are not static give the variables of a rule; none where there are no such literals.
  using Values = std::vector<std::optional<std::set<std::uint32_t>>>;
  StaticJoins(Program& program, Unground& unground) : program_(program), u_(unground) {}

  // `at` is the relation of cells with their coordinates. False when the rule never holds.
  bool join(EngineRule& rule, RelId at, const Values& values);
  // One rule for two that differ in a relation that was made here, where it is simpler than either: two arguments
  // differ.
  [[nodiscard]] std::optional<EngineRule> unite(const EngineRule& a, const EngineRule& b, const Values& values) const;

  [[nodiscard]] bool fixed(const EngineLiteral& literal) const;
  [[nodiscard]] Values given(const EngineRule& rule);
  // What a column of a relation that depends on the state can hold, whoever asks for it; null where that is not known.
  // What its users ask for is no bound: a condition that narrows what is asked for would seem to be implied by it.
  [[nodiscard]] const Domain* possible(RelId relation, std::uint32_t column);
  // It holds for all values that the variables are given.
  [[nodiscard]] static bool trivial(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values);
  // What literals of a body, all static, say of some variables; none where that is too much work.
  std::optional<std::set<Tuple>> project(const EngineRule& rule, const std::set<std::uint32_t>& literals,
                                         const Tuple& variables);
  // A literal that says the same; none where all that the variables are given is allowed.
  std::optional<EngineLiteral> about(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values,
                                     const std::string& name);
  EngineLiteral literal_of(const Tuple& variables, const std::set<Tuple>& tuples, const std::string& name);
  // Whether it does for a value of each variable of its rule.
  [[nodiscard]] bool holds(const EngineLiteral& literal, std::span<const std::uint32_t> row) const;

 private:
  class Body;
  // A value for each variable of the rule, one row behind the other.
  struct Rows {
    std::size_t width = 0;
    std::vector<std::uint32_t> values;

    [[nodiscard]] std::size_t size() const { return values.size() / width; }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
      return {values.data() + row * width, width};
    }
  };

  [[nodiscard]] static std::optional<std::set<Tuple>> given(const Tuple& variables, const std::set<Tuple>& tuples,
                                                            const Values& values);
  [[nodiscard]] static bool unequal(const Tuple& variables, const std::set<Tuple>& tuples, const Values& values);
  std::optional<Rows> solve(const EngineRule& rule, const std::set<std::uint32_t>& all);
  std::optional<Rows> extended(const Rows& rows, const EngineLiteral& literal);

  Program& program_;
  Unground& u_;
  std::unique_ptr<Domains> all_;    // were everything wanted of all relations
  std::uint32_t first_of_all_ = 0;  // the first of the rules that these are of
  std::map<std::set<Tuple>, RelId> relations_;
  std::map<RelId, const std::set<Tuple>*> tuples_;
};

}  // namespace rgtrans::gdl::lifted
