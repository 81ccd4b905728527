// Decides whether two games are the same game. The pairs of states that equal moves reach are explored breadth-first,
// so that a difference has a shortest play. Pairs are identified by all bytes of both states: no hash collision turns a
// difference into equality.
//
// Two states are equal if the play is over in both with equal scores, or if the same player moves and the moves have
// equal names, after the renaming. Keeper's moves are no decisions; they are made at once.
#pragma once

#include <algorithm>
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

// The names of the second game, by those of the first. Several moves of the first game may have one name in the second
// if no state has two of them. So the slots of a column of Connect Four can have the name of the column.
struct NameMap {
  static constexpr std::size_t kEveryMover = SIZE_MAX;
  using Move = std::pair<std::size_t, std::string>;  // mover, as in the first game, and name

  std::vector<std::size_t> players;   // players of the second game; empty: equal names if they have them, else in order
  std::map<Move, std::string> moves;  // by names in the first game those in the second
  bool reversed = false;              // the other way: by names in the second game those in the first
  bool complete = false;              // other moves have no name in the other game; else the same one

  [[nodiscard]] bool identical() const { return moves.empty() && !complete; }
  // The names of an entry in the first and in the second game.
  [[nodiscard]] std::pair<const std::string&, const std::string&> names(
      const std::pair<const Move, std::string>& entry) const {
    return reversed ? std::pair<const std::string&, const std::string&>{entry.second, entry.first.second}
                    : std::pair<const std::string&, const std::string&>{entry.first.second, entry.second};
  }
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
  // A file that keeps the work when a bound is reached, and every few minutes; "": none. A comparison of the same games
  // under the same names goes on from there.
  std::string resume;
  std::string identity;  // of both games and engines, for that file

  [[nodiscard]] std::string name(std::size_t game, const std::string& text) const {
    return named[game] ? named[game](text) : text;
  }
};

enum class Verdict { equal, different, open };

// How the moves of the games are matched.
enum class Match : std::uint8_t {
  automatic,  // the first of these under which the games are equal
  texts,      // by their names, after the given renaming
  structure,  // under a renaming that is found
  results,    // by the plays that they lead to: their names may depend on the state
};
// The ways by name.
inline constexpr std::array<std::string_view, 4> kMatches = {"auto", "texts", "structure", "results"};
[[nodiscard]] constexpr std::string_view name_of(Match match) { return kMatches[static_cast<std::size_t>(match)]; }
// The name must be one of these.
[[nodiscard]] constexpr Match match_named(std::string_view name) {
  return static_cast<Match>(std::ranges::find(kMatches, name) - kMatches.begin());
}

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
  std::string_view kind;   // of the difference: "end", "score", "mover", "moves", "ways", "views", "names", "results"
  std::vector<Step> path;  // a play that leads to it
  // Entries of the renaming with a text that no explored state has: in the first game, or in the second.
  std::vector<NameMap::Move> unused;
  Match match = Match::texts;  // never automatic
};

// Throws Error if keeper has a choice in some state, and the exceptions of the engines.
EqualResult compare_games(const Reasoner& first, const Reasoner& second, const EqualOptions& options);

// The players of the second game by those of the first, where the renaming names none. Throws Error if the games have
// different numbers of players.
std::vector<std::size_t> match_players(const GameInfo& first, const GameInfo& second);

// All orders of the second game's players, unless they are many, beginning with the likeliest.
std::vector<std::vector<std::size_t>> player_orders(const GameInfo& first, const GameInfo& second);

// The same under a renaming of moves that it finds, and of players. `options.renaming` receives it, or the one that
// came farthest. A difference remains under every renaming; where `match` of the result says so, it remains under every
// matching of moves by their results.
EqualResult compare_by_structure(const Reasoner& first, const Reasoner& second, EqualOptions& options);

// Whether the trees of plays are isomorphic. Then each move of the second game has a partner in every state, a move of
// the first one after which equal plays follow. Names of moves are not compared. Throws Error if a game has hidden
// information.
EqualResult compare_by_results(const Reasoner& first, const Reasoner& second, const EqualOptions& options);

// `options.renaming` receives the renaming that is found.
EqualResult compare_matched(const Reasoner& first, const Reasoner& second, EqualOptions& options, Match match);

// An object of JSON, with the renaming that was found unless that is null.
std::string json(const EqualResult& result, const NameMap* found, double seconds, const GameInfo& first,
                 const GameInfo& second);

}  // namespace rgtrans::lockstep
