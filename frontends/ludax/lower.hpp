// Lowers a plan to a game: each turn gets one copy of choice, move, effects and end rules.
#pragma once

#include "core/ir/ir.hpp"
#include "frontends/ludax/plan.hpp"

namespace rgtrans::ludax {

struct LowerOptions {
  std::optional<std::int64_t> max_plies;  // a play of this length is a draw
};

// Throws TableTooLarge.
void lower(const Plan& plan, const LowerOptions& options, ir::Game& game);

}  // namespace rgtrans::ludax
