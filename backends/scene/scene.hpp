// What people see of a play.
#pragma once

#include "backends/scene/witness.hpp"  // IWYU pragma: export
