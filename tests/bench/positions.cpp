// A line of JSON for each game that is named: its distinct states and positions at plies 1 to 4. scripts/sweep
// positions makes a table of them.
#include "tests/support/positions.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"

int main(int count, char** arguments) {
  using namespace rgtrans;
  constexpr std::size_t kPlies = 4, kMostStates = 400'000, kMostPositions = 50'000;
  for (int i = 1; i < count; ++i) {
    try {
      Diagnostics diagnostics;
      ir::Game game = load_game({.path = arguments[i], .language = {}, .options = {}}, diagnostics);
      passes::optimize(game);
      const auto reasoner = make_interpreter(game);
      std::string list;
      for (const test::PlyCount& ply : test::count_positions(*reasoner, kPlies, kMostStates, kMostPositions)) {
        list += fmt::format("{}[{}, {}, {}]", list.empty() ? "" : ", ", ply.states, ply.positions,
                            ply.futures ? std::to_string(*ply.futures) : "null");
      }
      fmt::print("{{\"plies\": [{}]}}\n", list);
    } catch (const Error& error) {
      fmt::print("{{\"failed\": \"{}\"}}\n", std::string(error.what()).substr(0, 60));
    }
    std::fflush(stdout);
  }
}
