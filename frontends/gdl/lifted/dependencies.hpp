// Functional dependencies of facts: the initial state proposes them, and a joint induction over the steps proves them.
//
// Example: each rule of `next` for (cell ?x ?y ?piece) keeps or replaces the piece of a cell. So ?x and ?y determine
// ?piece, and the fact is stored as a map from coordinates to pieces.
#pragma once

#include <optional>

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

// The first provable candidate of each needed fact, if there is one. `most` limits the effort: visited literals and
// pairs of literals.
Dependencies find_dependencies(Model& model, Proofs& proofs, std::uint64_t most);

// The reason why the other columns do not determine the last one: the initial state has a counterexample (both null),
// or these two rules may derive one.
struct Undetermined {
  const LiftedRule* first = nullptr;
  const LiftedRule* second = nullptr;
  bool unfinished = false;  // the proof that they do not needs more effort
};
std::optional<Undetermined> why_undetermined(Model& model, const Dependencies& dependencies, RelId fact);

// Functional dependencies of derived relations in each reachable state.
class DerivedDependencies {
 public:
  DerivedDependencies(Model& model, const Dependencies& facts)
      : m_(model),
        refuter_(model, facts, "proofs of functional dependencies of derived relations", kLiftedEfforts.derived) {}

  [[nodiscard]] bool holds(RelKey relation, const std::vector<std::uint32_t>& key,
                           const std::vector<std::uint32_t>& values);

 private:
  Model& m_;
  Refuter refuter_;
  std::map<std::tuple<RelKey, std::vector<std::uint32_t>, std::vector<std::uint32_t>>, bool> known_;
};

}  // namespace rgtrans::gdl::lifted
