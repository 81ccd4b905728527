// Generated code compiles without warnings, in all forms of a project: people compile it with their own flags.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "backends/cpp/cpp.hpp"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
#include "tests/backends/cpp/output.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::cpp {
namespace {

namespace fs = std::filesystem;

// RGTRANS_FULL=1: all games, and all files instead of the reasoner's own.
TEST(Warnings, AreNoneInGeneratedCode) {
  const bool full = std::getenv("RGTRANS_FULL") != nullptr;
  const fs::path folder = fs::temp_directory_path() / fmt::format("rgtrans-warnings-{}", getpid());
  // A move of several tags that is no machine word; a check that becomes one expression; a variable that moves set;
  // conditions that others imply.
  std::vector<std::string> games = {"rbg/reversi.rbg", "hrg/nine-mens-morris.hrg", "hrg/skirmish.hrg",
                                    "linegames/variants/draughts-flying-kings.linegame"};
  if (full) games = own_games::all();
  for (const std::string& path : games) {
    ir::Game game = own_games::load(path);
    passes::optimize(game);
    GenerateOptions options;
    options.search = options.env = full;
    fs::create_directories(folder);
    for (const GeneratedFile& file : generate(game, options)) write_file(folder / file.name, file.text);
    const std::string command =
        fmt::format("cd {} && for file in {}; do g++ -std=c++20 -fsyntax-only -Wall -Wextra -Wshadow $file 2>&1; done",
                    folder.string(), full ? "*.cpp" : "reasoner*.cpp");
    EXPECT_EQ(output_of(command), "") << path;
    fs::remove_all(folder);
  }
}

}  // namespace
}  // namespace rgtrans::cpp
