// Functional dependencies of facts: proposed from the initial state, proved together by induction over the steps.
#pragma once

#include <optional>

#include "frontends/gdl/lifted/refuter.hpp"

namespace rgtrans::gdl::lifted {

// For each needed fact the first of its candidates that is proved, if there is one.
// Within what it may cost, in literals and pairs of them that are looked at.
Dependencies find_dependencies(Model& model, Proofs& proofs, std::uint64_t most);

// Why the last column of a fact is not told by the others: there are two at first, or these two rules may give two.
struct Untold {
  const LiftedRule* first = nullptr;
  const LiftedRule* second = nullptr;
};
std::optional<Untold> why_untold(Model& model, const Dependencies& dependencies, RelId fact);

// Columns of derived relations that others tell, in each reachable state.
class DerivedDependencies {
 public:
  DerivedDependencies(Model& model, const Dependencies& facts) : m_(model), refuter_(model, facts, kMost) {}

  [[nodiscard]] bool holds(RelKey relation, const std::vector<std::uint32_t>& key,
                           const std::vector<std::uint32_t>& values);

 private:
  static constexpr std::uint64_t kMost = 200'000;  // in all

  Model& m_;
  Refuter refuter_;
  std::map<std::tuple<RelKey, std::vector<std::uint32_t>, std::vector<std::uint32_t>>, bool> known_;
};

}  // namespace rgtrans::gdl::lifted
