// Support for editors: the declared names of a text.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::rg {

extern const Editing kEditing;

}  // namespace rgtrans::rg
