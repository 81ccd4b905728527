// From rules to the engine. Static relations are evaluated stratum by stratum, then all others in one fixpoint that
// ignores negation between dynamic atoms.
#pragma once

#include "frontends/gdl/datalog/engine.hpp"
#include "frontends/gdl/ground/domains.hpp"
#include "frontends/gdl/ground/ground_program.hpp"

namespace rgtrans::gdl {

struct RawGround {
  std::unique_ptr<Engine> engine;
  std::vector<std::uint32_t> initial;  // atoms of the facts in the initial state
  bool legal_cyclic = false;           // `legal` is recursive
  std::deque<Rule> variants;           // storage of the engine's rules
};

RawGround instantiate(Program& program, const GroundOptions& options, Diagnostics& diagnostics);

// The rules before any state-dependent rule is instantiated. Static relations are complete, facts hold the initial
// state, and `domains` bounds the columns of all other relations.
struct Unground {
  RawGround raw;
  std::uint32_t first = 0;  // the engine's rules from here on depend on the state
  std::unique_ptr<Domains> domains;
  std::vector<std::uint32_t> component;  // per predicate: its strong component in the dependency graph

  [[nodiscard]] Engine& engine() const { return *raw.engine; }
  [[nodiscard]] RelationInfo& info(RelId relation) const { return raw.engine->relations[relation.value]; }
  // The rules that depend on the state.
  [[nodiscard]] std::span<const EngineRule> rules() const { return engine().rules().subspan(first); }
  // A copy of a source rule, with this number of variables, for a rule that is derived from it.
  Rule& source_like(const Rule& source, std::uint32_t variables);

  struct Before {
    std::uint32_t first;
    std::unique_ptr<Domains> domains;
  };
  // Replaces the state-dependent rules. Returns the previous ones for take_back().
  Before replace_rules(std::vector<EngineRule> rules);
  void take_back(Before before);
};
Unground prepare(Program& program, const GroundOptions& options, Diagnostics& diagnostics);

// Folds constants, removes atoms that never hold and rules that never fire, and numbers the rest densely. Empties
// `raw`.
GroundProgram simplify(Program& program, RawGround& raw, const GroundOptions& options, Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
