// Compares the immediate dominators of random flow graphs with their definition.
#include <gtest/gtest.h>

#include <random>

#include "core/analysis/versions.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::analysis {
namespace {

// The nodes that the entry reaches when one node is removed.
std::vector<bool> reached_without(const Flow& flow, std::uint32_t without) {
  std::vector<bool> seen(flow.size(), false);
  if (without == 0) return seen;
  std::vector<std::uint32_t> work{0};
  seen[0] = true;
  while (!work.empty()) {
    const std::uint32_t at = work.back();
    work.pop_back();
    for (const FlowEdge& e : flow.out(at)) {
      if (e.to == without || seen[e.to]) continue;
      seen[e.to] = true;
      work.push_back(e.to);
    }
  }
  return seen;
}

TEST(Dominators, AreThoseOfTheDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    const int nodes = 2 + pick(12);
    std::string text = "type Player = { p }; type Score = { 0 }; begin, n0: ; n0, end: ;";
    for (int i = pick(3 * nodes); i >= 0; --i) {
      text += "n" + std::to_string(pick(nodes)) + ", n" + std::to_string(pick(nodes)) + ": ;";
      if (pick(5) == 0) text += "n" + std::to_string(pick(nodes)) + ", begin: ;";
      if (pick(5) == 0) text += "n" + std::to_string(pick(nodes)) + ", n0: ? n1 -> n2;";
    }
    text += "n1, n2: ;";
    const ir::Game game = rg::parse_game(text);
    const Flow flow(game);
    const Dominators dominators(flow);
    for (std::uint32_t d = 1; d < flow.size(); ++d) {
      const std::vector<bool> seen = reached_without(flow, d);
      for (std::uint32_t v = 1; v < flow.size(); ++v) {
        EXPECT_EQ(dominators.dominates(d, v), v == d || !seen[v]) << text << " " << d << " " << v;
      }
    }
  }
}

}  // namespace
}  // namespace rgtrans::analysis
