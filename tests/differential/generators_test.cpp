// The quality of random games as tests: every construct of each language occurs in them, the front end accepts most,
// and most plays last several moves. The counts are printed.
#include <gtest/gtest.h>

#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/constructs.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::test {
namespace {

using Generator = std::string (*)(Choices&);

struct Language {
  const char* name;
  const char* extension;
  std::vector<Generator> generators;
  std::uint64_t games;
};

std::string strict_game(Choices& choices) { return random_game(choices); }
std::string plain_rbg(Choices& choices) { return random_rbg(choices); }
std::string free_rbg(Choices& choices) { return random_rbg(choices, true); }

// A play of so many moves of players has begun.
constexpr std::uint64_t kSomeMoves = 4;

// Games whose moves cannot be listed are none.
bool goes_on(const ir::Game& game, std::uint64_t seed) {
  DynamicCheckOptions limits;
  limits.plays = 1;
  limits.max_moves = 400;
  limits.max_steps = 20'000;
  for (const Violation& violation : check_dynamic(game, limits)) {
    if (violation.kind == Violation::Kind::length) return false;
  }
  const auto reasoner = make_interpreter(game);
  std::mt19937_64 random(seed);
  std::uint64_t moves = 0;
  for (int step = 0; step < 40 && moves < kSomeMoves && !reasoner->terminal(); ++step) {
    const std::size_t count = reasoner->move_count();
    if (count == 0) return false;
    if (!reasoner->keeper_moves()) ++moves;
    reasoner->apply(random() % count);
  }
  return moves == kSomeMoves;
}

class Generators : public testing::TestWithParam<Language> {};

TEST_P(Generators, ReachEveryConstruct) {
  const Language& language = GetParam();
  ConstructCount constructs(language.name);
  const std::uint64_t games = random_count(language.games), first = from_environment("RGTRANS_FUZZ_SEED", 1);
  std::uint64_t taken = 0, played = 0;
  for (std::uint64_t seed = first; seed < first + games; ++seed) {
    Choices choices(seed);
    const std::string text = language.generators[seed % language.generators.size()](choices);
    constructs.add(text);
    try {
      Diagnostics diagnostics;
      const ir::Game game =
          load_text("game" + std::string(language.extension), text, *find_frontend(language.name), diagnostics);
      ++taken;
      played += goes_on(game, seed) ? 1 : 0;
    } catch (const Error&) {  // refused, or improper
    }
  }
  std::printf("%s: %llu games, %llu taken by the front end, %llu played for %llu moves\n%s", language.name,
              static_cast<unsigned long long>(games), static_cast<unsigned long long>(taken),
              static_cast<unsigned long long>(played), static_cast<unsigned long long>(kSomeMoves),
              constructs.report().c_str());
  EXPECT_GE(taken * 10, games * 8);
  EXPECT_GE(played * 10, games * 2);
  if (games < language.games) return;  // too few of them
  EXPECT_EQ(constructs.missing(), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(
    Random, Generators,
    testing::Values(
        Language{"rg", ".rg", {strict_game, random_wide_game}, 400},
        Language{
            "hrg", ".hrg", {random_hrg, random_wide_hrg, random_board_hrg, random_table_hrg, random_wide_hrg}, 500},
        Language{"rbg", ".rbg", {plain_rbg, random_wide_rbg, random_board_rbg, free_rbg, random_wide_rbg}, 400},
        Language{"gdl", ".kif", {random_gdl}, 1000}, Language{"ludax", ".ldx", {random_ludax}, 400},
        Language{"ludii", ".lud", {random_ludii}, 400}, Language{"linegames", ".linegame", {random_line_game}, 500}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace rgtrans::test
