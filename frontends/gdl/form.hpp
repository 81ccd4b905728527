// From the rules to the game, in the form that suits the description: from ground rules (lower), or from rules with
// variables (lifted).
#pragma once

#include <optional>

#include "core/ir/ir.hpp"
#include "frontends/frontend.hpp"
#include "frontends/gdl/ground/ground_program.hpp"
#include "frontends/gdl/syntax/rewrites.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

enum class ChosenForm : std::uint8_t { best, ground, lifted };

struct FormOptions {
  ChosenForm form = ChosenForm::best;
  bool keep_forced = false;      // a role with a single move still decides
  bool groups = true;            // mutually exclusive facts become one variable, in the ground form
  bool claims = false;           // the game keeps the proved claims (core/ir/claims.hpp)
  RewriteWatch watch = {};       // of the rewrites for the lifted form
  std::string* plans = nullptr;  // receives the plans of its rules
};

ir::Game make_game(const Program& rules, const GroundOptions& ground, const FormOptions& options,
                   Diagnostics& diagnostics);

// For counting joint moves: the ground program, whose network is the fastest engine, if choosing a form grounds the
// rules anyway; else the lifted game. Empty after an error.
struct JointForm {
  std::optional<GroundProgram> ground;
  std::optional<JointGame> lifted;
};
JointForm make_joint(const Program& rules, const GroundOptions& ground, const FormOptions& options,
                     Diagnostics& diagnostics);

}  // namespace rgtrans::gdl
