// Line games: the Alquerque family, played on points joined by lines. A LineGame comes from a builder (Board, Setup,
// Rules) or from a JSON definition, and is translated to an HRG program.
#pragma once

#include "frontends/frontend.hpp"
#include "frontends/linegames/board.hpp"       // IWYU pragma: export
#include "frontends/linegames/definition.hpp"  // IWYU pragma: export
#include "frontends/linegames/directions.hpp"  // IWYU pragma: export
#include "frontends/linegames/line_game.hpp"   // IWYU pragma: export
#include "frontends/linegames/rules.hpp"       // IWYU pragma: export
#include "frontends/linegames/setup.hpp"       // IWYU pragma: export

namespace rgtrans::linegames {

// The entry in the table of front ends. Option "published": labels and stepwise captures as in the published games.
const Frontend& frontend();

}  // namespace rgtrans::linegames
