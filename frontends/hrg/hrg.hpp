// HRG, the structured game language: domains, functions, variables and graphs. A text is parsed, checked in its
// own terms, its functions are evaluated, and its graphs are copied into one automaton.
#pragma once

#include <string>

#include "frontends/frontend.hpp"

namespace rgtrans::hrg {

// The row for the table of front ends.
const Frontend& frontend();

// The game of a text that a program wrote. Mistakes go to `diagnostics`, under `name`.
ir::Game load(std::string name, std::string text, Diagnostics& diagnostics);

}  // namespace rgtrans::hrg
