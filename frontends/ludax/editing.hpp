// The language for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::ludax {

extern const Editing kEditing;

}  // namespace rgtrans::ludax
