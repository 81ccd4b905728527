// Checks of a section's brackets before the grammar runs.
#pragma once

#include <span>

#include "frontends/rbg/text/macros.hpp"

namespace rgtrans::rbg {

// The first opening token that exceeds the limit on nesting, or null. The grammar and later recursions rely on the
// limit.
const Token* too_deep(std::span<const Token> tokens);

// Reports switches inside patterns; the grammar accepts them.
void check_patterns(std::span<const Token> tokens, const Macros& macros);

}  // namespace rgtrans::rbg
