// The types and variables that every game has. Player and Score are given by the description, the others follow from
// them.
#pragma once

#include <array>
#include <string_view>

#include "core/ir/game.hpp"

namespace rgtrans::ir {

// Those that follow stand in the order in which they are defined where a description leaves them out.
inline constexpr std::array<std::string_view, 2> kGivenTypes = {"Player", "Score"};
inline constexpr std::array<std::string_view, 4> kFollowingTypes = {"Bool", "Goals", "Visibility", "PlayerOrSystem"};
inline constexpr std::array<std::string_view, 6> kBuiltinTypes = {"Player", "Score",      "Bool",
                                                                  "Goals",  "Visibility", "PlayerOrSystem"};
inline constexpr std::array<std::string_view, 3> kBuiltinVariables = {"goals", "player", "visible"};
// What else has a meaning of its own in RG: no symbol, constant or variable of a front end is called so.
inline constexpr std::array<std::string_view, 5> kReservedWords = {"keeper", "random", "const", "type", "var"};

// Whether every game has a type of this name.
[[nodiscard]] bool is_builtin_type(std::string_view name);
// What a type of kFollowingTypes is, once Player and Score are defined.
[[nodiscard]] TypeId builtin_type(Game& game, std::string_view name);

// Appends the built-in types and variables that are missing and checks those that are there. Every front end calls it
// last.
void add_builtins(Game& game, Diagnostics& diagnostics);

}  // namespace rgtrans::ir
