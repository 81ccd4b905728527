// HRG, the structured game language with domains, functions, variables and graphs. A text is parsed and checked, its
// functions are evaluated, and its graphs are copied into one automaton.
#pragma once

#include <string>

#include "frontends/frontend.hpp"

namespace rgtrans::hrg {

// The entry in the table of front ends.
const Frontend& frontend();

// The game of a generated text. Reports mistakes to `diagnostics` under `name`.
ir::Game load(std::string name, std::string text, Diagnostics& diagnostics);

}  // namespace rgtrans::hrg
