// Two games in one program: a transposition table counts positions of nim, a text from outside becomes a move of Kuhn
// poker.
#include <iostream>
#include <memory>
#include <optional>
#include <unordered_set>

#include "kuhn_poker/reasoner.hpp"
#include "nim/reasoner.hpp"

// Positions below this one, each once.
static void visit(const nim::GameState& state, nim::Cache& cache, std::unordered_set<std::uint64_t>& seen) {
  if (!seen.insert(state.canonicalHash()).second || state.isTerminal()) return;
  nim::MoveList moves;
  nim::GameState position = state;
  position.getAllMoves(moves, cache);
  for (const nim::Move& move : moves) {
    nim::GameState next = state;
    next.apply(move, cache);  // it is legal: it was listed
    next.advance(cache);
    visit(next, cache, seen);
  }
}

int main() {
  const auto nim_cache = std::make_unique<nim::Cache>();
  std::unordered_set<std::uint64_t> seen;
  nim::GameState start;
  start.advance(*nim_cache);
  visit(start, *nim_cache, seen);
  std::cout << nim::kGameName << ": " << seen.size() << " positions\n";

  const auto cache = std::make_unique<kuhn_poker::Cache>();
  kuhn_poker::MoveList moves;
  kuhn_poker::Random random(1);
  kuhn_poker::GameState poker;
  while (poker.advance(*cache) && poker.mover() >= kuhn_poker::kPlayers) poker.randomMove(random, moves, *cache);
  for (const char* text : {"raise everything", "bet"}) {
    const std::optional<kuhn_poker::Move> move = poker.findMove(text, moves, *cache);
    const bool made = move && poker.applyChecked(*move, moves, *cache);
    std::cout << kuhn_poker::kGameName << ": " << text << (made ? " is made\n" : " is no move\n");
  }
}
