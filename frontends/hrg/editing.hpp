// HRG for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::hrg {

extern const Editing kEditing;

}  // namespace rgtrans::hrg
