// Every .rg game of the corpus: it parses, prints and reads back to an equal game.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "backends/json/json.hpp"
#include "backends/rg/rg.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {
namespace {

std::filesystem::path shared_folder() {
  if (const char* folder = std::getenv("RGTRANS_SHARED")) return folder;
  return std::filesystem::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(shared_folder() / "corpus" / "rg", ignored)) {
    if (entry.path().extension() == ".rg") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

#define NEED_CORPUS()          \
  const auto files = corpus(); \
  if (files.empty()) GTEST_SKIP() << "no corpus in " << shared_folder() << "; set RGTRANS_SHARED"

TEST(RgCorpus, PrintsAndReadsBackEqual) {
  NEED_CORPUS();
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const ir::Game game = rg::parse_game(read_file(path), path.string());
    const std::string text = rg::print(game);
    const ir::Game again = rg::parse_game(text);
    std::string difference;
    EXPECT_TRUE(rg::equal(game, again, &difference)) << difference;
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
    EXPECT_TRUE(rg::equal(rg::parse_game(text), rg::parse_game(once), &difference)) << difference;
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
    EXPECT_TRUE(rg::equal(game, again, &difference)) << difference;
    EXPECT_EQ(text, json::print(again));
  }
}

}  // namespace
}  // namespace rgtrans
