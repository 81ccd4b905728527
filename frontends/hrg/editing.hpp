// Support for editors: the declared names of an HRG text.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::hrg {

extern const Editing kEditing;

}  // namespace rgtrans::hrg
