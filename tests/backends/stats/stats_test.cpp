#include "backends/stats/stats.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "frontends/rg/rg.hpp"

namespace rgtrans::stats {
namespace {

using testing::HasSubstr;

ir::Game game() {
  return rg::parse_game(
      "type Player = {p}; type Score = {0, 1}; type T = {1, 2, 3}; const k: T = 1; var m: T -> T -> T = {:{:1}};\n"
      "@unique a b; @repeat b c :;\n"
      "begin, a: ; begin, a: ; begin, b: $ t; a, b: m[1][1] = 2; a, b: player = keeper; b, end: ? c -> d;\n"
      "c, d: k == 1; d, c: $$ player; b, end: ! c -> d; b, end: player = PlayerOrSystem(*);");
}

TEST(Stats, CountsEverything) {
  const Stats s = collect(game());
  EXPECT_EQ(s.edges, 10U);
  EXPECT_EQ(s.nodes, 6U);
  EXPECT_EQ(s.main_automaton_nodes, 4U);
  EXPECT_EQ(s.reachability_subautomatons, 1U);
  EXPECT_EQ(s.constants, 1U);
  EXPECT_EQ(s.variables, 4U);
  EXPECT_EQ(s.typedefs, 7U);
  EXPECT_EQ(s.state_size, 27U + 2U + 3U + 2U);
  EXPECT_EQ(s.max_branching, 3U);
  EXPECT_DOUBLE_EQ(s.average_branching, (2 + 2 + 3 + 1 + 1) / 5.0);  // the two equal edges of begin count once
  EXPECT_EQ(s.skip_edges, 2U);
  EXPECT_EQ(s.assign_edges, 3U);
  EXPECT_EQ(s.comparison_edges, 1U);
  EXPECT_EQ(s.reachability_edges, 2U);
  EXPECT_EQ(s.tag_edges, 2U);
  EXPECT_EQ(s.unique_nodes, 2U);
  EXPECT_EQ(s.repeat_nodes, 2U);
  EXPECT_EQ(s.repeat_or_unique_nodes, 3U);
}

TEST(Stats, TextAndJson) {
  const Stats s = collect(game());
  EXPECT_THAT(text(s), HasSubstr("unique nodes: 2 (33.33%)\n"));
  EXPECT_THAT(text(s), HasSubstr("edges: 10\n"));
  const nlohmann::json object = nlohmann::json::parse(json(s));
  EXPECT_EQ(object.size(), 18U);
  EXPECT_EQ(object["state_size"], 34);
  EXPECT_EQ(object["average_branching"], 1.8);
}

TEST(Stats, HugeTypesSaturate) {
  std::string text = "type Player = {p}; type Score = {0}; type A = {a, b, c, d, e, f, g, h}; type T0 = A;";
  for (int i = 1; i < 100; ++i) {
    text += "type T" + std::to_string(i) + " = A -> T" + std::to_string(i - 1) + ";";
  }
  std::string value = "a";
  for (int i = 1; i < 100; ++i) value = "{:" + value + "}";
  EXPECT_EQ(collect(rg::parse_game(text + "var x: T99 = " + value + ";")).state_size, std::uint64_t{1} << 62U);
}

TEST(Stats, CyclicTypesEnd) {
  EXPECT_NO_THROW(collect(rg::parse_game(
      "type Player = {p}; type Score = {0}; type A = B; type B = A; type C = Player -> C; type D = D -> Score;"
      "var x: A = p; var y: C = p;")));
}

}  // namespace
}  // namespace rgtrans::stats
