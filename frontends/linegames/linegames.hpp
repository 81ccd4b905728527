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
