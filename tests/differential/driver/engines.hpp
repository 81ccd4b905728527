// The engines by name: what is made of a text, how far it is optimized, and what plays it.
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
  game,     // what the front end makes of any text
};
enum class Player : std::uint8_t { rules, interpreter, naive, cpp, tables, twin, env, page, claims };

struct EngineName {
  std::string name;
  Form form = Form::game;
  Player player = Player::interpreter;
  int level = 0;           // of optimization
  std::uint64_t each = 1;  // it plays one game of so many
};

// Of a list with commas: "FORM", "FORM-O2", "FORM-O2-PLAYER", each with "/N" for one game in N. Throws Error for what
// is no engine.
std::vector<EngineName> engines_named(const std::string& list);
// What may be in such a list.
std::string engine_help();
// What is compared where nothing else is said.
std::string standard_engines(bool description);

}  // namespace rgtrans::differential
