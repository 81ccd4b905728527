// Other ways to write the same rules, for those who look for one in which lists can go.
#pragma once

#include <optional>
#include <vector>

#include "frontends/gdl/syntax/rules.hpp"

namespace rgtrans::gdl {

// All rewritings of one kind or another that there are for relations on terms that grow.
std::vector<Program> other_forms(const Program& program);

}  // namespace rgtrans::gdl
