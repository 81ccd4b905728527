// Our own games have their perft numbers next to them: NAME.perft for NAME.hrg, lines "depth TAB count". Quick runs
// stop at small counts, RGTRANS_FULL=1 runs every line. Every game is parsed, and translated at every level.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "tests/support/own_games.hpp"
#include "tests/support/quick_reasoner.hpp"

namespace rgtrans {
namespace {

constexpr std::uint64_t kQuickLeaves = 60'000;

std::map<unsigned, std::uint64_t> sidecar_counts(const std::string& game) {
  std::ifstream file((own_games::folder() / game).replace_extension(".perft"));
  std::map<unsigned, std::uint64_t> counts;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    unsigned depth = 0;
    std::uint64_t count = 0;
    fields >> depth >> count;
    EXPECT_FALSE(fields.fail()) << game << ": " << line;
    counts[depth] = count;
  }
  return counts;
}

// The same rules in two languages have the same counts, however the moves are called.
TEST(OwnGames, LudaxCountsWhatHrgCounts) {
  std::size_t compared = 0;
  for (const std::string& game : own_games::all()) {
    const std::filesystem::path hrg = std::filesystem::path("hrg") / std::filesystem::path(game).stem().concat(".hrg");
    if (!game.starts_with("ludax/") || !std::filesystem::exists(own_games::folder() / hrg)) continue;
    const auto counts = sidecar_counts(game), others = sidecar_counts(hrg.string());
    for (const auto& [depth, count] : counts) {
      if (!others.contains(depth)) continue;
      ++compared;
      EXPECT_EQ(count, others.at(depth)) << game << ", depth " << depth;
    }
  }
  EXPECT_GE(compared, 10U);
}

// Of GDL the joint moves, where the sidecar has them.
std::map<unsigned, std::uint64_t> joint_counts(const std::string& game) {
  std::ifstream file((own_games::folder() / game).replace_extension(".perft"));
  std::map<unsigned, std::uint64_t> counts;
  const std::string_view heading = "# joint moves:";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(heading)) continue;
    std::istringstream fields(line.substr(heading.size()));
    std::string count;
    for (unsigned depth = 1; fields >> count; ++depth) counts[depth] = std::stoull(count);
  }
  return counts;
}

// Every game of Ludii counts as another version of it, at two depths or more.
TEST(OwnGames, LudiiCountsWhatOthersCount) {
  const std::map<std::string, std::string> other_names = {{"dash-guti", "linegames/dashGuti_lud.py"}};
  std::size_t games = 0;
  for (const std::string& game : own_games::all()) {
    if (!game.starts_with("ludii/")) continue;
    const std::string name = std::filesystem::path(game).stem().string();
    std::vector<std::string> versions;
    for (const char* const folder : {"hrg", "ludax", "rbg", "gdl"}) {
      const std::string version = std::string(folder) + "/" + name + ".perft";
      if (std::filesystem::exists(own_games::folder() / version)) versions.push_back(version);
    }
    if (const auto other = other_names.find(name); other != other_names.end()) versions.push_back(other->second);
    const auto counts = sidecar_counts(game);
    std::size_t compared = 0;
    for (const std::string& version : versions) {
      const auto joint = joint_counts(version);
      const auto others = joint.empty() ? sidecar_counts(version) : joint;
      for (const auto& [depth, count] : counts) {
        if (!others.contains(depth)) continue;
        ++compared;
        EXPECT_EQ(count, others.at(depth)) << game << " and " << version << ", depth " << depth;
      }
    }
    EXPECT_GE(compared, 2U) << game;
    ++games;
  }
  EXPECT_GE(games, 12U);
}

class OwnGame : public testing::TestWithParam<std::string> {};

TEST_P(OwnGame, HasThePerftOfItsSidecar) {
  const auto counts = sidecar_counts(GetParam());
  ASSERT_FALSE(counts.empty());
  for (int level : {0, 2}) {
    ir::Game game = own_games::load(GetParam());
    passes::OptimizeOptions options;
    options.level = level;
    passes::optimize(game, options);
    auto reasoner = make_interpreter(game);
    for (const auto& [depth, count] : counts) {
      if (count > kQuickLeaves && !corpus::full()) continue;
      EXPECT_EQ(reasoner->perft(depth), count) << "depth " << depth << ", -O" << level;
    }
  }
}

// The pipeline leaves out passes that nothing has changed for (PassChange in passes.hpp): none of them would have found
// more.
TEST_P(OwnGame, LeavesNothingToAPass) {
  ir::Game game = own_games::load(GetParam());
  const passes::OptimizeReport all = passes::optimize(game);
  if (!all.notes.empty()) GTEST_SKIP() << all.notes.front();
  std::size_t asked = 0;
  for (const passes::Pass& pass : passes::all_passes()) {
    if (pass.level > 2 || pass.phase == passes::PassPhase::pragmas) continue;
    passes::OptimizeOptions alone;
    alone.passes = {std::string(pass.name)};
    const passes::OptimizeReport again = passes::optimize(game, alone);
    EXPECT_EQ(again.timings.at(0).changes, 0U) << pass.name;
    ++asked;
  }
  EXPECT_GT(asked, 25U);
}

// Reasoners take seconds to be compiled: every day those of HRG and RBG.
TEST_P(OwnGame, HasThePerftOfItsSidecarWhenCompiled) {
  const bool every_day = GetParam().starts_with("hrg/") || GetParam().starts_with("rbg/");
  if (!every_day && !corpus::full()) GTEST_SKIP() << "not every day";
  ir::Game game = own_games::load(GetParam());
  passes::optimize(game, {.level = 2});
  const auto reasoner = test::quick_reasoner(game);
  for (const auto& [depth, count] : sidecar_counts(GetParam())) {
    if (count > kQuickLeaves && !corpus::full()) continue;
    EXPECT_EQ(reasoner->perft(depth), count) << "depth " << depth;
  }
}

INSTANTIATE_TEST_SUITE_P(Games, OwnGame, testing::ValuesIn(own_games::all()),
                         [](const auto& info) { return corpus::test_name(info.param); });

}  // namespace
}  // namespace rgtrans
