// Checks that several explorations have a copy of each become one function.
#pragma once

#include "backends/cpp/functions.hpp"

namespace rgtrans::cpp {

// Functions are equal when their code is, but for calls of themselves and for the arrays in which they mark what they
// have visited. One array serves two explorations, as each has an epoch of its own; but one of them must not continue
// where the other one has marked anew, so copies stay when an exploration could ask for the other within its own
// search. Drops the arrays that nobody needs then. Returns whether there were equal ones: then functions that call
// them may have become equal.
bool join_equal_checks(FunctionTable& table);

}  // namespace rgtrans::cpp
