// Every .rg game of the corpus: it parses, prints and reads back to an equal game.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "frontends/registry/registry.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/equal.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

std::vector<std::filesystem::path> rg_files() {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(corpus::shared() / "corpus" / "rg", ignored)) {
    if (entry.path().extension() == ".rg") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

#define NEED_CORPUS()            \
  const auto files = rg_files(); \
  if (files.empty()) GTEST_SKIP() << "no corpus in " << corpus::shared() << "; set RGTRANS_SHARED"

TEST(RgCorpus, PrintsAndReadsBackEqual) {
  NEED_CORPUS();
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const ir::Game game = rg::parse_game(read_file(path), path.string());
    const std::string text = rg::print(game);
    const ir::Game again = rg::parse_game(text);
    std::string difference;
    EXPECT_TRUE(test::equal(game, again, &difference)) << difference;
    EXPECT_EQ(text, rg::print(again));
  }
}

TEST(RgCorpus, FormattingIsIdempotentAndKeepsGameAndComments) {
  NEED_CORPUS();
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    Diagnostics diagnostics;
    auto formatted = [&](std::string text) {
      return rg::format(diagnostics.sources()->add(path.string(), std::move(text)), diagnostics);
    };
    const std::string text = read_file(path);
    const std::string once = formatted(text);
    ASSERT_FALSE(diagnostics.has_errors());
    EXPECT_EQ(formatted(once), once);
    auto comments = [](const std::string& t) {
      std::size_t count = 0;
      for (std::size_t at = t.find("//"); at != std::string::npos; at = t.find("//", t.find('\n', at))) ++count;
      return count;
    };
    EXPECT_EQ(comments(text), comments(once));
    std::string difference;
    EXPECT_TRUE(test::equal(rg::parse_game(text), rg::parse_game(once), &difference)) << difference;
  }
}

TEST(RgCorpus, Verifies) {
  NEED_CORPUS();
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    ir::Game game = rg::parse_game(read_file(path), path.string());
    Diagnostics diagnostics(game.sources());
    ir::verify(game, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  }
}

TEST(RgCorpus, SurvivesJsonBothWays) {
  NEED_CORPUS();
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const ir::Game game = rg::parse_game(read_file(path), path.string());
    const std::string text = json::print(game);
    const ir::Game again = rg::parse_json_game(text);
    std::string difference;
    EXPECT_TRUE(test::equal(game, again, &difference)) << difference;
    EXPECT_EQ(text, json::print(again));
  }
}

// The games of other front ends are RG text like any other.
TEST(RgCorpus, GamesOfOtherLanguagesReadBackEqual) {
  std::size_t games = 0;
  std::error_code ignored;
  for (const char* folder : {"hrg", "rbg/high", "rbg/low"}) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus::shared() / "corpus" / folder, ignored)) {
      const std::string name = entry.path().string();
      SCOPED_TRACE(name);
      std::string text = read_file(entry.path());
      Diagnostics diagnostics;
      const Frontend& language = choose_frontend(entry.path(), text);
      const ir::Game game = language.load(diagnostics.sources()->add(name, std::move(text)), diagnostics, {});
      if (diagnostics.has_errors()) continue;  // the tests of that language report it
      ++games;
      std::string difference;
      EXPECT_TRUE(test::equal(game, rg::parse_game(rg::print(game)), &difference)) << difference;
      EXPECT_TRUE(test::equal(game, rg::parse_json_game(json::print(game)), &difference)) << difference;
    }
  }
  if (games == 0) GTEST_SKIP() << "no corpus in " << corpus::shared() << "; set RGTRANS_SHARED";
  EXPECT_GT(games, 100U);
}

}  // namespace
}  // namespace rgtrans
