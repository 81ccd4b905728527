// The base of all other folders: source texts, diagnostics, interned names, distinct id types and file access. Nothing
// here depends on games.
#pragma once

#include "core/support/diagnostics.hpp"  // IWYU pragma: export
#include "core/support/files.hpp"        // IWYU pragma: export
#include "core/support/grouped.hpp"      // IWYU pragma: export
#include "core/support/ids.hpp"          // IWYU pragma: export
#include "core/support/intern.hpp"       // IWYU pragma: export
#include "core/support/score.hpp"        // IWYU pragma: export
#include "core/support/source.hpp"       // IWYU pragma: export
#include "core/support/truth.hpp"        // IWYU pragma: export
