// Small mistakes that a pass could make.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "tests/support/choices.hpp"

namespace rgtrans::test {

// The edges of the game after that the pass made or changed.
std::vector<ir::EdgeId> changed_edges(const ir::Game& before, const ir::Game& after);

inline constexpr std::size_t kDamages = 13;
// Makes one mistake of a kind, at one of the edges. Returns its name, or "" if these edges have no place for it.
std::string damage(ir::Game& game, std::size_t kind, const std::vector<ir::EdgeId>& edges, Choices& choices);

}  // namespace rgtrans::test
