// The printer of RG text in its canonical form, whole games and parts of them. Reading printed text gives an equal
// game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/limits.hpp"

namespace rgtrans::rg {

// Throws Error when its values, written out, would have more than kMaxSymbols symbols (constants nested in constants
// can make a short game arbitrarily long).
std::string print(const ir::Game& game);
inline const Limit& kMaxSymbols = rgtrans::limits::rg_text_symbols;

std::string print_type(const ir::Game& game, ir::TypeId type);
// With the type of the place the value is for, entries come in the order of the members of its source type.
std::string print_value(const ir::Game& game, ir::ValueId value, ir::TypeId type = {});
// How many symbols the values of all definitions show together; saturated.
std::uint64_t written_symbols(const ir::Game& game);
// The explicit entries of a map in that order; keys outside the source type come last.
std::vector<ir::Values::Entry> ordered_entries(const ir::Game& game, ir::ValueId map, ir::TypeId type);
// Names of nodes as in Game::node_names(); the second form saves computing them for each call.
std::string print_label(const ir::Game& game, const ir::Label& label);
std::string print_label(const ir::Game& game, const ir::Label& label, const std::vector<std::string>& node_names);
// "a, b: x = y;"
std::string print_edge(const ir::Game& game, ir::EdgeId edge, const std::vector<std::string>& node_names);
// With the @ and the semicolon.
std::string print_pragma(const ir::Game& game, const ir::Pragma& pragma, const std::vector<std::string>& node_names);

}  // namespace rgtrans::rg
