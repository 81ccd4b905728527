// The full proof by execution, one test per game, so that they run in parallel. It compares perft at -O1 and -O2 with
// the oracle, plays 200 random games in lock-step before and after each pass, and checks the promises of the pragmas
// along random plays. Only with RGTRANS_FULL. Every test has a bound on its processor time (RGTRANS_GAME_SECONDS, else
// 60 s); games beyond it are reported as skipped. RGTRANS_ONLY=NAME takes one game.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "backends/lockstep/lockstep.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/support/naive_evaluator.hpp"

namespace rgtrans {
namespace {

using namespace corpus;

std::vector<CorpusGame> games() {
  std::vector<CorpusGame> list;
  if (fs::exists(shared() / "corpus")) list = all_games(true);
  if (list.empty()) list.push_back({"no", "corpus", {}, {}});
  return list;
}

class OptimizerFull : public ::testing::TestWithParam<CorpusGame> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_SHARED();
    if (!full()) GTEST_SKIP() << "long; set RGTRANS_FULL";
    const char* const only = std::getenv("RGTRANS_ONLY");
    if (only != nullptr && GetParam().name != only) GTEST_SKIP() << "not the game in RGTRANS_ONLY";
  }
};

TEST_P(OptimizerFull, PerftIsThatOfTheOracle) {
  const CorpusGame& game = GetParam();
  const double end = processor_seconds() + seconds_for_a_game();
  const ir::Game plain = load(game);
  std::map<unsigned, std::uint64_t> expected = known_perft(language(game.kind))[game.name];
  // The published line games have moves that lead to several states, and their counts are of walks.
  const bool walks = game.kind == "line" && !expected.empty();
  if (expected.empty()) {  // then the game as it was translated
    const auto reasoner = make_interpreter(plain);
    const double quarter = processor_seconds() + seconds_for_a_game() / 4;
    for (unsigned depth = 1; depth <= 6 && (depth == 1 || processor_seconds() < quarter); ++depth) {
      expected[depth] = reasoner->perft(depth);
      if (depth > 1 &&
          expected[depth] * (expected[depth] / std::max<std::uint64_t>(1, expected[depth - 1])) > 3'000'000)
        break;
    }
  }
  bool all = true;
  for (const int level : {1, 2}) {
    ir::Game optimized = plain;
    passes::OptimizeOptions options;
    options.level = level;
    passes::optimize(optimized, options);
    const auto reasoner = make_interpreter(optimized);
    double last = 0;
    double before = 0;
    for (const auto& [depth, count] : expected) {
      // A depth takes about as much longer as it did last time.
      const double growth = before > 0 ? std::max(2.0, last / before) : 30;
      if (depth > 1 && processor_seconds() + last * growth > end) {
        all = false;
        fmt::print("-O{}: depths from {} of {} take too long\n", level, depth, expected.rbegin()->first);
        break;
      }
      const double start = processor_seconds();
      EXPECT_EQ(walks ? reasoner->perft_walks(depth) : reasoner->perft(depth), count)
          << "-O" << level << " at depth " << depth;
      before = last;
      last = processor_seconds() - start;
    }
  }
  if (!all && !HasFailure()) GTEST_SKIP() << "the rest is more than " << seconds_for_a_game() << " s";
}

// Processor time of a walk of at most so many moves, from a few of them.
double seconds_of_a_walk(const ir::Game& game, std::size_t longest) {
  const auto play = make_interpreter(game);
  std::mt19937_64 random(1);
  const double start = processor_seconds();
  std::size_t moves_made = 0;
  std::size_t walks = 0;
  while (processor_seconds() < start + 1) {
    ++walks;
    play->reset();
    for (std::size_t length = 0; length < longest && processor_seconds() < start + 2 && !play->terminal(); ++length) {
      const std::size_t moves = play->move_count();
      if (moves == 0) break;
      play->apply(std::uniform_int_distribution<std::size_t>(0, moves - 1)(random));
      ++moves_made;
    }
  }
  const double seconds = processor_seconds() - start;
  return walks > 1 ? seconds / static_cast<double>(walks)
                   : seconds * static_cast<double>(longest) / static_cast<double>(std::max<std::size_t>(1, moves_made));
}

TEST_P(OptimizerFull, EveryPassKeepsTheGame) {
  const CorpusGame& game = GetParam();
  const ir::Game plain = load(game);
  constexpr std::size_t kMostEdges = 3'000'000;
  if (plain.graph.edge_count() > kMostEdges) GTEST_SKIP() << plain.graph.edge_count() << " edges";
  const double walk_seconds = seconds_of_a_walk(plain, lockstep::WalkOptions().longest);
  std::size_t fewest = 200;
  std::size_t longest = lockstep::WalkOptions().longest;
  std::size_t compared = 0;
  for (const int level : {1, 2}) {
    ir::Game g = plain;
    passes::OptimizeOptions options;
    options.level = level;
    std::size_t changes = 0;
    options.on_change = [&](const passes::PassEvent&) { ++changes; };
    passes::optimize(g, options);
    g = plain;
    lockstep::WalkOptions walks;
    const double seconds = seconds_for_a_game() / 2 / static_cast<double>(std::max<std::size_t>(1, changes));
    walks.seconds = seconds;
    // Where 200 walks take too long they are shorter, but not fewer.
    constexpr std::size_t kShortest = 5;
    const double share = seconds / (1.5 * walk_seconds * static_cast<double>(walks.walks));
    if (share < 1) {
      const auto moves = static_cast<std::size_t>(share * static_cast<double>(walks.longest));
      walks.longest = std::max(kShortest, moves);
    }
    longest = std::min(longest, walks.longest);
    options.on_change = {};
    options.verify_each = lockstep::comparison(walks);
    try {
      const passes::OptimizeReport report = passes::optimize(g, options);
      compared += report.compared;
      if (report.compared > 0) fewest = std::min(fewest, report.fewest_walks);
    } catch (const Error& e) {
      FAIL() << "-O" << level << ": " << e.what();
    }
  }
  fmt::print("{} changes compared with at least {} walks each, of at most {} moves\n", compared, fewest, longest);
  if (fewest < 200) GTEST_SKIP() << "only " << fewest << " of 200 walks fit in " << seconds_for_a_game() << " s";
}

TEST_P(OptimizerFull, PragmasKeepTheirPromises) {
  const CorpusGame& game = GetParam();
  const double end = processor_seconds() + seconds_for_a_game();
  ir::Game g = load(game);
  passes::optimize(g);
  constexpr std::size_t kEffort = 50;
  naive::Evaluator plain(g, {.effort = kEffort});
  naive::Evaluator trusting(g, {.trust = true, .effort = kEffort});
  std::mt19937_64 random(1);
  std::size_t states = 0;
  std::size_t applied = 0;
  constexpr std::size_t kWalks = 200;
  std::size_t walk = 0;
  try {
    for (; walk < kWalks && processor_seconds() < end; ++walk) {
      // If the patterns of @simpleApply make the moves, variables that nothing reads differ.
      naive::State state = plain.initial();
      naive::State other = state;
      for (int length = 0; length < 200 && processor_seconds() < end; ++length) {
        ASSERT_EQ(plain.final(state), trusting.final(other));
        if (plain.final(state)) {
          ASSERT_EQ(plain.goals(state), trusting.goals(other));
          break;
        }
        ASSERT_EQ(plain.mover(state), trusting.mover(other));
        const auto moves = plain.moves(state);
        const auto others = trusting.moves(other);
        std::set<std::string> a;
        std::set<std::string> b;
        for (const auto& [text, to] : moves) a.insert(text);
        for (const auto& [text, to] : others) b.insert(text);
        ASSERT_EQ(a, b) << "in walk " << walk << " after " << length << " moves";
        if (moves.empty()) break;
        ++states;
        const auto choice = std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(random);
        const std::string text = std::next(moves.begin(), static_cast<std::ptrdiff_t>(choice))->first;
        const auto by_pattern = trusting.apply(other, text);
        applied += by_pattern.has_value();
        const naive::State next = *moves.at(text).begin();
        other = by_pattern ? *by_pattern : naive::State(*others.at(text).begin());
        state = next;
      }
    }
  } catch (const naive::TooHard& e) {
    GTEST_SKIP() << "too hard for the naive evaluator: " << e.what();
  } catch (const std::logic_error& e) {
    FAIL() << "a promise is broken: " << e.what();
  }
  fmt::print("{} walks, {} states, {} moves applied by patterns\n", walk, states, applied);
  if (walk < kWalks) GTEST_SKIP() << "only " << walk << " of " << kWalks << " walks fit";
}

INSTANTIATE_TEST_SUITE_P(Corpus, OptimizerFull, ::testing::ValuesIn(games()),
                         [](const auto& info) { return test_name(info.param.kind + "_" + info.param.name); });

}  // namespace
}  // namespace rgtrans
