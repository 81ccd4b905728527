// Reports errors and suspicious parts in a well-formed description.
#pragma once

#include "frontends/ludax/ast.hpp"
#include "frontends/ludax/plan.hpp"

namespace rgtrans::ludax {

// Checks that need only the text and the board.
void check(const ast::Description& description, Diagnostics& diagnostics);
// Checks that need the plan. `limited`: an option bounds the length of a play.
void check(const ast::Description& description, const Plan& plan, bool limited, Diagnostics& diagnostics);

}  // namespace rgtrans::ludax
