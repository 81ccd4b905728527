// A game as one file of HTML, which any browser plays without a network: the game in its JSON form, how its boards are
// drawn, and a reasoner and a tree search in JavaScript, which are in the text that is handed over.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/ir.hpp"

namespace rgtrans::page {

// `page` has the places @TITLE@ and @DATA@. The game is as its author wrote it.
std::string write(const ir::Game& game, std::string_view title, std::string_view page);

// The name that the comment at the head of the description gives the game; else that of its file.
std::string title_of(const ir::Game& game, std::string_view file);

// What @DATA@ becomes, before it is compressed: JSON.
std::string data(const ir::Game& game, std::string_view title);

}  // namespace rgtrans::page
