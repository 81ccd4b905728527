// The comparison of games by what they say.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::test {

// Whether two games say the same: lists in the same order, everything compared by name. The first difference is
// described in `difference` when that is given.
bool equal(const ir::Game& a, const ir::Game& b, std::string* difference = nullptr);

}  // namespace rgtrans::test
