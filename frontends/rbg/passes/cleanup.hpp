// Making a flow graph smaller without looking at what its steps do to a game: dead parts, empty steps, equal parts.
#pragma once

#include "frontends/rbg/flow/flow.hpp"

namespace rgtrans::rbg {

// Removes what cannot be reached, what leads nowhere, and empty steps. Patterns that always or never hold are
// replaced by what they mean.
void clean_up(Flow& flow);

// Joins nodes with the same continuations, and the beginnings of alternatives that start with the same step.
void merge_equal(Flow& flow);

}  // namespace rgtrans::rbg
