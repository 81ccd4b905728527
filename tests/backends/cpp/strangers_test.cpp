// A program (strangers.c) sends random moves and damaged saved states to a generated game, which is compiled with
// sanitizers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/backends/cpp/output.hpp"
#include "tests/support/own_games.hpp"
#include "tests/support/positions.hpp"

namespace rgtrans::cpp {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ir::Game optimized(const std::string& path) {
  ir::Game game = own_games::load(path);
  passes::optimize(game);
  return game;
}

// RGTRANS_FULL=1: a million attempts at each game.
TEST(Strangers, SendNothingThatIsAccepted) {
  const bool full = std::getenv("RGTRANS_FULL") != nullptr;
  const fs::path folder = fs::temp_directory_path() / fmt::format("rgtrans-strangers-{}", getpid());
  std::vector<std::string> games = {"hrg/tic-tac-toe.hrg"};
  if (full) games.insert(games.end(), {"hrg/breakthrough.hrg", "hrg/kuhn-poker.hrg", "hrg/chess.hrg", "hrg/oware.hrg"});
  for (const std::string& path : games) {
    fs::create_directories(folder);
    for (const GeneratedFile& file : generate(optimized(path))) write_file(folder / file.name, file.text);
    const std::string build = fmt::format(
        "cd {0} && CXX=\"g++ {2} -fsanitize=address,undefined -fno-sanitize-recover=all\" && "
        "gcc -std=c11 -Wall -Wextra -Werror {2} -fsanitize=address,undefined -I . -c "
        "{1}/tests/backends/cpp/strangers.c "
        "2>&1 && $CXX -std=c++20 -o strangers strangers.o reasoner*.cpp library.cpp 2>&1",
        folder.string(), RGTRANS_SOURCE_DIR, full ? "-O1" : "-O0");
    EXPECT_EQ(output_of(build), "");
    const std::string said = output_of(fmt::format("{}/strangers {} 2>&1", folder.string(), full ? 1'000'000 : 2'000));
    EXPECT_THAT(said, HasSubstr(" damaged saves refused\n")) << path;
    EXPECT_THAT(said, testing::Not(HasSubstr(": 0 of"))) << "no move was legal";
    if (full) fmt::print("{}", said);
    fs::remove_all(folder);
  }
}

TEST(Positions, OfCompiledGamesAreThoseOfTheInterpreter) {
  const ir::Game game = optimized("hrg/tic-tac-toe.hrg");
  const auto compiled = make_cpp_reasoner(game), interpreter = make_interpreter(game);
  const auto counts = test::count_positions(*compiled, 4, 20'000, 20'000);
  ASSERT_EQ(counts.size(), 4U);
  EXPECT_EQ(counts[3].positions, 756U);
  // Two boards have one future: with X on two opposite corners and O on the others, either player wins in the centre,
  // and the other lines are dead. The analysis of live variables knows nothing of that.
  EXPECT_EQ(counts[3].futures, 755U);
  EXPECT_EQ(counts, test::count_positions(*interpreter, 4, 20'000, 20'000));
}

}  // namespace
}  // namespace rgtrans::cpp
