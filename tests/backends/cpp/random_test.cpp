// The generator writes code for any legal game or refuses it with a message, however odd the game is; most random games
// are improper, so that nothing is compiled here. RGTRANS_FULL for more of them.
#include <gtest/gtest.h>

#include "backends/cpp/cpp.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::cpp {
namespace {

TEST(GenerateCpp, TakesAnyLegalGame) {
  const std::uint64_t seeds = corpus::full() ? 200'000 : 5'000;
  std::size_t written = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    test::Choices choices(seed * 7919);
    ir::Game game = rg::parse_game(test::random_game(choices, {.loose = seed % 3 == 0}));
    Diagnostics diagnostics;
    ir::verify(game, diagnostics, {.warnings = false});
    if (diagnostics.has_errors()) continue;
    if (seed % 2 == 0) passes::optimize(game);
    try {
      EXPECT_FALSE(generate(game).empty());
      ++written;
    } catch (const Error&) {
      ++refused;
    }
  }
  std::printf("%zu games written, %zu refused\n", written, refused);
  EXPECT_GT(written, seeds / 10);
}

}  // namespace
}  // namespace rgtrans::cpp
