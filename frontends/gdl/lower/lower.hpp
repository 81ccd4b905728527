// Lowers a ground program to RG.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

struct LowerOptions {
  bool keep_forced = false;                 // a role with a single move still decides
  bool groups = true;                       // mutually exclusive facts become one variable
  bool claims = false;                      // the game keeps the proved facts about groups
  DerivedLimits derived;                    // minimal sizes of derived relations that become variables
  std::uint64_t max_edges = limits::edges;  // larger games are an error
};

// The names of RG for the parts of the description; tests decode states and moves with them.
struct LoweredNames {
  std::vector<std::string> roles;  // per role; "random" for chance
  std::vector<std::string> moves;  // per move: its tag
  std::vector<FactGroup> groups;
  TurnStructure turns;
  std::size_t computed = 0;  // number of variables for derived atoms
};

ir::Game lower(const GroundProgram& program, const std::shared_ptr<Sources>& sources, const LowerOptions& options,
               Diagnostics& diagnostics, LoweredNames* names = nullptr);

}  // namespace rgtrans::gdl
