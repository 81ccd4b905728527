// Loads a game in any language, optimizes it, and counts its first moves.
#include <iostream>
#include <rgtrans/backends/interpreter/interpreter.hpp>
#include <rgtrans/core/passes/passes.hpp>
#include <rgtrans/frontends/registry/registry.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::cerr << "usage: count_moves GAME\n";
    return 2;
  }
  rgtrans::Diagnostics diagnostics;
  rgtrans::ir::Game game = rgtrans::load_game({.path = argv[1], .language = {}, .options = {}}, diagnostics);
  rgtrans::passes::optimize(game);
  const auto reasoner = rgtrans::make_interpreter(game);
  std::cout << reasoner->perft(1) << "\n";
} catch (const rgtrans::Error& error) {
  std::cerr << rgtrans::render(error.diagnostics(), *error.sources());
  return 1;
}
