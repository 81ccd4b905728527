// Every RBG game of the corpus, high-level and low-level, translates and has the perft of the native RBG compiler at
// every recorded depth. Its random plays are like those of native RBG, and its low-level form is the same game. By
// default the interpreter and small numbers; with RGTRANS_FULL compiled reasoners and all recorded depths.
#include "frontends/rbg/rbg.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

using namespace corpus;

constexpr std::size_t kShards = 24;  // so that test runners can spread the games

// The rows of a table of the oracle by game.
std::map<std::string, std::vector<Row>> by_game(const std::string& name) {
  std::map<std::string, std::vector<Row>> result;
  for (Row& row : table(shared() / "oracle" / name)) result[row["game"]].push_back(row);
  return result;
}

ir::Game load_text(const std::string& name, std::string text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(name, std::move(text));
  ir::Game game = rbg::frontend().load(file, diagnostics, {});
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {.warnings = false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return game;
}
ir::Game load(const fs::path& path) { return load_text(path.string(), read_file(path)); }

std::unique_ptr<Reasoner> compiled(ir::Game game) {
  passes::optimize(game);
  return cpp::make_cpp_reasoner(game);
}

// The essence of a description: the rules, and the vertices in any order.
std::vector<std::string> essence(const fs::path& path) {
  Diagnostics diagnostics;
  std::istringstream text(rbg::to_low_level(diagnostics.sources()->add(path.string(), read_file(path)), diagnostics));
  std::vector<std::string> vertices;
  std::string rules;
  bool in_rules = false;
  for (std::string line; std::getline(text, line);) {
    std::erase(line, ' ');
    in_rules = in_rules || line.starts_with("#rules");
    if (in_rules) {
      rules += line;
    } else if (line.find('{') != std::string::npos) {
      vertices.push_back(line);
    }
  }
  std::ranges::sort(vertices);
  vertices.push_back(rules);
  return vertices;
}

enum class Form : std::uint8_t { own, repeated, other };

// A low-level file is the high-level one again, or another version of it: native RBG was not measured with that.
Form form_of(const fs::path& path) {
  const fs::path high = path.parent_path().parent_path() / "high" / path.filename();
  if (path.parent_path().stem() != "low" || !fs::exists(high)) return Form::own;
  return essence(high) == essence(path) ? Form::repeated : Form::other;
}

// One part of the files of the corpus, of both forms.
class RbgCorpus : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_SHARED();
    std::vector<fs::path> all;
    for (const char* form : {"high", "low"}) {
      for (const auto& entry : fs::directory_iterator(shared() / "corpus" / "rbg" / form)) {
        if (entry.path().extension() == ".rbg") all.push_back(entry.path());
      }
    }
    ASSERT_GE(all.size(), 100U);
    std::ranges::sort(all, {}, [](const fs::path& path) { return std::pair(path.stem(), path); });
    for (std::size_t i = GetParam(); i < all.size(); i += kShards) files_.push_back(all[i]);
  }

  std::vector<fs::path> files_;
};

INSTANTIATE_TEST_SUITE_P(Part, RbgCorpus, ::testing::Range(std::size_t{0}, kShards));

TEST_P(RbgCorpus, PerftIsThatOfNativeRbg) {
  Counts expected = known_perft("rbg");
  // The cost of a position differs very much between games; this keeps the quick run to seconds.
  const std::uint64_t most_interpreted = full() ? 100'000 : 1'000;
  for (const fs::path& path : files_) {
    SCOPED_TRACE(path.string());
    // Games that are repeated, or equal up to their ends, are not counted to the end again.
    const std::uint64_t most = form_of(path) == Form::own ? UINT64_MAX : 500'000;
    const ir::Game game = load(path);
    if (HasFailure()) continue;
    const auto interpreter = make_interpreter(game);
    std::unique_ptr<Reasoner> engine;
    for (const auto& [depth, count] : expected[path.stem()]) {
      if (count <= most_interpreted || depth == 1) {
        EXPECT_EQ(interpreter->perft(depth), count) << "interpreted, depth " << depth;
      }
      if (!full() || count > most) continue;
      if (!engine) engine = compiled(game);
      EXPECT_EQ(engine->perft(depth), count) << "compiled, depth " << depth;
    }
  }
}

// Both means are those of samples, so the difference is judged by both spreads.
TEST_P(RbgCorpus, PlaysAtRandomLikeNativeRbg) {
  constexpr double kSigmas = 4;
  constexpr double kRounding = 0.001;
  auto expected = by_game("rbg_playouts.tsv");
  for (const fs::path& path : files_) {
    const auto known = expected.find(path.stem());
    if (known == expected.end()) continue;
    if (form_of(path) != Form::own) continue;
    Row& row = known->second.front();
    const double speed = std::stod(row["playouts_per_cpu_s"]);
    if (!full() && speed < 10'000) continue;
    SCOPED_TRACE(path.string());
    const ir::Game game = load(path);
    const auto engine = full() ? compiled(game) : make_interpreter(game);
    const double count = full() ? std::clamp(std::round(speed * 4), 200.0, 200'000.0) : 200;
    const PlayoutStats stats = engine->playouts({.count = static_cast<std::uint64_t>(count), .seconds = 0, .seed = 7});
    const double theirs = std::stod(row["playouts"]);
    auto compare = [&](double sum, double squares, const std::string& recorded, const std::string& what) {
      const double mean = sum / count;
      // Where ours never vary, theirs may have met the exception.
      const double variance = std::max(squares / count - mean * mean, 1 / count);
      const double sigma = std::sqrt(variance * (1 / count + 1 / theirs));
      EXPECT_NEAR(mean, std::stod(recorded), kSigmas * sigma + kRounding) << what;
    };
    compare(static_cast<double>(stats.moves), stats.length_squares, row["avg_depth"], "length");
    std::istringstream scores(row["avg_scores"]), players(row["players"]);
    for (std::size_t p = 0; p < stats.goal_sum.size(); ++p) {
      std::string score, player;
      std::getline(scores, score, ',');
      std::getline(players, player, ',');
      compare(stats.goal_sum[p], stats.goal_squares[p], score, "score of " + player);
    }
  }
}

TEST_P(RbgCorpus, TheLowLevelFormIsTheSameGame) {
  const int plays = full() ? 10 : 1, longest = full() ? 1'000 : 12;
  const std::uint64_t most = full() ? 10'000 : 100;
  Counts expected = known_perft("rbg");
  for (const fs::path& path : files_) {
    SCOPED_TRACE(path.string());
    Diagnostics diagnostics;
    const std::string text = rbg::to_low_level(diagnostics.sources()->add(path.string(), read_file(path)), diagnostics);
    ASSERT_FALSE(diagnostics.has_errors());
    Diagnostics others;
    EXPECT_EQ(rbg::to_low_level(others.sources()->add("low", text), others), text) << "not stable";
    const auto high = make_interpreter(load(path)), low = make_interpreter(load_text("low", text));
    if (HasFailure()) continue;
    std::mt19937 random(1);
    for (int play = 0; play < plays; ++play) {
      const corpus::Alike alike = corpus::play_both(*high, *low, random, {.longest = longest});
      ASSERT_EQ(alike.difference, "");
      ASSERT_FALSE(alike.stuck);
    }
    low->reset();
    for (const auto& [depth, count] : expected[path.stem()]) {
      if (count > most) break;
      EXPECT_EQ(low->perft(depth), count) << "depth " << depth;
    }
  }
}

}  // namespace
}  // namespace rgtrans
