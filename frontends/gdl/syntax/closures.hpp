// Makes non-linear recursion linear. The rule (path ?x ?z) <= (path ?x ?y) (path ?y ?z) joins the relation with itself,
// although (path …) is the transitive closure of its other rules. So the first literal is replaced by a relation of
// single steps. If (path ?x ?y) <= (path ?y ?x) is a rule as well, the steps are made symmetric.
#pragma once

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

void follow_steps(Program& program);

}  // namespace rgtrans::gdl
