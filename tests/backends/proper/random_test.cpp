// Answers of the analysis against those of a search through all states, on small random games: a condition that is
// proved must not be refuted. RGTRANS_FUZZ_COUNT says how many games are tried, from RGTRANS_FUZZ_SEED on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "backends/proper/proper.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::proper {
namespace {

struct RandomText {
  std::string language, text;
};

RandomText random_text(std::uint64_t seed) {
  test::Choices choices(seed);
  switch (seed % 6) {
    case 0:
      return {"rg", test::random_game(choices, {.turns = true})};
    case 1:
      return {"rg", test::random_game(choices)};
    case 2:
      return {"rg", test::random_game(choices, {.spine = false})};
    case 3:
      return {"hrg", test::random_hrg(choices)};
    case 4:
      return {"rbg", test::random_rbg(choices)};
    default:
      return {"ludax", test::random_ludax(choices)};
  }
}

TEST(RandomProperGames, ProvedConditionsHoldInAllStates) {
  const std::uint64_t first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  const std::uint64_t count = test::random_count(60);
  std::array<std::uint64_t, kDuties> proved{}, confirmed{};
  std::uint64_t complete = 0;
  std::vector<std::uint64_t> seeds = {13'655};  // once a tag that the analysis of moves did not expect
  for (std::uint64_t seed = first; seed < first + count; ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds) {
    const RandomText random = random_text(seed);
    std::optional<ir::Game> game;
    try {
      Diagnostics diagnostics;
      game = load_text("random", random.text, *find_frontend(random.language), diagnostics);
    } catch (const Error&) {
      continue;  // not every random text is a game
    }
    ProperOptions options;
    options.states = 1000;
    options.seconds = 0.5;
    options.search = false;
    const ProperReport analysis = examine(*game, options);
    options.search = true;
    options.prove = false;
    const ProperReport search = examine(*game, options);
    complete += search.bounds.exact ? 1 : 0;
    for (std::size_t i = 0; i < kDuties; ++i) {
      if (analysis.answers[i].standing != DutyStanding::proved) continue;
      ++proved[i];
      if (search.answers[i].standing == DutyStanding::proved) ++confirmed[i];
      EXPECT_NE(search.answers[i].standing, DutyStanding::refuted)
          << "seed " << seed << ": " << describe(Duty(i)) << "\nproved because " << analysis.answers[i].reason
          << "\nrefuted by " << search.answers[i].play.value_or("") << ": " << search.answers[i].reason << "\n"
          << random.text;
    }
    if (analysis.bounds.length && search.bounds.length) {
      EXPECT_GE(*analysis.bounds.length, *search.bounds.length) << "seed " << seed << "\n" << random.text;
    }
  }
  for (std::size_t i = 0; i < kDuties; ++i) {
    fmt::print("{}: {} proved by analysis, {} of them by all states\n", describe(Duty(i)), proved[i], confirmed[i]);
  }
  fmt::print("all states of {} games were visited\n", complete);
  if (count >= 60 && first == 1) {
    EXPECT_GT(complete, count / 5);
    EXPECT_GT(confirmed[0], 0U);
    EXPECT_GT(confirmed[2], 0U);
  }
}

}  // namespace
}  // namespace rgtrans::proper
