// The engines by name. A name gives the form of a game, the level of optimization, and the player.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rgtrans::differential {

enum class Form : std::uint8_t {
  rules,    // GDL as it stands
  network,  // its propositional network
  ground,   // GDL as RG, without variables
  lifted,   // GDL as RG, with variables
  game,     // the result of the front end for any text
};
enum class Player : std::uint8_t { rules, interpreter, naive, cpp, tables, twin, env, page, claims, text };

struct EngineName {
  std::string name;
  Form form = Form::game;
  Player player = Player::interpreter;
  int level = 0;           // of optimization
  std::uint64_t each = 1;  // it plays one game of so many
};

// Reads a list with commas: "FORM", "FORM-O2", "FORM-O2-PLAYER", each with "/N" for one game in N. Throws Error for a
// name that is no engine.
std::vector<EngineName> engines_named(const std::string& list);
// The names that such a list may contain.
std::string engine_help();
// The engines that are compared by default.
std::string standard_engines(bool description);

}  // namespace rgtrans::differential
