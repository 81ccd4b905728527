// Support for editors: the symbols of a text and the words that fit at a place.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::ludax {

extern const Editing kEditing;

}  // namespace rgtrans::ludax
