// What is asked of the brackets of a section before the grammar runs.
#pragma once

#include <span>

#include "frontends/rbg/text/macros.hpp"

namespace rgtrans::rbg {

// The first opening token that is nested too deep, or null. The grammar and all later recursions rely on the limit.
const Token* too_deep(std::span<const Token> tokens);

// Reports switches inside patterns, which the grammar itself would accept.
void check_patterns(std::span<const Token> tokens, const Macros& macros);

}  // namespace rgtrans::rbg
