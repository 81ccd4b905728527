// Lowering of a ground program to RG.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/network/groups.hpp"

namespace rgtrans::gdl {

struct LowerOptions {
  bool keep_forced = false;                 // a role with a single move decides all the same
  bool groups = true;                       // facts that exclude each other become one variable
  bool claims = false;                      // the game keeps what was proved of groups
  DerivedLimits derived;                    // and so do derived atoms, from here on
  std::uint64_t max_edges = limits::edges;  // more are a mistake
};

// What RG calls the things of the description; tests decode states and moves with it.
struct LoweredNames {
  std::vector<std::string> roles;  // per role; "random" for nature
  std::vector<std::string> moves;  // per move: its tag
  std::vector<FactGroup> groups;
  TurnStructure turns;
  std::size_t computed = 0;  // variables for derived atoms
};

ir::Game lower(const GroundProgram& program, const std::shared_ptr<Sources>& sources, const LowerOptions& options,
               Diagnostics& diagnostics, LoweredNames* names = nullptr);

}  // namespace rgtrans::gdl
