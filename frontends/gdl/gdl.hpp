// The front end for the Game Description Language (prefix KIF and infix, GDL-I and GDL-II): reading, checking,
// grounding, the propositional network, and lowering to one RG game.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/support/support.hpp"
#include "frontends/frontend.hpp"
#include "frontends/gdl/ground_program.hpp"  // IWYU pragma: export
#include "frontends/gdl/machine.hpp"         // IWYU pragma: export

namespace rgtrans::gdl {

const Frontend& frontend();

// The options of grounding among those of the command line: "max-rules", "max-memory" (MiB), "fold-case".
GroundOptions ground_options(const FrontendOptions& options, Diagnostics& diagnostics);

// Reads, checks and grounds. When there is an error in `diagnostics` the result is not to be used.
GroundProgram ground(const Sources::File& file, Diagnostics& diagnostics, const GroundOptions& options = {});

// The ground description as KIF; pieces of the text go to `write` in order.
void print_ground(const GroundProgram& program, const std::function<void(std::string_view)>& write);

}  // namespace rgtrans::gdl
