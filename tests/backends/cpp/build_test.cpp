// Builds of a game. Portable programs play alike on processors of every age, and so do those with a profile;
// precompiled headers change nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/kept.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/backends/cpp/output.hpp"

namespace rgtrans::cpp {
namespace {

namespace fs = std::filesystem;

ir::Game game(const std::string& path) {
  Diagnostics diagnostics;
  return load_text(path, read_file(fs::path(RGTRANS_SOURCE_DIR) / "games" / path),
                   *find_frontend(fs::path(path).extension().string().substr(1)), diagnostics);
}

// "perft(2) = 484" without the time.
std::string perft(const Built& built, const std::string& environment = "") {
  const std::string text = output_of("env " + environment + " " + built.executable.string() + " perft 2");
  const std::size_t at = text.find("perft(2) = ");
  return text.substr(at, text.find(" in ", at) - at);
}

class Build : public testing::Test {
 protected:
  void SetUp() override { options_.cache = folder_; }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::temp_directory_path() / ("rgtrans-build-test-" + std::to_string(getpid()));
  BuildOptions options_;
};

TEST_F(Build, PortableProgramsPlayAlikeAtEachLevel) {
  options_.portable = true;
  const Built built = build(game("hrg/breakthrough.hrg"), options_);
  for (const char* level : {"", "REASONER_CPU=v2", "REASONER_CPU=v3", "REASONER_CPU=v4", "REASONER_CPU=other"})
    EXPECT_EQ(perft(built, level), "perft(2) = 484") << level;
  for (const std::string& command : built.commands) EXPECT_EQ(command.find("native"), std::string::npos) << command;
  EXPECT_EQ(make_cpp_reasoner(game("hrg/breakthrough.hrg"), options_)->perft(2), 484U);
}

// Nobody reads a list of fourteen scores.
TEST_F(Build, OfManyScoresAProgramTellsTheMean) {
  Diagnostics diagnostics;
  const ir::Game many = load_text("many.rg", R"(
type Player = { a };
type Score = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 };
type Bool = { 0, 1 };
type Goals = Player -> Score;
type Visibility = Player -> Bool;
type PlayerOrSystem = { a, keeper, random };
var goals: Goals = { :0 };
var player: PlayerOrSystem = keeper;
var visible: Visibility = { :1 };
var got: Score = 0;
begin, 1: player = a;
1, 2: got = Score(*);
2, 3: $$ got;
3, 4: goals[a] = got;
4, end: player = keeper;
)",
                                  *find_frontend("rg"), diagnostics);
  const std::string told = output_of(build(many, options_).executable.string() + " playouts 0.05");
  EXPECT_NE(told.find("\na: mean 6."), std::string::npos) << told;
  EXPECT_NE(told.find(", least 0, most 13\n"), std::string::npos) << told;
  const Built few = build(game("hrg/breakthrough.hrg"), options_);
  EXPECT_NE(output_of(few.executable.string() + " playouts 0.05").find(" 100 "), std::string::npos);
}

TEST_F(Build, MuchCodeIsOptimizedLess) {
  options_.much_code = 1000;
  const Built built = build(game("hrg/breakthrough.hrg"), options_);
  EXPECT_NE(built.commands.at(0).find(" -O1 "), std::string::npos);
  EXPECT_NE(built.commands.at(0).find(" -include "), std::string::npos);
  EXPECT_EQ(perft(built), "perft(2) = 484");
  options_.much_code = 10'000'000;
  EXPECT_NE(build(game("hrg/breakthrough.hrg"), options_).commands.at(0).find(" -O2 "), std::string::npos);
}

TEST_F(Build, ProgramsWithAProfileAndLinkTimeOptimizationPlayAlike) {
  options_.profile_guided = true;
  options_.link_time = true;
  EXPECT_EQ(perft(build(game("hrg/breakthrough.hrg"), options_)), "perft(2) = 484");
}

TEST_F(Build, HeadersAreCompiledOnce) {
  const auto headers = [&] {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_ / "cpp")) {
      if (entry.path().filename().string().starts_with("headers-")) found.push_back(entry.path() / "common.hpp.gch");
    }
    return found;
  };
  const Built first = build(game("hrg/breakthrough.hrg"), options_);
  if (headers().empty()) GTEST_SKIP() << "the compiler is none that keeps headers";
  ASSERT_EQ(headers().size(), 1U);
  const auto made = fs::last_write_time(headers()[0]);
  EXPECT_NE(first.commands.at(0).find(" -include "), std::string::npos);
  const Built second = build(game("hrg/tic-tac-toe.hrg"), options_);
  EXPECT_NE(second.commands.at(0).find(" -include "), std::string::npos);
  EXPECT_EQ(headers().size(), 1U);
  EXPECT_EQ(fs::last_write_time(headers()[0]), made);
  EXPECT_EQ(perft(second), "perft(2) = 72");

  // The kept header is now useless; its text next to it is not.
  write_file(headers()[0], "no compiled header");
  options_.use_cache = false;
  EXPECT_EQ(perft(build(game("hrg/tic-tac-toe.hrg"), options_)), "perft(2) = 72");
}

TEST_F(Build, DamagedFilesAreCompiledAgain) {
  const ir::Game nim = game("hrg/nim.hrg");
  const Built first = build(nim, options_);
  EXPECT_FALSE(first.found);
  EXPECT_TRUE(build(nim, options_).found);
  const std::string library = read_file(first.library);
  const std::string seal = read_file(first.folder / kSealName);
  const auto is_made_again = [&](const std::string& damage) {
    const Built again = build(nim, options_);
    EXPECT_FALSE(again.found) << damage;
    EXPECT_EQ(again.folder, first.folder) << damage;
    EXPECT_EQ(make_cpp_reasoner(nim, options_)->perft(1), 12U) << damage;
    EXPECT_TRUE(build(nim, options_).found) << damage;
  };
  write_file(first.library, std::string_view(library).substr(0, library.size() / 2));
  is_made_again("half of the library");
  write_file(first.folder / kSealName, seal.substr(0, seal.size() / 2));
  is_made_again("a seal that was cut");
  fs::remove(first.executable);
  is_made_again("no program");
}

}  // namespace
}  // namespace rgtrans::cpp
