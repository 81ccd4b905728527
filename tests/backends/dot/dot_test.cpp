#include "backends/dot/dot.hpp"

#include <gmock/gmock.h>

#include "frontends/rg/rg.hpp"

namespace rgtrans::dot {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Dot, DrawsNodesEdgesChecksAndPragmas) {
  const std::string text =
      print(rg::parse_game("type Player = {p}; type Score = {0};\n"
                           "@unique a; @repeat b :; @tagIndex a : 2; @simpleApply a end [];\n"
                           "begin, a: ; a, b: ? c -> d; b, end: player = keeper; c, d: $ t; unused, d: ;"));
  EXPECT_THAT(text, HasSubstr("  \"begin\" -> \"a\";\n"));
  EXPECT_THAT(text, HasSubstr("  \"a\" -> \"b\" [label=\"? c -> d\"];\n"));
  EXPECT_THAT(text, HasSubstr("  \"a\" [fillcolor=lightblue, penwidth=3];\n"));
  EXPECT_THAT(text, HasSubstr("  \"b\" [fillcolor=lightyellow];\n"));
  EXPECT_THAT(text, HasSubstr("  \"a\" -> \"end\" [style=dashed, color=red, constraint=false];\n"));
  EXPECT_THAT(text, HasSubstr("{ rank=source; \"begin\"; }"));
  EXPECT_THAT(text, HasSubstr("{ rank=sink; \"end\"; }"));
  EXPECT_THAT(text, HasSubstr("  subgraph cluster_1 {\n    label=\"c -> d\";\n    style=\"rounded,dashed\";\n"
                              "    color=gray;\n    \"c\";\n    \"d\";\n  }\n"));
}

TEST(Dot, NodesBelongToOneCluster) {
  const std::string text =
      print(rg::parse_game("type Player = {p}; type Score = {0};\n"
                           "begin, a: ? c -> d; a, end: ! e -> d; c, d: ; e, d: ;"));
  EXPECT_THAT(text, HasSubstr("cluster_1"));
  EXPECT_THAT(text, HasSubstr("cluster_2"));
  std::size_t count = 0;
  for (std::size_t at = text.find("    \"d\";"); at != std::string::npos; at = text.find("    \"d\";", at + 1)) ++count;
  EXPECT_EQ(count, 1U);
}

TEST(Dot, RanksOnlyForNodesWithEdges) {
  const std::string text = print(rg::parse_game("type Player = {p}; type Score = {0}; a, b: ;"));
  EXPECT_THAT(text, Not(HasSubstr("rank=")));
  EXPECT_THAT(text, Not(HasSubstr("begin")));
}

TEST(Dot, EscapesHostileNames) {
  ir::Game game;
  game.graph.add_edge(game.node("a\"]; x [label=\"\\"), game.node("b\nc"), ir::Tag{game.symbols.intern("\\N\"")});
  const std::string text = print(game);
  EXPECT_THAT(text, HasSubstr(R"("a\"]; x [label=\"\\" -> "b c" [label="$ \\N\""];)"));
}

}  // namespace
}  // namespace rgtrans::dot
