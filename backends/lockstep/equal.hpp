// Decides whether two games are the same game. The pairs of states that equal moves reach are explored breadth-first,
// so that a difference has a shortest play. Pairs are identified by all bytes of both states: no hash collision turns a
// difference into equality.
//
// Two states are equal if the play is over in both with equal scores, or if the same player moves and the moves have
// equal names, after the renaming. Keeper's moves are no decisions; they are made at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/reasoner.hpp"
#include "core/support/following.hpp"

namespace rgtrans::lockstep {

// The names of the second game, by those of the first.
struct NameMap {
  static constexpr std::size_t kEveryMover = SIZE_MAX;
  using Move = std::pair<std::size_t, std::string>;  // mover and name in the first game

  std::vector<std::size_t> players;   // players of the second game; empty: equal names if they have them, else in order
  std::map<Move, std::string> moves;  // names in the second game
  bool complete = false;              // other moves have no name in the second game; else the same one

  [[nodiscard]] bool identical() const { return moves.empty() && !complete; }
};

struct EqualOptions {
  NameMap renaming;
  std::uint64_t states = 100'000'000;  // most pairs of states
  std::uint64_t memory = std::uint64_t{4} << 30U;
  double seconds = 0;  // elapsed time; 0: no bound
  unsigned threads = 1;
  bool skip_forced = false;  // a move without an alternative is no decision
  bool ways = false;         // also compares how many walks make each move
  std::uint64_t plays = 0;   // random plays if some states are left
  std::uint64_t seed = 1;
  // The name of a move of each game, made from its text; empty: the text.
  std::array<std::function<std::string(const std::string& text)>, 2> named;
  Following following;

  [[nodiscard]] std::string name(std::size_t game, const std::string& text) const {
    return named[game] ? named[game](text) : text;
  }
};

enum class Verdict { equal, different, open };

struct EqualResult {
  struct Step {
    std::string mover, first, second;  // the names of a move in both games
  };

  Verdict verdict = Verdict::open;
  std::uint64_t states = 0;  // pairs
  std::uint64_t moves = 0;   // made in both games
  std::size_t depth = 0;     // all pairs that are fewer decisions away were compared
  std::uint64_t plays = 0;
  std::string stopped;     // the bound that ended the exploration, or ""
  std::string difference;  // in words, or ""
  std::string_view kind;   // of the difference: "end", "score", "mover", "moves", "ways", "views", "players"
  std::vector<Step> path;  // a play that leads to it
  // Entries of the renaming with a text that no explored state has: in the first game, or in the second.
  std::vector<NameMap::Move> unused;
};

// Throws Error if keeper has a choice in some state, and the exceptions of the engines.
EqualResult compare_games(const Reasoner& first, const Reasoner& second, const EqualOptions& options);

// The players of the second game by those of the first, where the renaming names none. Throws Error if the games have
// different numbers of players.
std::vector<std::size_t> match_players(const GameInfo& first, const GameInfo& second);

// The same under a renaming of moves that it finds, and of players. `options.renaming` receives it. A difference is one
// that remains under every renaming; the result then has the last one that was found.
EqualResult compare_by_structure(const Reasoner& first, const Reasoner& second, EqualOptions& options);

}  // namespace rgtrans::lockstep
