// Moves that compiled reasoners draw without a list against the moves that they list: as many, the same ones, and each
// drawn as often as the others. By default a few games; all of the corpus with RGTRANS_FULL.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/interface.h"
#include "core/passes/passes.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/support/quick_reasoner.hpp"

namespace rgtrans::cpp {
namespace {

using namespace corpus;
using Tags = std::vector<std::uint32_t>;

std::vector<CorpusGame> games() {
  const std::set<std::pair<std::string, std::string>> few = {
      {"hrg", "breakthrough"}, {"hrg", "theMillGame"}, {"rbg", "reversi_4x4"}, {"hrg", "ticTacDie"}};
  std::vector<CorpusGame> chosen;
  for (const CorpusGame& game : all_games()) {
    if (full() || few.contains({game.kind, game.name})) chosen.push_back(game);
  }
  if (chosen.empty()) chosen.push_back({"no", "corpus", {}, {}});
  return chosen;
}

// A state of a compiled game, with memory to work with.
class Position {
 public:
  explicit Position(const rgtrans_reasoner& f) : f_(f), state_(memory(f)), spare_(memory(f)), cache_(f.new_cache()) {
    f_.initial(state_.get());
  }
  Position(const Position&) = delete;
  Position& operator=(const Position&) = delete;
  ~Position() { f_.delete_cache(cache_); }

  // The keeper moves first; false when the play is over.
  bool advance() {
    while (f_.terminal(state_.get()) == 0 && f_.mover(state_.get()) == f_.players) {
      if (f_.apply_tags(state_.get(), cache_, nullptr, 0) == 0) return false;
    }
    return f_.terminal(state_.get()) == 0;
  }
  std::vector<Tags> listed() {
    std::vector<Tags> moves(f_.list_moves(state_.get(), cache_));
    for (std::size_t i = 0; i < moves.size(); ++i) {
      moves[i].resize(f_.most_tags);
      moves[i].resize(f_.move_tags(cache_, i, moves[i].data()));
    }
    return moves;
  }
  std::vector<Tags> counted() {
    std::vector<Tags> moves(f_.count_moves(state_.get(), cache_));
    for (std::size_t i = 0; i < moves.size(); ++i) {
      moves[i].resize(f_.most_tags);
      moves[i].resize(f_.counted_tags(state_.get(), cache_, i, moves[i].data()));
    }
    return moves;
  }
  // Draws from a copy; whether the copy becomes what applying the move makes.
  Tags drawn(std::uint64_t& random, bool& same) {
    Tags tags(f_.most_tags);
    std::memcpy(spare_.get(), state_.get(), f_.state_size);
    const int count = f_.random_move(spare_.get(), cache_, &random, tags.data());
    tags.resize(static_cast<std::size_t>(std::max(count, 0)));
    const auto after = memory(f_);
    std::memcpy(after.get(), state_.get(), f_.state_size);
    same = count >= 0 && f_.apply_tags(after.get(), cache_, tags.data(), static_cast<std::uint32_t>(count)) != 0 &&
           std::memcmp(after.get(), spare_.get(), f_.state_size) == 0;
    return tags;
  }
  void apply(const Tags& tags) {
    f_.apply_tags(state_.get(), cache_, tags.data(), static_cast<std::uint32_t>(tags.size()));
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  static std::unique_ptr<void, Free> memory(const rgtrans_reasoner& f) {
    constexpr std::size_t kAlign = 64;
    return std::unique_ptr<void, Free>(std::aligned_alloc(kAlign, (f.state_size + kAlign - 1) / kAlign * kAlign));
  }
  const rgtrans_reasoner& f_;
  std::unique_ptr<void, Free> state_, spare_;
  void* cache_;
};

// How far the numbers are from equal ones, in standard deviations: the square root of twice a chi-square value is about
// normal.
double deviation(const std::map<Tags, int>& times, std::size_t moves, int draws) {
  const double expected = static_cast<double>(draws) / static_cast<double>(moves);
  double squares = expected * static_cast<double>(moves - times.size());
  for (const auto& [move, count] : times) squares += (count - expected) * (count - expected) / expected;
  return std::sqrt(2 * squares) - std::sqrt(2 * static_cast<double>(moves - 1) - 1);
}

class DrawnMoves : public testing::TestWithParam<CorpusGame> {
 protected:
  void SetUp() override { SKIP_WITHOUT_SHARED(); }
};

TEST_P(DrawnMoves, AreThoseThatAreListedEachAsOften) {
  ir::Game game = corpus::load(GetParam());
  passes::OptimizeOptions options;
  options.level = 2;
  passes::optimize(game, options);
  BuildOptions how;
  how.generate.title = GetParam().name;
  const Built built = build(game, test::quick(how));
  void* const library = dlopen(built.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto get = reinterpret_cast<decltype(&rgtrans_get_reasoner)>(dlsym(library, "rgtrans_get_reasoner"));
  const rgtrans_reasoner& f = *get(RGTRANS_REASONER_VERSION);

  const int most = full() ? 200 : 40;
  constexpr int kDraws = 20;  // of each move
  constexpr std::size_t kMostMoves = 3000;
  constexpr double kFarthest = 6.5;  // so far is one of 10^10 positions
  const double until = processor_seconds() + seconds_for_a_game();
  std::mt19937 choose(1);
  std::uint64_t random = 1;
  int positions = 0;
  double farthest = 0;
  while (positions < most && processor_seconds() < until) {
    Position position(f);
    while (positions < most && position.advance()) {
      const std::vector<Tags> listed = position.listed();
      if (listed.empty()) break;
      std::vector<Tags> sorted = listed;
      std::vector<Tags> counted = position.counted();
      std::ranges::sort(sorted);
      std::ranges::sort(counted);
      ASSERT_EQ(sorted, counted) << "position " << positions;
      if (listed.size() > 1 && listed.size() <= kMostMoves) {
        const int draws = kDraws * static_cast<int>(listed.size());
        std::map<Tags, int> times;
        for (int i = 0; i < draws; ++i) {
          bool same = false;
          const Tags tags = position.drawn(random, same);
          ASSERT_TRUE(same) << "position " << positions;
          ++times[tags];
        }
        for (const auto& [tags, count] : times) ASSERT_TRUE(std::ranges::binary_search(sorted, tags));
        const double far = deviation(times, listed.size(), draws);
        farthest = std::max(farthest, std::abs(far));
        EXPECT_LT(std::abs(far), kFarthest) << "position " << positions;
      }
      ++positions;
      position.apply(listed[choose() % listed.size()]);
    }
    if (positions == 0) break;
  }
  fmt::print("{} {}: {} positions, at most {:.1f} standard deviations\n", GetParam().kind, GetParam().name, positions,
             farthest);
  dlclose(library);
}

INSTANTIATE_TEST_SUITE_P(Cpp, DrawnMoves, testing::ValuesIn(games()), [](const auto& info) {
  return test_name(info.param.kind + "_" + info.param.name + "_" + std::to_string(info.index));
});

}  // namespace
}  // namespace rgtrans::cpp
