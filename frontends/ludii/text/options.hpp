// Options of a game: the chosen item of every category is put in place of its references.
#pragma once

#include "frontends/ludii/text/text.hpp"

namespace rgtrans::ludii {

// Throws Refused.
void apply_options(SourceText& text);

}  // namespace rgtrans::ludii
