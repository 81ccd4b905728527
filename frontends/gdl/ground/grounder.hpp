// From rules to the engine: static relations are evaluated stratum by stratum, then everything else in one fixpoint
// that ignores negation between dynamic atoms.
#pragma once

#include "frontends/gdl/datalog/engine.hpp"
#include "frontends/gdl/ground/domains.hpp"
#include "frontends/gdl/ground/ground_program.hpp"

namespace rgtrans::gdl {

struct RawGround {
  std::unique_ptr<Engine> engine;
  std::vector<std::uint32_t> initial;  // atoms of the facts that hold at first
  bool legal_cyclic = false;           // `legal` depends on itself
  std::deque<Rule> variants;           // storage of the engine's rules
};

RawGround instantiate(Program& program, const GroundOptions& options, Diagnostics& diagnostics);

// The rules before anything that depends on the state is instantiated: static relations are complete, facts hold the
// initial state, `domains` tells what the columns of the others can ever hold.
struct Unground {
  RawGround raw;
  std::uint32_t first = 0;  // the engine's rules from here on depend on the state
  std::unique_ptr<Domains> domains;
  std::vector<std::uint32_t> component;  // per predicate: those that depend on each other

  [[nodiscard]] Engine& engine() const { return *raw.engine; }
  [[nodiscard]] RelationInfo& info(RelId relation) const { return raw.engine->relations[relation.value]; }
  // The rules that depend on the state.
  [[nodiscard]] std::span<const EngineRule> rules() const { return engine().rules().subspan(first); }
  // A copy of what a rule was made of, for one that is made of it, with so many variables.
  Rule& source_like(const Rule& source, std::uint32_t variables);

  struct Before {
    std::uint32_t first;
    std::unique_ptr<Domains> domains;
  };
  // These rules take the place of those that depend on the state; what there was before is returned, for take_back().
  Before replace_rules(std::vector<EngineRule> rules);
  void take_back(Before before);
};
Unground prepare(Program& program, const GroundOptions& options, Diagnostics& diagnostics);

// Folds constants, removes what can never hold or fire, and numbers the rest densely. Empties `raw`.
GroundProgram simplify(Program& program, RawGround& raw, const GroundOptions& options, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
