// Decides for each condition of a proper description whether the game meets it. A condition is proved for all plays,
// refuted by a play that anybody can follow, or left open.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/ir.hpp"
#include "core/support/following.hpp"

namespace rgtrans::proper {

enum class Duty : std::uint8_t {
  moves,    // every state before the end has a legal move
  keeper,   // keeper has exactly one legal move
  ends,     // every play ends
  results,  // a move leads to one state
  actions,  // actions are valid
  hidden,   // hidden moves are indistinguishable
};
inline constexpr std::size_t kDuties = 6;

enum class DutyStanding : std::uint8_t { proved, refuted, open };

struct DutyAnswer {
  Duty duty = Duty::moves;
  DutyStanding standing = DutyStanding::open;
  std::string reason;               // why it is proved or refuted, or what is missing for a proof
  Range where;                      // a place in the author's text, if one is known
  std::optional<std::string> play;  // refuted: the path of the state, as in `rgtrans moves --path`
};

// Bounds for all plays. A missing one is not known.
struct PlayBounds {
  std::optional<double> moves;   // legal moves of a player in one state
  std::optional<double> length;  // moves of players and random in one play
  std::optional<double> states;
  bool exact = false;  // all states were visited: these are the largest numbers that occur
};

struct ProperOptions {
  std::uint64_t states = 50'000;  // visited in search of all states
  double seconds = 5;             // for that search, and as long again for each way of proving
  std::uint64_t plays = 10;       // at random, in search of violations
  std::uint64_t seed = 1;
  bool prove = true;   // by analysis
  bool search = true;  // by visiting states and playing
  Following following{};
};

struct ProperReport {
  std::vector<DutyAnswer> answers;  // one for each duty, in its order
  PlayBounds bounds;
  std::uint64_t states = 0;  // visited
};

[[nodiscard]] ProperReport examine(const ir::Game& game, const ProperOptions& options = {});

// "every play ends"
[[nodiscard]] std::string_view describe(Duty duty);
// "proved", "refuted" or "not decided"
[[nodiscard]] std::string_view describe(DutyStanding standing);
// A name for programs: "ends"
[[nodiscard]] std::string_view name(Duty duty);

// The answers and bounds for people, one line each, and as a JSON object. Both give places of the author's text.
[[nodiscard]] std::string text(const ProperReport& report, const Sources& sources);
[[nodiscard]] nlohmann::ordered_json json(const ProperReport& report, const Sources& sources);

}  // namespace rgtrans::proper
