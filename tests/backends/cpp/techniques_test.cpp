// A reasoner without one of the techniques that make it fast is another program that plays the same game.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "backends/cpp/cpp.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/files.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::cpp {
namespace {

// A technique, and a game of games/hrg to which it is applied, or "walk".
using Applied = std::pair<std::string, std::string>;

// One goes any number of steps on a circle.
constexpr const char* kWalk =
    "type Player = {p}; type Score = {0}; type Cell = {a, b, c, d};\n"
    "const next: Cell -> Cell = {a: b, b: c, c: d, :a}; var at: Cell = a;\n"
    "begin, go: player = p;\ngo, go2: at = next[at];\ngo2, go: ;\ngo2, show: ;\nshow, done: $$ at;\n"
    "done, over: player = keeper;\nover, begin: at != d;\nover, end: at == d;";

ir::Game game_named(const std::string& name) {
  const bool walk = name == "walk";
  const std::string path = std::string(RGTRANS_SOURCE_DIR) + "/games/hrg/" + name + ".hrg";
  Diagnostics diagnostics;
  ir::Game game = load_text(path, walk ? kWalk : read_file(path), *find_frontend(walk ? "rg" : "hrg"), diagnostics);
  passes::optimize(game);
  return game;
}

class WithoutTechnique : public testing::TestWithParam<Applied> {};

TEST_P(WithoutTechnique, PlaysTheSame) {
  const ir::Game game = game_named(GetParam().second);
  const auto text = [&](const GenerateOptions& options) {
    std::string all;
    for (const GeneratedFile& file : generate(game, options)) all += file.text;
    return all;
  };
  BuildOptions options;
  options.extra_flags = {"-O0"};
  const std::string whole = text(options.generate);
  ASSERT_TRUE(options.generate.techniques.leave_out(GetParam().first));
  EXPECT_TRUE(whole != text(options.generate));
  const auto reasoner = make_cpp_reasoner(game, options);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 2; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
}

INSTANTIATE_TEST_SUITE_P(Each, WithoutTechnique,
                         testing::Values(Applied("choices", "walk"), Applied("values", "breakthrough"),
                                         Applied("loops", "chess"), Applied("sets", "breakthrough"),
                                         Applied("targets", "amazons"), Applied("guesses", "gomoku"),
                                         Applied("waiting", "oware"), Applied("tables", "chess"),
                                         Applied("numbers", "clobber"), Applied("patterns", "connect-four"),
                                         Applied("planes", "breakthrough"), Applied("memory", "tic-tac-toe"),
                                         Applied("turns", "tic-tac-toe")),
                         [](const auto& info) { return info.param.first; });

TEST(Techniques, AreLeftOutByName) {
  Techniques techniques;
  EXPECT_TRUE(techniques.leave_out("sets"));
  EXPECT_FALSE(techniques.leave_out("set"));
  EXPECT_FALSE(techniques.use(Technique::sets));
  EXPECT_TRUE(techniques.use(Technique::targets));
  // The names are in the order of the numbers.
  EXPECT_EQ(kTechniques[static_cast<std::size_t>(Technique::turns)], "turns");
}

}  // namespace
}  // namespace rgtrans::cpp
