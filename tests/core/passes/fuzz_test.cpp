// Applies random passes in random order to random games. The game tree must stay the same.
#include <gtest/gtest.h>

#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::passes {
namespace {

constexpr int kDepth = 4;

// Returns "" if the game is unusable or unchanged, else a description of the change.
std::string try_passes(const ir::Game& game, const std::vector<std::string>& names, int level) {
  ir::Game copy = game;
  OptimizeOptions options;
  options.level = level;
  if (!names.empty()) options.passes = names;
  optimize(copy, options);
  try {
    std::string difference = naive::compare(game, copy, kDepth);
    if (difference.empty() && !copy.pragmas.empty()) {
      difference = naive::compare(game, copy, kDepth, true);
      if (!difference.empty()) difference = "trusting pragmas: " + difference;
    }
    return difference;
  } catch (const std::logic_error& e) {
    return e.what();
  } catch (const naive::TooHard&) {
    return "";  // a recursive check; evaluation order decides whether it recurs
  }
}

bool usable(const ir::Game& game) {
  try {
    return naive::compare(game, game, kDepth).empty();
  } catch (const naive::TooHard&) {
    return false;
  }
}

void fuzz(std::uint64_t first, std::uint64_t count) {
  std::size_t used = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::Choices generator(seed);
    const std::string text = test::random_game(generator);
    const ir::Game game = rg::parse_game(text);
    if (!usable(game)) continue;
    ++used;
    std::vector<std::string> names;
    const int level = generator.pick(1, 2);
    if (generator.coin(70)) {
      for (int i = generator.pick(1, 14); i > 0; --i) {
        names.emplace_back(
            all_passes()[static_cast<std::size_t>(generator.pick(0, static_cast<int>(all_passes().size()) - 1))].name);
      }
      std::erase_if(names, [](const std::string& n) { return find_pass(n)->effect != PassEffect::none; });
      // Pragmas must be written last.
      std::stable_partition(names.begin(), names.end(),
                            [](const std::string& n) { return find_pass(n)->phase != PassPhase::pragmas; });
    }
    std::string difference = try_passes(game, names, level);
    if (difference.empty()) continue;
    // Shortens the sequence while it still fails.
    if (names.empty()) {
      ir::Game copy = game;
      OptimizeOptions options;
      options.level = level;
      options.on_change = [&](const PassEvent& event) { names.emplace_back(event.pass.name); };
      optimize(copy, options);
    }
    for (std::size_t i = 0; i < names.size();) {
      std::vector<std::string> fewer = names;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fewer.empty() && !try_passes(game, fewer, level).empty()) {
        names = fewer;
      } else {
        ++i;
      }
    }
    std::string list;
    for (const std::string& n : names) list += n + " ";
    ir::Game copy = game;
    OptimizeOptions options;
    options.level = level;
    options.passes = names;
    optimize(copy, options);
    FAIL() << "seed " << seed << "\n"
           << text << "\npasses: " << list << "\n"
           << difference << "\nresult:\n"
           << rg::print(copy);
  }
  std::printf("%zu of %zu games used\n", used, static_cast<std::size_t>(count));
  EXPECT_GT(used, count / 50);
}

TEST(Fuzz, RandomGamesKeepTheirTree) {
  fuzz(test::from_environment("RGTRANS_FUZZ_SEED", 1), test::random_count(20'000));
}

}  // namespace
}  // namespace rgtrans::passes
