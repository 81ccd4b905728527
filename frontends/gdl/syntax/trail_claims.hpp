// Claims that removing lists changes no answer, as rules in the vocabulary of the description. A query of a walk with
// its lists succeeds exactly if the query without lists does. The walk without lists, and a relation that uses it:
//
//   (<= (walk-1 ?v0) (first ?v0))
//   (<= (walk-1 ?v1) (walk-1 ?v0) (adjacent ?v0 ?v1))
//   (<= (without-lists-2) (walk-1 ?v0) (last ?v0))
//
// It must be equivalent to the original relation:
//
//   (<= violated wins (not without-lists-2))
//   (<= violated without-lists-2 (not wins))
//
// The evaluator of rules derives both relations and shares no code with the proof.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// `after` is `before` without some list columns; its new relations are those that `before` lacks.
std::vector<ir::RuleClaim> claims_about_lists(const Program& before, const Program& after);

}  // namespace rgtrans::gdl
