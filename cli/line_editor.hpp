// Lines typed at a terminal, with editing, the lines before, and completion.
#pragma once

#include <memory>

#include "backends/terminal/terminal.hpp"

namespace rgtrans::cli {

// Null if nobody sits at a terminal, the terminal cannot move its cursor, or libedit is missing here or was missing
// when the program was built.
std::unique_ptr<terminal::TypedLines> line_editor();

}  // namespace rgtrans::cli
