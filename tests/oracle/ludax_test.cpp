// Every Ludax program of the corpus: perft at every depth that is recorded, playouts step by step with all legal moves,
// averages of random playouts; at each level of optimization. By default the interpreter and small numbers; with
// RGTRANS_FULL compiled reasoners and everything that is recorded.
#include "frontends/ludax/ludax.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "tests/support/checksum.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

using namespace corpus;

std::vector<fs::path> programs() {
  std::vector<fs::path> files;
  for (const char* folder : {"corpus/ldx", "corpus/ldx/variants"}) {
    if (!fs::exists(shared() / folder)) continue;
    for (const auto& entry : fs::directory_iterator(shared() / folder)) {
      if (entry.path().extension() == ".ldx") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files, {}, [](const fs::path& path) { return path.stem(); });
  return files;
}

ir::Game load(const fs::path& path, int level) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add(path.string(), read_file(path));
  ir::Game game = ludax::frontend().load(file, diagnostics, {});
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {.warnings = false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  passes::OptimizeOptions options;
  options.level = level;
  if (!diagnostics.has_errors()) passes::optimize(game, options);
  return game;
}

// Rows with mistakes of the published implementation are for information only.
std::vector<Row> rows(const std::string& table_name, const std::string& game) {
  std::vector<Row> result;
  for (Row& row : table(shared() / "oracle" / table_name)) {
    if (row["game"] == game && row["source"] != "ludax-deviating") result.push_back(std::move(row));
  }
  return result;
}

// The legal actions as the traces number them: the pass comes behind all cells.
std::map<int, std::size_t> actions(Reasoner& reasoner, int cells) {
  std::map<int, std::size_t> found;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) {
    const std::string text = reasoner.move_text(i);
    found[text == "pass" ? cells : std::stoi(text)] = i;
  }
  return found;
}

// Up to a state in which a player acts, or the end.
void settle(Reasoner& reasoner) {
  while (!reasoner.terminal() && reasoner.mover() == reasoner.info().keeper()) reasoner.apply(0);
}

class LudaxCorpus : public ::testing::TestWithParam<fs::path> {
 protected:
  [[nodiscard]] static std::string name() { return GetParam().stem().string(); }
};

std::string name_of(const ::testing::TestParamInfo<fs::path>& info) { return test_name(info.param.stem().string()); }
INSTANTIATE_TEST_SUITE_P(Programs, LudaxCorpus, ::testing::ValuesIn(programs()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LudaxCorpus);

TEST(LudaxCorpus, IsThere) {
  SKIP_WITHOUT_SHARED();
  EXPECT_GE(programs().size(), 30U);
}

TEST_P(LudaxCorpus, HasThePerftThatIsRecorded) {
  const std::vector<Row> known = rows("ldx_perft.tsv", name());
  EXPECT_FALSE(known.empty());
  const std::uint64_t most = full() ? 300'000 : 20'000;
  for (int level : {0, 1, 2}) {
    const ir::Game game = load(GetParam(), level);
    if (HasFailure()) return;
    const auto interpreter = make_interpreter(game);
    const auto compiled = full() ? cpp::make_cpp_reasoner(game) : nullptr;
    for (Row row : known) {
      const auto depth = static_cast<unsigned>(std::stoul(row["depth"]));
      const std::uint64_t count = std::stoull(row["count"]);
      SCOPED_TRACE(fmt::format("-O{}, depth {}", level, depth));
      if (count <= most && (count > 0 || full() || depth <= 10)) {
        EXPECT_EQ(interpreter->perft(depth), count);
      }
      if (compiled) {
        EXPECT_EQ(compiled->perft(depth), count) << "compiled";
      }
    }
  }
}

void follow(const nlohmann::json& trace, Reasoner& reasoner) {
  reasoner.reset();
  settle(reasoner);
  const int cells = trace["cells"];
  std::size_t number = 0;
  for (const auto& step : trace["steps"]) {
    SCOPED_TRACE(fmt::format("step {}", number++));
    ASSERT_FALSE(reasoner.terminal());
    ASSERT_EQ(reasoner.info().players[reasoner.mover()], fmt::format("P{}", step["player"].get<int>()));
    const auto legal = actions(reasoner, cells);
    std::string text;
    for (const auto& [action, index] : legal) text += std::to_string(action) + "\n";
    ASSERT_EQ(legal.size(), step["n"].get<std::size_t>()) << text;
    ASSERT_EQ(fmt::format("{:08x}", crc32(text)), step["h"].get<std::string>()) << text;
    reasoner.apply(legal.at(step["action"].get<int>()));
    settle(reasoner);
  }
  EXPECT_TRUE(reasoner.terminal());
  const int winner = trace["winner"];
  for (std::size_t player = 0; player < 2; ++player) {
    const bool won = winner == static_cast<int>(player) + 1;
    EXPECT_EQ(reasoner.goal(player), winner == 0 ? "50" : won ? "100" : "0");
  }
}

TEST_P(LudaxCorpus, FollowsTheTraces) {
  std::ifstream file(shared() / "oracle" / "ldx_traces" / (name() + ".jsonl"));
  std::vector<nlohmann::json> traces;
  for (std::string line; std::getline(file, line);) traces.push_back(nlohmann::json::parse(line));
  EXPECT_FALSE(traces.empty());
  for (int level : {0, 1, 2}) {
    const ir::Game game = load(GetParam(), level);
    if (HasFailure()) return;
    const auto interpreter = make_interpreter(game);
    const auto compiled = full() ? cpp::make_cpp_reasoner(game) : nullptr;
    for (std::size_t i = 0; i < (full() ? traces.size() : 2); ++i) {
      SCOPED_TRACE(fmt::format("-O{}, playout {}", level, i));
      follow(traces[i], *interpreter);
      if (compiled) follow(traces[i], *compiled);
      if (HasFailure()) return;
    }
  }
}

// Both means are those of samples, so the difference is judged by both spreads. `first` is the player who begins.
void compare_averages(const std::string& name, std::size_t first, const PlayoutStats& stats) {
  constexpr double kSigmas = 4;
  const auto count = static_cast<double>(stats.playouts);
  const double mean = static_cast<double>(stats.moves) / count;
  const double variance = std::max(stats.length_squares / count - mean * mean, 1 / count);
  std::size_t compared = 0;
  for (Row row : rows("ldx_playouts.tsv", name)) {
    const double theirs = std::stod(row["playouts"]);
    // The implementation carries out one illegal action where a game is stuck.
    if (row["source"].starts_with("ludax") && (row["stuck"] != "0" || name == "yavalath")) continue;
    ++compared;
    EXPECT_NEAR(mean, std::stod(row["mean_length"]), kSigmas * std::sqrt(variance * (1 / count + 1 / theirs)) + 0.001);
    if (row["first_wins"].empty()) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const double rate = std::stod(row[i == 0 ? "first_wins" : "second_wins"]) / theirs;
      const double ours = static_cast<double>(stats.wins[(first + i) % 2]) / count;
      const double both = (rate * theirs + ours * count) / (theirs + count);
      EXPECT_NEAR(ours, rate, kSigmas * std::sqrt(std::max(both * (1 - both), 1 / count) * (1 / count + 1 / theirs)));
    }
  }
  EXPECT_GT(compared, 0U);
}

TEST_P(LudaxCorpus, PlaysAtRandomAsRecorded) {
  for (const int level : full() ? std::vector{0, 1, 2} : std::vector{2}) {
    SCOPED_TRACE(fmt::format("-O{}", level));
    const ir::Game game = load(GetParam(), level);
    if (HasFailure()) return;
    const auto interpreter = make_interpreter(game);
    settle(*interpreter);
    const std::size_t first = interpreter->mover();
    interpreter->reset();
    const std::uint64_t few = full() ? 1'000 : 300, many = 20'000;
    compare_averages(name(), first, interpreter->playouts({.count = few, .seconds = 0, .seed = 7}));
    if (!full()) continue;
    SCOPED_TRACE("compiled");
    compare_averages(name(), first, cpp::make_cpp_reasoner(game)->playouts({.count = many, .seconds = 0, .seed = 7}));
  }
}

}  // namespace
}  // namespace rgtrans
