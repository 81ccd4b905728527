// The interpreter, generated C++ and the naive evaluator side by side on random proper games: in every state the same
// moves, the same mover and the same end, along random plays; each player sees the same of a move by both engines. The
// naive evaluator and the interpreter play the game as it is; the generated code plays it as it is or optimised, in
// turn. By default a few games; RGTRANS_FULL plays 10,000.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/differential/batch.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::test {
namespace {

constexpr naive::Options kPlain = {.plain = true, .effort = 5};

// A state of a compiled game.
class Compiled {
 public:
  explicit Compiled(const rgtrans_reasoner& functions)
      : f_(functions), state_(f_.state_size + 64), cache_(f_.new_cache()) {}
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() { f_.delete_cache(cache_); }

  void reset() { f_.initial(state()); }
  bool terminal() { return f_.terminal(state()) != 0; }
  std::size_t mover() { return f_.mover(state()); }
  std::string goal(std::uint32_t player) { return f_.score_names[f_.score(state(), player)]; }
  std::vector<std::string> moves() {
    std::vector<std::string> out(terminal() ? 0 : f_.list_moves(state(), cache_));
    const std::vector<std::uint64_t> everybody(f_.most_tags + 1, ~std::uint64_t{0});
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = text(i, everybody, 0);
    return out;
  }
  // The same moves by the numbers that counting gives them.
  std::vector<std::string> counted_moves() {
    std::vector<std::string> out(terminal() ? 0 : f_.count_moves(state(), cache_));
    std::vector<std::uint32_t> tags(f_.most_tags + 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::uint32_t count = f_.counted_tags(state(), cache_, i, tags.data());
      for (std::uint32_t k = 0; k < count; ++k) out[i] += (k == 0 ? "" : " ") + std::string(f_.tag_names[tags[k]]);
    }
    return out;
  }
  // What a player sees of a listed move.
  std::string observed(std::size_t index, std::size_t player) {
    std::vector<std::uint64_t> seen_by(f_.most_tags + 1, 0);
    f_.visible_tags(state(), cache_, index, seen_by.data());
    return text(index, seen_by, player);
  }
  bool apply(std::size_t index) { return f_.apply_listed(state(), cache_, index) != 0; }

 private:
  void* state() {
    const auto at = reinterpret_cast<std::uintptr_t>(state_.data());
    return state_.data() + (64 - at % 64) % 64;
  }
  std::string text(std::size_t index, const std::vector<std::uint64_t>& seen_by, std::size_t player) {
    std::vector<std::uint32_t> tags(f_.most_tags + 1);
    const std::uint32_t count = f_.move_tags(cache_, index, tags.data());
    std::string out;
    for (std::uint32_t k = 0; k < count; ++k) {
      if ((seen_by[k] >> player & 1U) != 0) out += (out.empty() ? "" : " ") + std::string(f_.tag_names[tags[k]]);
    }
    return out;
  }

  const rgtrans_reasoner& f_;
  std::vector<std::byte> state_;
  void* cache_;
};

std::size_t index_of(const std::vector<std::string>& moves, const std::string& move) {
  return static_cast<std::size_t>(std::ranges::find(moves, move) - moves.begin());
}

std::vector<std::string> sorted(std::vector<std::string> list) {
  std::ranges::sort(list);
  return list;
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
  Compiled compiled(functions);
  std::mt19937_64 random(sample.seed);
  for (int round = 0; round < 4; ++round) {
    naive::State state = evaluator.initial();
    reasoner->reset();
    compiled.reset();
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
      if (reasoner->terminal() != ends || compiled.terminal() != ends) return where + "the end differs";
      for (std::uint32_t p = 0; p < reasoner->info().players.size(); ++p) {
        const std::string goals =
            evaluator.cells(state, sample.game.goals()).at({sample.game.symbols.str(sample.game.players()[p])});
        // Before the end, goals that cannot matter any more need not be kept.
        if (reasoner->goal(p) != goals || (ends && compiled.goal(p) != goals)) return where + "the goals differ";
      }
      if (ends) break;
      if (reasoner->mover() != compiled.mover()) return where + "the mover differs";
      std::vector<std::string> want;
      for (const auto& [tags, results] : expected) want.push_back(tags);
      const std::vector<std::string> interpreted = reasoner->move_texts();
      const std::vector<std::string> generated = compiled.moves();
      // The keeper's only move may be given without its tags.
      const bool keeper = who == "keeper";
      if (sorted(want) != sorted(interpreted)) return where + "the interpreter has other moves";
      if (keeper ? generated.size() != 1 : sorted(want) != sorted(generated)) return where + "C++ has other moves";
      if (want.empty()) break;
      const std::size_t chosen = random() % want.size();
      const std::size_t one = index_of(interpreted, want[chosen]);
      const std::size_t other = keeper ? 0 : index_of(generated, want[chosen]);
      for (std::size_t p = 0; generated[other] == want[chosen] && p < reasoner->info().players.size(); ++p) {
        if (reasoner->observed_move_text(one, p) != compiled.observed(other, p))
          return where + fmt::format("player {} sees {} and {} of {}", p, reasoner->observed_move_text(one, p),
                                     compiled.observed(other, p), want[chosen]);
      }
      reasoner->apply(one);
      if (!compiled.apply(other)) return where + "C++ cannot apply " + want[chosen];
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
  const std::size_t games = wanted != nullptr ? std::stoull(wanted) : corpus::full() ? 10'000 : 40;
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

std::string lists_differ(const std::string& name, const std::vector<std::string>& wanted,
                         const std::vector<std::string>& made) {
  if (sorted(wanted) == sorted(made)) return "";
  std::vector<std::string> lacks, more;
  std::ranges::set_difference(sorted(wanted), sorted(made), std::back_inserter(lacks));
  std::ranges::set_difference(sorted(made), sorted(wanted), std::back_inserter(more));
  return fmt::format("{} moves, {} {}; it lacks {}; has too much {}", wanted.size(), name, made.size(),
                     fmt::join(lacks, ", "), fmt::join(more, ", "));
}

// One play of the game by both engines, the keeper's moves left out, of which a pass may have made one of several; ""
// or the first difference.
std::string one_play(Reasoner& reasoner, Compiled& compiled, bool proper, std::mt19937_64& random,
                     std::size_t& states) {
  constexpr int kMost = 60;
  const std::size_t players = reasoner.info().players.size();
  reasoner.reset();
  compiled.reset();
  for (int step = 0; step < kMost; ++step) {
    const std::string where = fmt::format("step {}: ", step);
    for (int n = 0; reasoner.keeper_moves(); ++n) {
      if (n == kMost || reasoner.move_count() != 1) return "";  // improper
      reasoner.apply(0);
    }
    for (int n = 0; !compiled.terminal() && compiled.mover() == players; ++n) {
      if (n == kMost || compiled.moves().size() != 1) return where + "the keeper has no move in C++";
      if (!compiled.apply(0)) return where + "C++ cannot apply the keeper's move";
    }
    if (reasoner.terminal() != compiled.terminal()) return where + "the end differs";
    if (reasoner.terminal()) break;
    if (reasoner.mover() != compiled.mover()) return where + "the mover differs";
    const std::vector<std::string> wanted = reasoner.move_texts();
    if (std::string d = lists_differ("counted", wanted, compiled.counted_moves()); !d.empty()) return where + d;
    const std::vector<std::string> made = compiled.moves();
    if (std::string d = lists_differ("C++", wanted, made); !d.empty()) return where + d;
    if (wanted.empty()) return "";
    ++states;
    // What comes of a labeling of several walks in an improper game is nobody's promise.
    std::vector<std::size_t> certain;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (proper || reasoner.walk_count(i) == 1) certain.push_back(i);
    }
    if (certain.empty()) return "";
    const std::size_t chosen = certain[random() % certain.size()];
    const std::size_t other = index_of(made, wanted[chosen]);
    for (std::size_t p = 0; p < players; ++p) {
      if (reasoner.observed_move_text(chosen, p) != compiled.observed(other, p))
        return where + fmt::format("player {} sees {} and {}", p, reasoner.observed_move_text(chosen, p),
                                   compiled.observed(other, p));
    }
    reasoner.apply(chosen);
    if (!compiled.apply(other)) return where + "C++ cannot apply " + wanted[chosen];
  }
  for (std::uint32_t p = 0; reasoner.terminal() && p < players; ++p) {
    if (reasoner.goal(p) != compiled.goal(p)) return "the goals differ";
  }
  return "";
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
      Compiled compiled(batch[i]);
      std::mt19937_64 random(number);
      std::string difference;
      for (int play = 0; play < 6 && difference.empty(); ++play)
        difference = one_play(*reasoner, compiled, kind.proper, random, states);
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
                    Kind{"Ludax", "ldx", random_ludax, true}, Kind{"LineGames", "linegame", random_line_game, true}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace rgtrans::test
