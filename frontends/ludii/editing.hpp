// The interface for editors.
#pragma once

#include "frontends/editing.hpp"

namespace rgtrans::ludii {

const Editing& editing();

}  // namespace rgtrans::ludii
