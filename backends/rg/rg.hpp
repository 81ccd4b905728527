// The printer of canonical RG text, for whole games and for parts of them. Reading the printed text gives an equal
// game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::rg {

// Types, constants, variables and edges in this order, pragmas last: a reader meets the rules first.
// Throws Error if the values would have more than kMaxSymbols symbols when written in full; nested constants can make a
// short game arbitrarily long.
std::string print(const ir::Game& game);
inline const Limit& kMaxSymbols = rgtrans::limits::rg_text_symbols;

std::string print_type(const ir::Game& game, ir::TypeId type);
// If the type of the value's place is given, entries are in the order of the source type's members.
std::string print_value(const ir::Game& game, ir::ValueId value, ir::TypeId type = {});
// The total number of symbols in the values of all definitions, saturated.
std::uint64_t written_symbols(const ir::Game& game);
// The explicit entries of a map in that order. Keys outside the source type come last.
std::vector<ir::Values::Entry> ordered_entries(const ir::Game& game, ir::ValueId map, ir::TypeId type);
// Node names are as in Game::node_names(). The second form avoids computing them for each call.
std::string print_label(const ir::Game& game, const ir::Label& label);
std::string print_label(const ir::Game& game, const ir::Label& label, const std::vector<std::string>& node_names);
// The text of an edge: "a, b: x = y;"
std::string print_edge(const ir::Game& game, ir::EdgeId edge, const std::vector<std::string>& node_names);
// The text of a pragma, including the @ and the semicolon.
std::string print_pragma(const ir::Game& game, const ir::Pragma& pragma, const std::vector<std::string>& node_names);

}  // namespace rgtrans::rg
