// Equivalent forms of a program, for an analysis that removes lists and recognises one form only.
#pragma once

#include <optional>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// All forms that one rewriting step derives for recursive relations over growing terms.
std::vector<Program> other_forms(const Program& program);

}  // namespace rgtrans::gdl
