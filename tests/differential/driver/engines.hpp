// The engines by name, and one game in all of them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/lockstep/lockstep.hpp"
#include "tests/differential/driver/samples.hpp"

namespace rgtrans::differential {

// What is made of a text before something plays it.
enum class Form : std::uint8_t {
  rules,    // GDL as it stands
  network,  // its ground rules
  ground,   // GDL as RG, without variables
  lifted,   // GDL as RG, with variables
  game,     // what the front end makes of the text
};
enum class Player : std::uint8_t { evaluator, interpreter };

struct EngineName {
  std::string name;
  Form form = Form::game;
  Player player = Player::interpreter;
  int level = 0;           // of optimization
  std::uint64_t each = 1;  // it plays one game of so many
};

// Of a list with commas; a group stands for several. Throws Error for what is no engine.
std::vector<EngineName> engines_named(const std::string& list);
// What may be in such a list, a line each.
std::string engine_help();

// Counted over all games.
struct Tally {
  std::size_t games = 0, refused = 0, differences = 0;
  std::size_t states = 0, ends = 0, stuck = 0, complete = 0, improper = 0;
  std::uint64_t moves = 0;
  std::map<std::string, std::size_t> played;   // by engine
  std::map<std::string, std::size_t> missing;  // "engine: why it has no such game"
};

struct Bounds {
  std::size_t states = 60;
  std::uint64_t moves = 120;
  std::size_t depth = SIZE_MAX;
  double seconds = 5;  // of processor time
};

struct Outcome {
  bool refused = false;      // no game, or nothing to compare
  std::string difference;    // with the engine and the way to it; or ""
  std::string engine, kind;  // what differs, and in what
};

// The first engine that has the game is what the others are compared with.
Outcome compare(const Sample& sample, const std::vector<EngineName>& engines, const Bounds& bounds, Tally& tally);

}  // namespace rgtrans::differential
