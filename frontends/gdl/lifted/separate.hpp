// A relation that asks itself for other constants is a relation for each of them:
//
//   (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))      goal 0 asks goal 100, and nothing asks itself
//
// There is no recursion by its name alone then; what is left recurses in truth.
#pragma once

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl::lifted {

void separate(Program& program);

}  // namespace rgtrans::gdl::lifted
