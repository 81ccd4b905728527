// Static analyses of a game: liveness, value versions, value sets, known conditions, tag counts, exclusive conditions
// and others. They work on the flow graph (flow.hpp); most of them use the two solvers in dataflow.hpp.
#pragma once

#include "core/analysis/action_space.hpp"             // IWYU pragma: export
#include "core/analysis/cache.hpp"                    // IWYU pragma: export
#include "core/analysis/dataflow.hpp"                 // IWYU pragma: export
#include "core/analysis/dominators.hpp"               // IWYU pragma: export
#include "core/analysis/exclusive.hpp"                // IWYU pragma: export
#include "core/analysis/exploration/exploration.hpp"  // IWYU pragma: export
#include "core/analysis/exploration/promises.hpp"     // IWYU pragma: export
#include "core/analysis/exploration/rounds.hpp"       // IWYU pragma: export
#include "core/analysis/exploration/visits.hpp"       // IWYU pragma: export
#include "core/analysis/flow.hpp"                     // IWYU pragma: export
#include "core/analysis/held_values.hpp"              // IWYU pragma: export
#include "core/analysis/known_conditions.hpp"         // IWYU pragma: export
#include "core/analysis/liveness.hpp"                 // IWYU pragma: export
#include "core/analysis/nesting.hpp"                  // IWYU pragma: export
#include "core/analysis/possible.hpp"                 // IWYU pragma: export
#include "core/analysis/random_moves.hpp"             // IWYU pragma: export
#include "core/analysis/second_visits.hpp"            // IWYU pragma: export
#include "core/analysis/tag_counts.hpp"               // IWYU pragma: export
#include "core/analysis/value_sets.hpp"               // IWYU pragma: export
#include "core/analysis/versions.hpp"                 // IWYU pragma: export
#include "core/analysis/worklist.hpp"                 // IWYU pragma: export
#include "core/support/components.hpp"                // IWYU pragma: export
