// The interpreter compiles a game to a compact executable form and plays it in this process. It needs no other tool,
// starts at once and follows the normative semantics exactly. All other back ends are tested against it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/reasoner.hpp"
#include "core/ir/ir.hpp"
#include "core/support/following.hpp"

namespace rgtrans {

// An automorphism of a game: every symbol, variable and node has an image (by id).
struct Renaming {
  std::vector<SymbolId> symbol;
  std::vector<ir::VarId> variable;
  std::vector<ir::NodeId> node;
};

struct InterpreterOptions {
  // Trust the game's @unique and @repeat pragmas where the interpreter's own analysis would add tests.
  bool trust_pragmas = true;
  // Playouts keep a graph of frequent states (see playouts.cpp). 0 disables it.
  std::size_t state_cache_bytes = std::size_t{64} << 20U;
  // A group without the identity. Reasoner::canonical() then maps symmetric states to one representative.
  std::vector<Renaming> symmetries;
};

// The game must have passed the verifier. Throws Error if the game exceeds a limit of the interpreter; the message
// names the limit. During play, throws Error for an improper game without a sensible continuation: recursive
// reachability checks, endless moves, a state without moves that is not final.
std::unique_ptr<Reasoner> make_interpreter(const ir::Game& game, const InterpreterOptions& options = {});

// The assumptions of such a reasoner: nodes without tests for second arrivals, and starts without duplicate moves.
std::vector<ir::Claim> claims_of_interpreter(const ir::Game& game, const InterpreterOptions& options = {});

// A compiled game for programs that contain the interpreter's machine but no other part of it, written by backends/cpp,
// which embeds the machine's headers.
struct WrittenTables {
  std::string text;                  // text for interpreter::transfer (tables.hpp)
  std::uint32_t cells = 0;           // number of cells in a state
  std::vector<std::string> symbols;  // by code
  std::uint32_t keeper = 0, random = 0;
  std::vector<std::uint32_t> players;  // codes
  std::uint32_t player_cell = 0;
  bool random_moves = false;           // random may be to move
  std::vector<std::string> tags;       // by number; 0 means none
  std::vector<std::string> starts;     // nodes where moves begin; 0 is the start of a play
  std::uint32_t end = 0;               // the number of `end` in starts; past the last one if no play ends
  std::vector<std::uint32_t> scores;   // codes of possible goals
  std::vector<std::string> variables;  // shown to users
  // The cells of a variable other than `player`, `goals` and `visible`.
  struct Placed {
    std::string name;
    std::uint32_t first = 0;
    std::vector<std::vector<std::string>> keys;  // by arrow: the keys of its blocks; "" for a block without a key
    std::vector<int> alive;                      // by start: whether the value of the variable matters
  };
  std::vector<Placed> placed;
};
WrittenTables write_tables(const ir::Game& game, const InterpreterOptions& options = {});

// An observed violation of properness (an error), or a legal construct that is rarely intended (a warning).
struct Violation {
  enum class Kind { keeper, ambiguity, stuck, action, length, idle, endless };
  Kind kind;
  std::string message;
  std::string path;  // path of the state, as in `rgtrans moves --path`; "" if it concerns all plays
  Range where;       // the edge or node
  Severity severity = Severity::error;
};

struct DynamicCheckOptions {
  std::uint64_t plays = 100;
  std::uint64_t seed = 1;
  std::uint64_t max_moves = 100'000;         // limit for one play, counting all movers
  std::uint64_t max_steps = 20'000'000;      // edges followed while listing the moves of one state
  std::uint64_t max_all_steps = UINT64_MAX;  // edges followed in all plays
  std::size_t max_violations = 20;           // limit; the same kind is reported once per place
  bool warnings = true;                      // also report warnings, and plays over max_moves
  bool keys = true;                          // also report reads outside of maps, which some languages use on purpose
  bool idle = false;                         // also report players who never move and scores that never change
  Following following{};                     // may end the check early; violations found so far are reported
  std::uint64_t* played = nullptr;           // receives the number of plays
};

// Plays at random and reports violations of the conditions of proper descriptions.
std::vector<Violation> check_dynamic(const ir::Game& game, const DynamicCheckOptions& options = {});

struct StateSearchOptions {
  std::uint64_t states = 100'000;        // most states
  std::uint64_t cells = 400'000'000;     // most cells in them
  double seconds = 10;                   // elapsed time
  std::uint64_t max_steps = 20'000'000;  // edges followed while listing the moves of one state
  // The search begins after so many moves at random; then it shows violations but cannot be complete.
  std::uint64_t after = 0;
  std::uint64_t seed = 1;
  bool merge_unread = true;  // states that differ only in variables that nothing reads any more count as one
  Following following{};
};

// A search through the states of a game.
struct StateSearch {
  bool complete = false;        // all states that plays can reach were visited
  std::string stopped;          // the bound that ended the search, or ""
  std::uint64_t states = 0;     // visited
  std::uint64_t branching = 0;  // most legal moves of a player
  std::uint64_t turns = 0;      // most moves of players and random in a play, if `complete` and no play is endless
  std::vector<Violation> violations;  // an endless play is one that comes back to a state
};
StateSearch search_states(const ir::Game& game, const StateSearchOptions& options = {});

// The edges that walks could take in the states of given plays, in moves or in checks.
struct WalkedEdges {
  std::vector<bool> edges;   // by number
  std::uint64_t states = 0;  // explored states
};
// Each play is the list of its moves' texts. Stops after `most_steps` edges.
WalkedEdges walked_edges(const ir::Game& game, std::span<const std::vector<std::string>> plays,
                         std::uint64_t most_steps = 1'000'000);

}  // namespace rgtrans
