// Merges similar rules. Two rules that differ in static literals only become one with the union of their conditions:
// `(or (distinct ?p pawn) (distinct ?y 8))` becomes a table of pieces and rows. Rules that are equal up to the
// constants of each role become one with a variable for the role and a table of the constants. Before that, static
// literals are simplified: independent columns are projected out, and literals that determine a variable only jointly,
// such as the cell between two others, become one table.
#pragma once

#include <functional>
#include <vector>

#include "frontends/gdl/lifted/joins.hpp"

namespace rgtrans::gdl::lifted {

// State-dependent rules that several rewrites change, before they replace those of the description.
struct OpenRules {
  OpenRules(Program& program, Unground& unground) : joins(program, unground) {}

  std::vector<EngineRule> rules;
  StaticJoins joins;
  bool changed = false;
};

void simplify_tables(Program& program, Unground& unground, OpenRules& open);
// Afterwards, each rule has its static literals last.
void merge_rules(Program& program, Unground& unground, OpenRules& open);
// Merges the rules of the roles only if `one_moves` returns true: in every state, the rules determine the role that
// moves. Must follow merge_rules().
void merge_roles(Program& program, Unground& unground, OpenRules& open, const std::function<bool()>& one_moves);

}  // namespace rgtrans::gdl::lifted
