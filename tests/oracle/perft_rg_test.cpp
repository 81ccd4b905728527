// perft of the interpreter on the .rg games of the corpus, against the reference's counts.
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

TEST(RgCorpus, PerftIsThatOfTheReference) {
  SKIP_WITHOUT_SHARED();
  const std::uint64_t most = corpus::full() ? 100'000'000 : 300'000;
  std::size_t checked = 0;
  for (const auto& [name, by_depth] : corpus::known_perft("rg")) {
    const auto path = corpus::shared() / "corpus" / "rg" / (name + ".rg");
    const auto reasoner = make_interpreter(rg::parse_game(read_file(path), path.string()));
    for (const auto& [depth, count] : by_depth) {
      if (count > most) continue;
      EXPECT_EQ(reasoner->perft(depth), count) << name << " at depth " << depth;
      ++checked;
    }
  }
  EXPECT_GE(checked, 50U);
}

}  // namespace
}  // namespace rgtrans
