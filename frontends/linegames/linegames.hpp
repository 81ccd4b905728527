// Line games: the family of Alquerque, played on points joined by lines. A builder (Board, Setup, Rules) and a JSON
// definition make a LineGame, and a LineGame writes itself as an HRG program.
#pragma once

#include "frontends/frontend.hpp"
#include "frontends/linegames/board.hpp"       // IWYU pragma: export
#include "frontends/linegames/definition.hpp"  // IWYU pragma: export
#include "frontends/linegames/directions.hpp"  // IWYU pragma: export
#include "frontends/linegames/line_game.hpp"   // IWYU pragma: export
#include "frontends/linegames/rules.hpp"       // IWYU pragma: export
#include "frontends/linegames/setup.hpp"       // IWYU pragma: export

namespace rgtrans::linegames {

// The row for the table of front ends. Option "published": labels and stepwise captures of the published games.
const Frontend& frontend();

}  // namespace rgtrans::linegames
