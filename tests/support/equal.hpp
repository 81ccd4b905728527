// Compares games by their content.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::test {

// Whether two games have the same content: equal lists in the same order, compared by name. If `difference` is given,
// it receives a description of the first difference.
bool equal(const ir::Game& a, const ir::Game& b, std::string* difference = nullptr);

// The first difference between a game and what its text in RG means, or "".
std::string lost_in_text(const ir::Game& game);

}  // namespace rgtrans::test
