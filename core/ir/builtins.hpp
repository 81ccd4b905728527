// The types and variables of every game. A description defines Player and Score; the others are derived from them.
#pragma once

#include <array>
#include <string_view>

#include "core/ir/game.hpp"

namespace rgtrans::ir {

// The types derived from Player and Score, in the order in which missing ones are appended.
inline constexpr std::array<std::string_view, 2> kGivenTypes = {"Player", "Score"};
inline constexpr std::array<std::string_view, 4> kFollowingTypes = {"Bool", "Goals", "Visibility", "PlayerOrSystem"};
inline constexpr std::array<std::string_view, 6> kBuiltinTypes = {"Player", "Score",      "Bool",
                                                                  "Goals",  "Visibility", "PlayerOrSystem"};
inline constexpr std::array<std::string_view, 3> kBuiltinVariables = {"goals", "player", "visible"};
// Other words with a meaning in RG. Front ends do not use them as names of symbols, constants or variables.
inline constexpr std::array<std::string_view, 5> kReservedWords = {"keeper", "random", "const", "type", "var"};

// Whether every game has a type of this name.
[[nodiscard]] bool is_builtin_type(std::string_view name);
// The definition of a type of kFollowingTypes, once Player and Score are defined.
[[nodiscard]] TypeId builtin_type(Game& game, std::string_view name);

// Appends missing built-in types and variables and checks those that exist. Every front end calls it after all other
// declarations.
void add_builtins(Game& game, Diagnostics& diagnostics);

}  // namespace rgtrans::ir
