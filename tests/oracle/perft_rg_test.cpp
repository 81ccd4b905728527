// perft of the interpreter on the .rg games of the corpus, against the reference's counts.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {
namespace {

std::filesystem::path shared_folder() {
  if (const char* folder = std::getenv("RGTRANS_SHARED")) return folder;
  return std::filesystem::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

TEST(RgCorpus, PerftIsThatOfTheReference) {
  const auto table = shared_folder() / "oracle" / "reference_perft.tsv";
  if (!std::filesystem::exists(table)) GTEST_SKIP() << "no " << table << "; set RGTRANS_SHARED";
  const std::uint64_t most = std::getenv("RGTRANS_FULL") != nullptr ? 100'000'000 : 300'000;
  std::istringstream lines(read_file(table));
  std::size_t checked = 0;
  std::string open;
  std::unique_ptr<Reasoner> reasoner;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string kind, game, mode;
    unsigned depth = 0;
    std::uint64_t count = 0;
    if (!(cells >> kind >> game >> mode >> depth >> count) || kind != "rg" || mode != "none" || count > most) continue;
    if (open != game) {
      const auto path = shared_folder() / "corpus" / "rg" / (game + ".rg");
      reasoner = make_interpreter(rg::parse_game(read_file(path), path.string()));
      open = game;
    }
    EXPECT_EQ(reasoner->perft(depth), count) << game << " at depth " << depth;
    ++checked;
  }
  EXPECT_GE(checked, 50U);
}

}  // namespace
}  // namespace rgtrans
