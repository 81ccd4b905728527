// The forms a translated game can be written in (cli/parts.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/parts.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::cli {

// Null when there is none of that name.
const OutputForm* find_output(std::string_view name);
// Of the forms that are one text.
std::vector<std::string> emitter_names();
std::string emit(const ir::Game& game, std::string_view form);

}  // namespace rgtrans::cli
