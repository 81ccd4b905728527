// The language for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::rbg {

extern const Editing kEditing;

}  // namespace rgtrans::rbg
