// Why a node has the pragmas that it has, or could not get them: one paragraph for each kind.
#pragma once

#include <string>

#include "core/ir/ir.hpp"

namespace rgtrans::cli {

[[nodiscard]] std::string explain_pragmas(ir::Game& game, ir::NodeId node);

}  // namespace rgtrans::cli
