// Ludii: traditional and modern board games, written in ludemes.
//
// Stages: text -> text without options and defines -> tree (PEGTL) -> board (graph, relations, regions) -> equipment ->
// rules -> ir::Game. A construct is translated exactly or refused by its name.
#pragma once

#include "frontends/frontend.hpp"

namespace rgtrans::ludii {

// The entry in the table of front ends.
const Frontend& frontend();

}  // namespace rgtrans::ludii
