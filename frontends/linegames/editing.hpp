// The language for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::linegames {

extern const Editing kEditing;

}  // namespace rgtrans::linegames
