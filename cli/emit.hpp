// The forms a translated game can be written in: one table row each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::cli {

std::vector<std::string> emitter_names();
std::string emit(const ir::Game& game, std::string_view form);

}  // namespace rgtrans::cli
