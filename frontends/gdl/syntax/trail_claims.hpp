// What was concluded about lists of visited places, as rules in the words of the description: whoever asked for a walk
// with its lists and found an answer finds the same one without lists.
//
//   (<= (walk-1 ?v0) (first ?v0))
//   (<= (walk-1 ?v1) (walk-1 ?v0) (adjacent ?v0 ?v1))
//   (<= (without-lists-2) (walk-1 ?v0) (last ?v0))
//   (<= violated wins (not without-lists-2))
//   (<= violated without-lists-2 (not wins))
//
// The evaluator of the rules derives both, and shares nothing with the proof.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// `after` is `before` without some lists, with relations that `before` does not have.
std::vector<ir::RuleClaim> claims_about_lists(const Program& before, const Program& after);

}  // namespace rgtrans::gdl
