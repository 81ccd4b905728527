// Support for editors: the declared names of a definition.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::linegames {

extern const Editing kEditing;

}  // namespace rgtrans::linegames
