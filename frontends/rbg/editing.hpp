// Support for editors: the declared names of a text.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::rbg {

extern const Editing kEditing;

}  // namespace rgtrans::rbg
