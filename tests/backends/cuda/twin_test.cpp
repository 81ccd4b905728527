// Small games and random ones on the host twin: it knows the moves of the interpreter.
#include <gtest/gtest.h>

#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::cuda {
namespace {

// The first difference of a few plays, or "".
std::string twin_differs(const std::string& name, const std::string& text, int level) {
  Diagnostics diagnostics;
  ir::Game game = load_text(name, text, choose_frontend(name, text), diagnostics);
  passes::optimize(game, {.level = level});
  cpp::BuildOptions options;
  options.generate.device = true;
  options.extra_flags = {"-O0"};
  const auto twin = cpp::make_cpp_reasoner(game, options);
  const auto interpreter = make_interpreter(game);
  std::mt19937 random(1);
  for (int play = 0; play < 6; ++play) {
    const std::string difference = corpus::play_both(*interpreter, *twin, random, {.longest = 100}).difference;
    if (!difference.empty()) return difference;
  }
  return "";
}

// A fact that a choice implies for its value holds in the first round alone.
TEST(Twin, ComesToTheHeadOfACycleAgain) {
  EXPECT_EQ(twin_differs("game.rg",
                         "type Player = {a}; type Score = {0}; type N = {0, 1, 2, 3}; const fewer: N -> N = {2: 1, 3: "
                         "2, :0};\nvar n: N = 0; begin, 1: player = a; 1, 2: n = N(*); 2, 3: $$ n; 3, 4: n == 0;\n"
                         "3, 5: n != 0; 5, 3: n = fewer[n]; 4, end: player = keeper;",
                         0),
            "");
}

// Twelve tags of six bits: the table of the last ones begins where the first sixty-four bits may have ended.
TEST(Twin, MovesOfMoreThanSixtyFourBitsEndWithTargets) {
  EXPECT_EQ(twin_differs("game.rbg",
                         "#players = a(1), b(1)\n#pieces = e, x, o, w\n#variables =\n#board = hexagon(nw,ne,ea,se,sw,"
                         "we, [x,e,e] [e,x,e,o] [o,x,e,x,e] [e,e,e,e] [o,o,e])\n"
                         "#jump = (ne {x} [e] ne {e} + ea {x} [e] ea {e} + se {x} [e] se {e} + sw {x} [e] sw {e})\n"
                         "#rules = ->> ->b (nw + ne + ea + se + sw + we)* {o} [e] jump (jump + .) [o] (ne {e} (ne "
                         "{e})* + ea {e} (ea {e})* + se {e} (se {e})* + sw {e} (sw {e})*) [w] ->>\n",
                         2),
            "");
}

TEST(Twin, KnowsTheMovesOfRandomGames) {
  const std::vector<std::pair<std::string, std::string (*)(test::Choices&)>> kinds = {
      {"game.rbg", test::random_board_rbg},
      {"table.hrg", test::random_table_hrg},
      {"game.hrg", test::random_board_hrg},
      {"game.ldx", test::random_ludax}};
  const std::uint64_t games = test::from_environment("RGTRANS_DIFFERENTIAL_GAMES", 2);
  const std::uint64_t first = test::from_environment("RGTRANS_SEED", 4);
  for (std::uint64_t seed = first; seed < first + games; ++seed) {
    const auto& [name, make] = kinds[seed % kinds.size()];
    test::Choices choices(seed * 7919);
    const std::string text = make(choices);
    EXPECT_EQ(twin_differs(name, text, static_cast<int>(seed % 3)), "") << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace rgtrans::cuda
