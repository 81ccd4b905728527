// Reads the definition of a line game from JSON. docs/python.md describes the format.
#pragma once

#include <optional>

#include "frontends/linegames/line_game.hpp"

namespace rgtrans::linegames {

// Reports mistakes at the value that contains them. Returns none if there is an error.
std::optional<LineGame> read_definition(const Sources::File& file, Diagnostics& diagnostics);

}  // namespace rgtrans::linegames
