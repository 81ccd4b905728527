// docs/walk.md follows one edge: the code that it shows is the code that the program makes today, except for numbers.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "backends/cpp/cpp.hpp"
#include "backends/rg/rg.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans {
namespace {

namespace fs = std::filesystem;

std::string without_numbers(const std::string& text) { return std::regex_replace(text, std::regex("[0-9]+"), "#"); }

// The lines of code of the walk, by the step that shows them, up to an ellipsis at their end.
std::vector<std::vector<std::string>> shown() {
  std::ifstream page(fs::path(RGTRANS_SOURCE_DIR) / "docs/walk.md");
  std::vector<std::vector<std::string>> steps;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) break;
    if (std::regex_search(line, std::regex("^[0-9]+\\. "))) steps.emplace_back();
    if (steps.empty() || !line.starts_with("       ")) continue;
    const std::string code = line.substr(line.find_first_not_of(' '));
    if (code != "…") steps.back().push_back(without_numbers(code));
  }
  return steps;
}

TEST(Walk, ShowsWhatBecomesOfTheEdge) {
  const auto steps = shown();
  ASSERT_EQ(steps.size(), 8U);
  Diagnostics diagnostics;
  ir::Game game = load_game(
      {.path = fs::path(RGTRANS_SOURCE_DIR) / "games/rbg/chess.rbg", .language = {}, .options = {}}, diagnostics);
  const std::string lowered = without_numbers(rg::print(game));
  passes::optimize(game);
  const std::string optimized = without_numbers(rg::print(game));
  std::string code;
  for (const cpp::GeneratedFile& file : cpp::generate(game)) code += without_numbers(file.text);
  const auto expect_in = [](const std::string& text, const std::vector<std::string>& lines) {
    EXPECT_GT(lines.size(), 1U);
    for (const std::string& line : lines) EXPECT_NE(text.find(line), std::string::npos) << line;
  };
  expect_in(lowered, steps[4]);
  expect_in(optimized, steps[5]);
  expect_in(code, steps[7]);
}

}  // namespace
}  // namespace rgtrans
