// What every other folder stands on: source texts and diagnostics, interned names, distinct id types,
// file access. Nothing here knows about games.
#pragma once

#include "core/support/diagnostics.hpp"  // IWYU pragma: export
#include "core/support/files.hpp"        // IWYU pragma: export
#include "core/support/grouped.hpp"      // IWYU pragma: export
#include "core/support/ids.hpp"          // IWYU pragma: export
#include "core/support/intern.hpp"       // IWYU pragma: export
#include "core/support/score.hpp"        // IWYU pragma: export
#include "core/support/source.hpp"       // IWYU pragma: export
#include "core/support/truth.hpp"        // IWYU pragma: export
