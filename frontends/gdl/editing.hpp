// GDL for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::gdl {

extern const Editing kEditing;

}  // namespace rgtrans::gdl
