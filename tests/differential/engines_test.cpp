// Compares the interpreter and generated C++ on random games, and the two lists of moves that the C interface gives: of
// moves, and of moves by number. By default a few games; RGTRANS_FULL plays 500 of each kind.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/differential/batch.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::test {
namespace {

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
    testing::Values(Kind{"RgBoards", "rg", random_board_rg, true}, Kind{"RbgBoards", "rbg", random_board_rbg, true},
                    Kind{"HrgBoards", "hrg", random_board_hrg, true}, Kind{"Rbg", "rbg", any_rbg, false},
                    Kind{"Hrg", "hrg", random_hrg, false}, Kind{"HrgTables", "hrg", random_table_hrg, true},
                    Kind{"Gdl", "kif", random_gdl, true}, Kind{"GdlBoards", "kif", random_board_gdl, true},
                    Kind{"GdlLifted", "kif", random_board_gdl, true, {.values = {{"lifted", ""}}}},
                    Kind{"Ludax", "ldx", random_ludax, true}, Kind{"Ludii", "lud", random_ludii, true},
                    Kind{"LineGames", "linegame", random_line_game, true}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace rgtrans::test
