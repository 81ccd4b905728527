// The examples of the tutorial form one game, and the front end accepts those of the reference.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/hrg/hrg.hpp"

namespace rgtrans::hrg {
namespace {

std::vector<std::string> examples(std::string_view text) {
  std::vector<std::string> blocks;
  constexpr std::string_view kOpen = "```hrg\n";
  for (std::size_t at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen, at)) {
    at += kOpen.size();
    const std::size_t end = text.find("```", at);
    blocks.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return blocks;
}

std::string examples_of(const std::string& page) {
  std::string joined;
  for (const std::string& block : examples(read_file(std::string(RGTRANS_SOURCE_DIR) + "/docs/" + page)))
    joined += block;
  return joined;
}

TEST(HrgDocs, TheTutorialIsAGame) {
  Diagnostics diagnostics;
  ir::Game game = load("hexapawn.hrg", examples_of("tutorials/first-game.md"), diagnostics);
  ir::verify(game, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << render(diagnostics.all(), *diagnostics.sources());
  const auto reasoner = make_interpreter(game);
  const std::vector<std::uint64_t> expected = {3, 10, 28, 56, 70, 64, 20, 0};
  for (unsigned depth = 1; depth <= expected.size(); ++depth) EXPECT_EQ(reasoner->perft(depth), expected[depth - 1]);
}

TEST(HrgDocs, TheReferenceIsCorrect) {
  Diagnostics diagnostics;
  ir::Game game = load("reference.hrg", examples_of("hrg.md") + "graph rules() { name(sun, next) }", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
}

}  // namespace
}  // namespace rgtrans::hrg
