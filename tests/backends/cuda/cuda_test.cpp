// Games for a GPU, played by the host twin: the source generated for nvcc, compiled as plain C++. It has the moves of
// the interpreter and plays exactly as its random numbers say. A game that cannot be generated gives the reason.
#include "backends/cuda/cuda.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>

#include "backends/cuda/device.h"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::cuda {
namespace {

using corpus::full;
using testing::HasSubstr;

ir::Game load(const std::string& name) {
  Diagnostics diagnostics;
  const corpus::fs::path path =
      corpus::fs::path(RGTRANS_SOURCE_DIR "/games") / name;  // or the name alone, if it is a whole path
  ir::Game game = load_game({path, "", {}, false}, diagnostics);
  passes::OptimizeOptions options;
  options.level = 2;
  passes::optimize(game, options);
  return game;
}

// Philox 4x32 with ten rounds, as its authors define it.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t x = std::uint64_t{0xd2511f53} * counter[0], y = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(y >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(y),
               static_cast<std::uint32_t>(x >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(x)};
    key[0] += 0x9e3779b9U;
    key[1] += 0xbb67ae85U;
  }
  return counter;
}

// The numbers of one play.
class Numbers {
 public:
  Numbers(std::uint32_t seed, std::uint32_t play) : seed_(seed), play_(play) {}
  std::uint32_t uniform(std::uint32_t n) {
    for (;;) {
      const std::uint64_t product = std::uint64_t{next()} * n;
      // 2^32 is no multiple of n: as many results as are too many are left out.
      if (static_cast<std::uint32_t>(product) >= (std::uint64_t{1} << 32U) % n)
        return static_cast<std::uint32_t>(product >> 32U);
    }
  }

 private:
  std::uint32_t next() {
    const std::uint32_t at = used_++;
    return philox({at / 4, 0, play_, 0}, {seed_, 0})[at % 4];
  }
  std::uint32_t seed_, play_;
  std::uint32_t used_ = 0;
};

TEST(Cuda, TheRandomNumbersOfTheTestsArePhilox) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

class OnTwin : public testing::TestWithParam<std::string> {};

cpp::BuildOptions optimized_twin() {
  cpp::BuildOptions options;
  options.generate.device = true;
  return options;
}

// Not optimized by the compiler: that takes longer than few plays.
cpp::BuildOptions twin_options() {
  cpp::BuildOptions options = optimized_twin();
  options.extra_flags = {"-O0"};
  return options;
}

TEST_P(OnTwin, KnowsTheMovesOfTheInterpreter) {
  const ir::Game game = load(GetParam());
  const auto twin = cpp::make_cpp_reasoner(game, twin_options());
  const auto interpreter = make_interpreter(game);
  std::mt19937 random(1);
  const int plays = full() ? 100 : 4;
  for (int play = 0; play < plays; ++play)
    ASSERT_EQ(corpus::play_both(*interpreter, *twin, random, {.longest = 300}).difference, "") << "play " << play;
}

// Whether two reasoners list moves in the same order, in states of random plays.
bool same_order(Reasoner& one, Reasoner& other) {
  constexpr int kPlays = 20, kMoves = 200;
  std::mt19937 random(1);
  for (int play = 0; play < kPlays; ++play) {
    one.reset();
    other.reset();
    for (int move = 0; move < kMoves && !one.terminal(); ++move) {
      const std::size_t count = one.move_count();
      if (count != other.move_count()) return false;
      for (std::size_t i = 0; i < count; ++i)
        if (one.move_text(i) != other.move_text(i)) return false;
      if (count == 0) break;
      const std::size_t index = random() % count;
      one.apply(index);
      other.apply(index);
    }
  }
  return true;
}

// The C++ reasoner, with the number of each of its moves on a device. A device numbers moves in the order in which the
// rules find them. The reasoner lists them in the same order, except for rays that it reads from tables.
class Listed {
 public:
  explicit Listed(const ir::Game& game) : reasoner_(cpp::make_cpp_reasoner(game)) {
    auto twin = cpp::make_cpp_reasoner(game, full() ? optimized_twin() : twin_options());
    if (!same_order(*reasoner_, *twin)) twin_ = std::move(twin);
  }

  Plays::Play play(std::uint32_t seed, std::uint32_t play, std::uint64_t most_moves) {
    Numbers numbers(seed, play);
    Plays::Play result{0, 0, {}};
    reasoner_->reset();
    if (twin_) twin_->reset();
    for (; !reasoner_->terminal();) {
      const std::size_t count = reasoner_->move_count();
      const std::size_t mover = reasoner_->mover();
      if (mover == reasoner_->info().keeper()) {
        if (count == 0) return {result.moves, 1, {}};
        apply(0, 0);
        continue;
      }
      const bool player = mover < reasoner_->info().players.size();
      if (player && result.moves == most_moves) return {result.moves, 2, {}};
      if (count == 0) return {result.moves, 1, {}};
      const std::size_t number = numbers.uniform(static_cast<std::uint32_t>(count));
      apply(numbered(number), number);
      if (player) ++result.moves;
    }
    for (std::size_t p = 0; p < reasoner_->info().players.size(); ++p) result.scores.push_back(reasoner_->goal(p));
    return result;
  }

 private:
  // The move of the reasoner that has this number.
  std::size_t numbered(std::size_t number) {
    if (!twin_) return number;
    EXPECT_EQ(twin_->move_count(), reasoner_->move_count());
    const auto tags = twin_->move_tags(number);
    const std::vector<std::uint32_t> wanted(tags.begin(), tags.end());
    std::size_t index = 0;
    while (!std::ranges::equal(reasoner_->move_tags(index), wanted)) ++index;
    EXPECT_EQ(reasoner_->move_text(index), twin_->move_text(number));
    return index;
  }
  void apply(std::size_t index, std::size_t number) {
    reasoner_->apply(index);
    if (twin_) twin_->apply(number);
  }

  std::unique_ptr<Reasoner> reasoner_;
  std::unique_ptr<Reasoner> twin_;  // where moves have other numbers
};

// Plays are compared a thousand at a time, until the time for the game ends.
TEST_P(OnTwin, PlaysWhatItsRandomNumbersSay) {
  constexpr std::uint32_t kFirst = 5;
  const ir::Game game = load(GetParam());
  std::unique_ptr<DeviceGame> twin;
  try {
    twin = std::make_unique<DeviceGame>(game, Target::twin);
  } catch (const Error& error) {
    if (!full()) throw;
    fmt::print("{} is refused: {}\n", GetParam(), error.what());
    return;
  }
  Listed listed(game);
  const std::uint32_t wanted = full() ? 100'000 : 300;
  const double until = processor_seconds() + corpus::seconds_for_a_game();
  std::uint32_t alike = 0, lacked = 0;
  for (std::uint32_t done = 0; done < wanted && processor_seconds() < until;) {
    const PlaysOptions options{.first = kFirst + done,
                               .count = std::min<std::uint32_t>(wanted - done, 1000),
                               .seed = 7,
                               .most_moves = 1000,
                               .each = true};
    const Plays plays = twin->play(options);
    ASSERT_EQ(plays.each.size(), options.count);
    done += static_cast<std::uint32_t>(options.count);
    std::uint64_t moves = 0;
    for (std::uint64_t i = 0; i < options.count && processor_seconds() < until; ++i) {
      if (plays.each[i].end == RGTRANS_PLAY_LACKED) {
        ++lacked;
        continue;
      }
      const auto number = static_cast<std::uint32_t>(options.first + i);
      const Plays::Play expected = listed.play(7, number, options.most_moves);
      ASSERT_EQ(plays.each[i].moves, expected.moves) << "play " << number;
      ASSERT_EQ(plays.each[i].end, expected.end) << "play " << number;
      if (expected.end == 0) {
        ASSERT_EQ(plays.each[i].scores, expected.scores) << "play " << number;
      }
      moves += expected.moves;
      ++alike;
    }
    if (lacked == 0 && alike == done) {
      EXPECT_EQ(plays.stats.moves, moves);
    }
  }
  fmt::print("{}: {} plays are alike, {} given up for lack of room\n", GetParam(), alike, lacked);
  // A play does not depend on the other plays of the batch.
  const Plays some = twin->play({.first = kFirst, .count = 20, .seed = 7, .most_moves = 1000, .each = true});
  const Plays one = twin->play({.first = kFirst + 12, .count = 1, .seed = 7, .most_moves = 1000, .each = true});
  EXPECT_EQ(one.each[0].moves, some.each[12].moves);
  if (!full()) {
    EXPECT_EQ(lacked, 0);
  }
}

// Sets and single moves, chance, hidden moves, labelings that may repeat, areas, chains of captures in unpacked moves,
// and ways longer than the initial depth of the stack. Or the file in RGTRANS_GAME.
std::vector<std::string> chosen() {
  if (const char* const given = std::getenv("RGTRANS_GAME"); given != nullptr) return {given};
  return {"hrg/breakthrough.hrg",  "hrg/kuhn-poker.hrg",
          "rbg/hex.rbg",           "hrg/english-draughts.hrg",
          "hrg/knightthrough.hrg", "rbg/international-draughts.rbg",
          "ludax/hex.ldx"};
}

INSTANTIATE_TEST_SUITE_P(Games, OnTwin, testing::ValuesIn(chosen()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return std::string(error.what()) + "\n" + error.diagnostics().at(0).hint;
  }
  return "";
}

TEST(Cuda, WhereThereIsNoDeviceTheProcessorIsNamed) {
  if (std::filesystem::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a device";
  EXPECT_THAT(message_of([] { require_device(); }),
              testing::AllOf(HasSubstr("there is no CUDA device on this machine"), HasSubstr("engine \"cpp\"")));
}

TEST(Cuda, WithoutNvccItSaysSo) {
  const char* const before = std::getenv("NVCC");
  const std::string kept = before == nullptr ? "" : before;
  setenv("NVCC", "/nowhere/nvcc", 1);
  const ir::Game game = load("hrg/tic-tac-toe.hrg");
  EXPECT_THAT(message_of([&] { build(game, Target::gpu); }),
              testing::AllOf(HasSubstr("there is no CUDA compiler"), HasSubstr("engine \"cpp\"")));
  before == nullptr ? unsetenv("NVCC") : setenv("NVCC", kept.c_str(), 1);
}

TEST(Cuda, AGameThatIsTooLargeForCodeIsRefused) {
  limits::cpp_code.set(1);
  const ir::Game game = load("hrg/tic-tac-toe.hrg");
  EXPECT_THAT(message_of([&] { cpp::generate(game, {.device = true}); }),
              testing::AllOf(HasSubstr("too large for a device"), HasSubstr("engine \"cpp\"")));
  limits::cpp_code.set(limits::cpp_code.standard());
}

TEST(Cuda, NvccCompilesTheKernels) {
  const char* const named = std::getenv("NVCC");
  const std::string nvcc = named != nullptr ? named : "/usr/local/cuda/bin/nvcc";
  if (std::system(("'" + nvcc + "' --version > /dev/null 2>&1").c_str()) != 0 &&
      std::system("nvcc --version > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "there is no nvcc";
  }
  // Two libraries of one process have names in common, but each its own players.
  std::vector<const rgtrans_device*> games;
  for (const char* const name : {"rbg/hex.rbg", "hrg/tic-tac-toe.hrg"}) {
    const cpp::Built built = build(load(name), Target::gpu);
    EXPECT_TRUE(std::filesystem::exists(built.executable));
    void* const library = dlopen(built.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto get = reinterpret_cast<const rgtrans_device* (*)(std::uint32_t)>(dlsym(library, "rgtrans_get_device"));
    ASSERT_NE(get, nullptr);
    ASSERT_NE(get(RGTRANS_DEVICE_VERSION), nullptr);
    games.push_back(get(RGTRANS_DEVICE_VERSION));
  }
  EXPECT_STREQ(games[0]->player_names[0], "red");
  EXPECT_STREQ(games[1]->player_names[0], "cross");
}

}  // namespace
}  // namespace rgtrans::cuda
