// Writes a game as a single HTML file that any browser plays without a network. It contains the game in JSON form and
// the data to draw its boards. `page` supplies a reasoner and a tree search in JavaScript.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/ir.hpp"

namespace rgtrans::page {

// `page` contains the placeholders @TITLE@ and @DATA@. The game is as its author wrote it.
std::string write(const ir::Game& game, std::string_view title, std::string_view page);

// The game's name from the comment at the head of the description, or else from its file.
std::string title_of(const ir::Game& game, std::string_view file);

// The JSON text for @DATA@ before compression.
std::string data(const ir::Game& game, std::string_view title);

}  // namespace rgtrans::page
