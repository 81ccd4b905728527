// A relation may be derived from two tuples of its own, as in (path ?x ?z) <= (path ?x ?y) (path ?y ?z). Then it is
// what the steps of its other rules lead to, one after the other, and every way to put them together in pairs is one
// join more for nothing. So the first of the two becomes a single step. Where (path ?x ?y) <= (path ?y ?x), too, a step
// may be made in both directions.
#pragma once

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

void follow_steps(Program& program);

}  // namespace rgtrans::gdl
