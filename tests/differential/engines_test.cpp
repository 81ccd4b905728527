// Compares the interpreter, generated C++ and the naive evaluator on random proper games. In every state of random
// plays they must find the same moves, the same mover and the same end, and each player must see the same of a move by
// both engines. The naive evaluator and the interpreter play the game as it is; the generated code plays it as it is or
// optimized, in turn. By default a few games; RGTRANS_FULL plays 10,000.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/differential/batch.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::test {
namespace {

constexpr naive::Options kPlain = {.plain = true, .effort = 5};

// The moves of a state by the numbers that counting gives them.
std::vector<std::string> counted_moves(const rgtrans_reasoner& functions, const Reasoner& compiled) {
  const std::vector<std::byte> bytes = compiled.state_bytes();
  constexpr std::align_val_t kAlign{64};  // for whatever vectors the reasoner uses
  void* const state = ::operator new(bytes.size(), kAlign);
  void* const cache = functions.new_cache();
  std::memcpy(state, bytes.data(), bytes.size());
  std::vector<std::string> moves(compiled.terminal() ? 0 : functions.count_moves(state, cache));
  std::vector<std::uint32_t> tags(functions.most_tags + 1);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::uint32_t count = functions.counted_tags(state, cache, i, tags.data());
    for (std::uint32_t k = 0; k < count; ++k)
      moves[i] += (k == 0 ? "" : " ") + std::string(functions.tag_names[tags[k]]);
  }
  functions.delete_cache(cache);
  ::operator delete(state, kAlign);
  return moves;
}

std::size_t index_of(const std::vector<std::string>& moves, const std::string& move) {
  return static_cast<std::size_t>(std::ranges::find(moves, move) - moves.begin());
}

// Passes may change what is improper, such as a play without end; optimised games are played to a depth to which all is
// proper.
constexpr int kLongest = 10;
constexpr int kLongestOptimised = 4;

struct Sample {
  std::uint64_t seed;
  std::string text;
  ir::Game game;
  bool optimised = false;
};

std::string play_games(const Sample& sample, const rgtrans_reasoner& functions, std::size_t& states);

// As below. A check that depends on itself is improper; engines meet it or not, as they go different ways.
std::string play(const Sample& sample, const rgtrans_reasoner& functions, std::size_t& states) {
  try {
    return play_games(sample, functions, states);
  } catch (const Error& error) {
    const std::string what = error.what();
    return what.find("is recursive") != std::string::npos ? "" : what;
  }
}

// Plays a few times; "" or the first difference. Counts the states that were compared.
std::string play_games(const Sample& sample, const rgtrans_reasoner& functions, std::size_t& states) {
  naive::Evaluator evaluator(sample.game, kPlain);
  const auto reasoner = make_interpreter(sample.game);
  const auto compiled = cpp::make_cpp_reasoner(functions, true);
  std::mt19937_64 random(sample.seed);
  for (int round = 0; round < 4; ++round) {
    naive::State state = evaluator.initial();
    reasoner->reset();
    compiled->reset();
    for (int step = 0; step < (sample.optimised ? kLongestOptimised : kLongest); ++step) {
      std::map<std::string, std::set<naive::State>> expected;
      try {
        expected = evaluator.moves(state);
      } catch (const naive::TooHard&) {
        break;
      }
      const bool ends = evaluator.final(state);
      const std::string who = evaluator.mover(state);
      if (who == "keeper" && !ends && (expected.size() != 1 || expected.begin()->second.size() != 1))
        break;  // improper
      // Walks that differ in their result only: which one is taken is nobody's promise.
      if (std::ranges::any_of(expected, [](const auto& move) { return move.second.size() > 1; })) break;
      ++states;
      const std::string where = fmt::format("round {} step {}: ", round, step);
      if (reasoner->terminal() != ends || compiled->terminal() != ends) return where + "the end differs";
      for (std::uint32_t p = 0; p < reasoner->info().players.size(); ++p) {
        const std::string goals =
            evaluator.cells(state, sample.game.goals()).at({sample.game.symbols.str(sample.game.players()[p])});
        // Before the end, goals that cannot matter any more need not be kept.
        if (reasoner->goal(p) != goals || (ends && compiled->goal(p) != goals)) return where + "the goals differ";
      }
      if (ends) break;
      if (reasoner->mover() != compiled->mover()) return where + "the mover differs";
      std::vector<std::string> want;
      for (const auto& [tags, results] : expected) want.push_back(tags);
      const std::vector<std::string> interpreted = reasoner->move_texts();
      const std::vector<std::string> generated = compiled->move_texts();
      // The keeper's only move may be given without its tags.
      const bool keeper = who == "keeper";
      if (const std::string difference = corpus::texts_differ(want, interpreted); !difference.empty())
        return where + "the interpreter: " + difference;
      if (keeper && generated.size() != 1) return where + "the keeper has several moves in C++";
      if (const std::string difference = corpus::texts_differ(want, generated); !keeper && !difference.empty())
        return where + "C++: " + difference;
      if (want.empty()) break;
      const std::size_t chosen = random() % want.size();
      const std::size_t one = index_of(interpreted, want[chosen]);
      const std::size_t other = keeper ? 0 : index_of(generated, want[chosen]);
      for (std::size_t p = 0; generated[other] == want[chosen] && p < reasoner->info().players.size(); ++p) {
        if (reasoner->observed_move_text(one, p) != compiled->observed_move_text(other, p))
          return where + fmt::format("player {} sees {} and {} of {}", p, reasoner->observed_move_text(one, p),
                                     compiled->observed_move_text(other, p), want[chosen]);
      }
      reasoner->apply(one);
      compiled->apply(other);
      state = *std::next(expected.begin(), static_cast<std::ptrdiff_t>(chosen))->second.begin();
    }
  }
  return "";
}

std::optional<Sample> sample_of(std::uint64_t seed) {
  Choices choices(seed * 7919);
  Sample sample{seed, random_game(choices), ir::Game(), false};
  sample.game = rg::parse_game(sample.text);
  Diagnostics diagnostics;
  ir::verify(sample.game, diagnostics, {.warnings = false});
  if (diagnostics.has_errors()) return std::nullopt;
  // Something must be playable.
  try {
    naive::Evaluator evaluator(sample.game, kPlain);
    if (evaluator.moves(evaluator.initial()).empty()) return std::nullopt;
  } catch (const naive::TooHard&) {
    return std::nullopt;
  }
  return sample;
}

TEST(Engines, AgreeOnRandomGames) {
  const char* const wanted = std::getenv("RGTRANS_DIFFERENTIAL_GAMES");
  const std::size_t games = wanted != nullptr ? std::stoull(wanted) : corpus::full() ? 10'000 : 20;
  const char* const from = std::getenv("RGTRANS_SEED");
  constexpr std::size_t kBatch = 50;
  std::uint64_t seed = from != nullptr ? std::stoull(from) : 1;
  std::size_t played = 0;
  std::size_t states = 0;
  std::size_t refused = 0;
  std::size_t optimised = 0;
  std::size_t tables = 0;
  while (played < games && !HasFailure()) {
    Batch batch;
    std::vector<Sample> samples;
    while (samples.size() < std::min(kBatch, games - played)) {
      auto sample = sample_of(seed++);
      if (!sample) continue;
      ir::Game game = sample->game;
      if (samples.size() % 2 == 0) {
        try {
          if (!naive::all_plays_end(game, kLongestOptimised)) continue;
        } catch (const naive::TooHard&) {
          continue;
        }
        sample->optimised = true;
      }
      if (sample->optimised) passes::optimize(game);
      try {
        make_interpreter(sample->game);
        const bool as_tables = samples.size() % 10 == 4 || samples.size() % 10 == 7;
        batch.add(game, as_tables);
        tables += as_tables ? 1 : 0;
      } catch (const Error&) {
        ++refused;  // a check that depends on itself
        continue;
      }
      optimised += sample->optimised ? 1 : 0;
      samples.push_back(std::move(*sample));
    }
    batch.build();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::string difference = play(samples[i], batch[i], states);
      EXPECT_EQ(difference, "") << "seed " << samples[i].seed << "\n" << samples[i].text;
    }
    played += samples.size();
  }
  std::printf("%zu games (%zu optimised, %zu as tables), %zu states compared, %zu games refused by an engine\n", played,
              optimised, tables, states, refused);
  EXPECT_GT(states, played);
}

struct Kind {
  const char* name;
  const char* extension;
  std::string (*make)(Choices&);
  bool proper;  // each move has one result
  FrontendOptions options = {};
};

class RandomGamesOf : public testing::TestWithParam<Kind> {};

// The game as it is in the interpreter, and as optimized in C++.
TEST_P(RandomGamesOf, PlayAlike) {
  const Kind& kind = GetParam();
  const std::size_t games = from_environment("RGTRANS_DIFFERENTIAL_GAMES", corpus::full() ? 500 : 10);
  constexpr std::size_t kBatch = 10;
  std::uint64_t seed = from_environment("RGTRANS_SEED", 1);
  std::size_t played = 0, states = 0, refused = 0;
  while (played < games && !HasFailure()) {
    Batch batch;
    std::vector<std::tuple<std::uint64_t, std::string, ir::Game>> samples;
    for (; samples.size() < std::min(kBatch, games - played); ++seed) {
      Choices choices(seed * 7919);
      const std::string text = kind.make(choices);
      const std::string name = std::string("game.") + kind.extension;
      Diagnostics diagnostics;
      try {
        ir::Game game = load_text(name, text, choose_frontend(name, text), diagnostics, kind.options);
        ir::Game optimized = game;
        passes::optimize(optimized, {.level = static_cast<int>(seed % 3)});
        batch.add(optimized);
        samples.emplace_back(seed, text, std::move(game));
      } catch (const Error& error) {
        if (std::getenv("SHOW")) printf("%s seed %lu: %.300s\n", kind.name, seed, error.what());
        ++refused;
        continue;
      }
    }
    batch.build();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto& [number, text, game] = samples[i];
      const auto reasoner = make_interpreter(game);
      const auto compiled = cpp::make_cpp_reasoner(batch[i], true);
      std::mt19937_64 random(number);
      const auto counted = [&, &functions = batch[i]] {
        return corpus::texts_differ(compiled->move_texts(), counted_moves(functions, *compiled));
      };
      constexpr int kMost = 60;
      std::string difference;
      for (int play = 0; play < 6 && difference.empty(); ++play) {
        const corpus::Alike alike = corpus::play_both(
            *reasoner, *compiled, random,
            {.longest = kMost, .observed = kMost, .keeper = false, .improper = !kind.proper, .also = counted});
        difference = alike.difference;
        states += static_cast<std::size_t>(alike.moves);
      }
      EXPECT_EQ(difference, "") << "seed " << number << "\n" << text;
    }
    played += samples.size();
  }
  std::printf("%zu games, %zu states compared, %zu games refused\n", played, states, refused);
  EXPECT_GT(states, played);
}

std::string any_rbg(Choices& choices) { return random_rbg(choices); }

INSTANTIATE_TEST_SUITE_P(
    Engines, RandomGamesOf,
    testing::Values(Kind{"RbgBoards", "rbg", random_board_rbg, true}, Kind{"HrgBoards", "hrg", random_board_hrg, true},
                    Kind{"Rbg", "rbg", any_rbg, false}, Kind{"Hrg", "hrg", random_hrg, false},
                    Kind{"HrgTables", "hrg", random_table_hrg, true}, Kind{"Gdl", "kif", random_gdl, true},
                    Kind{"GdlBoards", "kif", random_board_gdl, true},
                    Kind{"GdlLifted", "kif", random_board_gdl, true, {.values = {{"lifted", ""}}}},
                    Kind{"Ludax", "ldx", random_ludax, true}, Kind{"Ludii", "lud", random_ludii, true},
                    Kind{"LineGames", "linegame", random_line_game, true}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace rgtrans::test
