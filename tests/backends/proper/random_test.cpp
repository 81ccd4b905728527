// Answers of the analysis against those of a search through all states, on small random games and on small games with a
// mistake: a condition that is proved must not be refuted. RGTRANS_FUZZ_COUNT says how many games are tried, from
// RGTRANS_FUZZ_SEED on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "backends/proper/proper.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/own_games.hpp"
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

// Proofs by analysis, beside all states, or those that are visited.
class Comparison {
 public:
  void add(const ir::Game& game, std::uint64_t seed, const std::string& text, std::uint64_t states) {
    ProperOptions options;
    options.states = states;
    options.seconds = 0.5;
    options.search = false;
    const ProperReport analysis = examine(game, options);
    options.search = true;
    options.prove = false;
    const ProperReport search = examine(game, options);
    complete_ += search.bounds.exact ? 1 : 0;
    for (std::size_t i = 0; i < kDuties; ++i) {
      refuted_[i] += search.answers[i].standing == DutyStanding::refuted ? 1 : 0;
      if (analysis.answers[i].standing != DutyStanding::proved) continue;
      ++proved_[i];
      if (search.answers[i].standing == DutyStanding::proved) ++confirmed_[i];
      EXPECT_NE(search.answers[i].standing, DutyStanding::refuted)
          << "seed " << seed << ": " << describe(Duty(i)) << "\nproved because " << analysis.answers[i].reason
          << "\nrefuted by " << search.answers[i].play.value_or("") << ": " << search.answers[i].reason << "\n"
          << text;
    }
    if (analysis.bounds.length && search.bounds.length) {
      EXPECT_GE(*analysis.bounds.length, *search.bounds.length) << "seed " << seed << "\n" << text;
    }
  }

  void show() const {
    for (std::size_t i = 0; i < kDuties; ++i)
      fmt::print("{}: {} proved by analysis, {} of them by all states; {} refuted\n", describe(Duty(i)), proved_[i],
                 confirmed_[i], refuted_[i]);
    fmt::print("all states of {} games were visited\n", complete_);
  }
  [[nodiscard]] std::uint64_t complete() const { return complete_; }
  [[nodiscard]] std::uint64_t confirmed(Duty duty) const { return confirmed_[static_cast<std::size_t>(duty)]; }
  [[nodiscard]] std::uint64_t refuted(Duty duty) const { return refuted_[static_cast<std::size_t>(duty)]; }

 private:
  std::array<std::uint64_t, kDuties> proved_{}, confirmed_{}, refuted_{};
  std::uint64_t complete_ = 0;
};

TEST(RandomProperGames, ProvedConditionsHoldInAllStates) {
  const std::uint64_t first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  const std::uint64_t count = test::random_count(60);
  Comparison comparison;
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
    comparison.add(*game, seed, random.text, 1000);
  }
  comparison.show();
  if (count >= 60 && first == 1) {
    EXPECT_GT(comparison.complete(), count / 5);
    EXPECT_GT(comparison.confirmed(Duty::moves), 0U);
    EXPECT_GT(comparison.confirmed(Duty::ends), 0U);
  }
}

// One mistake in a game whose conditions are proved makes dead ends, and loops that do not end.
TEST(RandomProperGames, MistakesInSmallGamesAreNotProvedAway) {
  const std::uint64_t first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  const std::uint64_t count = test::random_count(20);
  const std::vector<std::string> names = {"tic-tac-toe.hrg",      "hex-3x3.hrg",     "connect-four-4x4.hrg",
                                          "breakthrough-4x4.hrg", "clobber-3x4.hrg", "nim.hrg",
                                          "reversi-4x4.hrg",      "amazons-4x4.hrg", "tic-tac-toe.rbg",
                                          "clobber-3x4.rbg",      "reversi-4x4.rbg", "connect-four-4x4.rbg"};
  Comparison comparison;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::Choices choices(seed);
    const std::string& name = names[choices.below(names.size())];
    ir::Game game = own_games::load("../tests/equal/games/" + name);
    const std::string mistake = test::damage(game, choices.below(test::kDamages), {}, choices);
    Diagnostics of_mistake;
    ir::verify(game, of_mistake, {});
    if (mistake.empty() || of_mistake.has_errors()) continue;
    comparison.add(game, seed, name + ": " + mistake, 1000);
  }
  comparison.show();
  if (count >= 20 && first == 1) {
    EXPECT_GT(comparison.refuted(Duty::moves), 0U);
  }
}

}  // namespace
}  // namespace rgtrans::proper
