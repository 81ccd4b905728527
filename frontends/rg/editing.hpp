// The language for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::rg {

extern const Editing kEditing;

}  // namespace rgtrans::rg
