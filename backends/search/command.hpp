// A player that is another program.
#pragma once

#include <memory>
#include <string>

#include "backends/search/search.hpp"

namespace rgtrans::search {

std::unique_ptr<SeatPlayer> make_command_player(const std::string& command);

}  // namespace rgtrans::search
