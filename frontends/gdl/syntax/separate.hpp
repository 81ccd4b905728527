// Specialises a relation whose recursive calls use other constants:
//
//   (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))      goal 0 depends on goal 100, and neither on itself
//
// The specialised relations are recursive only if a derivation can really repeat.
#pragma once

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

void separate(Program& program);

}  // namespace rgtrans::gdl
