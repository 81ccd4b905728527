// The interpreter: compiles a game once to a compact executable form and then plays it in this process. It needs
// no other tool and no time to start, it follows the normative semantics exactly, and it is the oracle that every
// other back end is compared with.
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

// What maps a game to itself: every symbol, variable and node has an image (by id).
struct Renaming {
  std::vector<SymbolId> symbol;
  std::vector<ir::VarId> variable;
  std::vector<ir::NodeId> node;
};

struct InterpreterOptions {
  // Trust @unique and @repeat of the game where the interpreter's own analysis would test more.
  bool trust_pragmas = true;
  // Playouts keep an explicit graph of the states they meet often (see playouts.cpp); 0 turns that off.
  std::size_t state_cache_bytes = std::size_t{64} << 20U;
  // A group, without the identity: Reasoner::canonical() then joins states that are images of each other.
  std::vector<Renaming> symmetries;
};

// The game must have passed the verifier. Throws Error when it exceeds a limit of the interpreter (each message
// names the limit). A play throws Error where the game is improper in a way that leaves no sensible answer:
// recursive reachability checks, endless moves, a state without moves that is not final.
std::unique_ptr<Reasoner> make_interpreter(const ir::Game& game, const InterpreterOptions& options = {});

// What such a reasoner relies on: where it recognises no second arrivals, and whose moves it lists without looking for
// duplicates.
std::vector<ir::Claim> claims_of_interpreter(const ir::Game& game, const InterpreterOptions& options = {});

// A game for programs that carry the machine of the interpreter and nothing else of it: backends/cpp writes such ones.
// The headers that the machine takes are embedded in that back end.
struct WrittenTables {
  std::string text;                  // to be read by interpreter::transfer (tables.hpp)
  std::uint32_t cells = 0;           // of a state
  std::vector<std::string> symbols;  // by code
  std::uint32_t keeper = 0, random = 0;
  std::vector<std::uint32_t> players;  // codes
  std::uint32_t player_cell = 0;
  bool random_moves = false;           // it may be random's turn
  std::vector<std::string> tags;       // by number; 0 is none
  std::vector<std::string> starts;     // the nodes where moves begin, 0 being the first of a play
  std::uint32_t end = 0;               // the number of `end` among them; beyond them when no play ends
  std::vector<std::uint32_t> scores;   // codes that goals can have
  std::vector<std::string> variables;  // that people are shown
  // Where the cells of a variable lie that is neither the player, nor the goals, nor who sees.
  struct Placed {
    std::string name;
    std::uint32_t first = 0;
    std::vector<std::vector<std::string>> keys;  // by arrow the keys of its blocks; "" for one that has none
    std::vector<int> alive;                      // by start: it matters what it holds
  };
  std::vector<Placed> placed;
};
WrittenTables write_tables(const ir::Game& game, const InterpreterOptions& options = {});

// One observed breach of properness (an error), or something that has a meaning and yet is rarely meant (a warning).
struct Violation {
  enum class Kind { keeper, ambiguity, stuck, action, length, idle };
  Kind kind;
  std::string message;
  std::string path;  // of the state in which it was seen, as in `rgtrans moves --path`; "" for what concerns all plays
  Range where;       // the edge or node concerned
  Severity severity = Severity::error;
};

struct DynamicCheckOptions {
  std::uint64_t plays = 100;
  std::uint64_t seed = 1;
  std::uint64_t max_moves = 100'000;     // in one play, all movers counted
  std::uint64_t max_steps = 20'000'000;  // edges followed while listing the moves of one state
  std::size_t max_violations = 20;       // kinds at different places are reported once each
  bool keys = true;                      // also report reading outside of maps, which some languages are used to
  bool idle = false;                     // also report players who never move, and scores that never change
  Following following{};                 // ended early, it reports what was found so far
  std::uint64_t* played = nullptr;       // gets the number of plays
};

// Plays at random and looks for breaches of the conditions of proper descriptions along the way.
std::vector<Violation> check_dynamic(const ir::Game& game, const DynamicCheckOptions& options = {});

// The edges that could be followed in the states that some plays came by, on the way to any move or in a check.
struct WalkedEdges {
  std::vector<bool> edges;   // by number
  std::uint64_t states = 0;  // that were looked at
};
// Each play is the texts of its moves. Stops when so many edges have been followed.
WalkedEdges walked_edges(const ir::Game& game, std::span<const std::vector<std::string>> plays,
                         std::uint64_t most_steps = 1'000'000);

}  // namespace rgtrans
