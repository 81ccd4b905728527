// What is wrong, or probably not meant, in a description of good form.
#pragma once

#include "frontends/ludax/ast.hpp"
#include "frontends/ludax/plan.hpp"

namespace rgtrans::ludax {

// What can be told from the text and the board.
void check(const ast::Description& description, Diagnostics& diagnostics);
// What the plan shows about the play. `limited`: no play is longer than an option says.
void check(const ast::Description& description, const Plan& plan, bool limited, Diagnostics& diagnostics);

}  // namespace rgtrans::ludax
