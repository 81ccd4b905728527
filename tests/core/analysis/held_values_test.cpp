// Held values: complete counters, and conditions that the possible values of variables decide.
#include "core/analysis/held_values.hpp"

#include <gmock/gmock.h>

#include "frontends/registry/registry.hpp"

namespace rgtrans::analysis {
namespace {

ir::Game from_text(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("held.rg", text, choose_frontend("held.rg", text), diagnostics);
}

constexpr const char* kGame = R"(
  type Player = {a}; type Score = {0}; type Count = {n0, n1, n2, n3}; type Cell = {x, y};
  const next: Count -> Count = {n0: n1, n1: n2, :n2};
  var count: Count = n0; var board: Cell -> Count = {:n0}; var at: Cell = x;
  begin, 1: player = a;
  1, 2: at = Cell(*);
  2, 3: $$ at;
  3, 4: count = next[count];
  4, 5: board[at] = count;
  5, 6: count != n3;
  5, end: count == n3;
  6, 7: board[x] != n3;
  7, 8: count != n0;
  8, begin: player = keeper;
  8, end: count == n2;
)";

TEST(HeldValues, FollowAssignmentsUntilNothingGrows) {
  const ir::Game game = from_text(kGame);
  const HeldValues values(game);
  const auto texts = [&](const char* name) {
    std::vector<std::string> result;
    for (std::uint32_t i = 0; i < game.variables().size(); ++i) {
      if (game.symbols.str(game.variables()[i].name) != name) continue;
      for (const SymbolId symbol : values.of(ir::VarId(i))) result.push_back(game.symbols.str(symbol));
    }
    return result;
  };
  EXPECT_THAT(texts("count"), testing::UnorderedElementsAre("n0", "n1", "n2"));
  EXPECT_THAT(texts("board"), testing::UnorderedElementsAre("n0", "n1", "n2"));
  EXPECT_THAT(texts("at"), testing::UnorderedElementsAre("x", "y"));
}

TEST(HeldValues, DecideConditions) {
  ir::Game game = from_text(kGame);
  const std::size_t before = game.graph.edge_count();
  drop_decided_conditions(game);
  EXPECT_EQ(game.graph.edge_count(), before - 1);  // the end at n3 is removed
  std::size_t left = 0;
  for (const ir::EdgeId edge : game.graph.edges()) {
    left += std::holds_alternative<ir::Compare>(game.graph.label(edge)) ? 1U : 0U;
  }
  EXPECT_EQ(left, 2U);  // the edges with n0 and n2
}

}  // namespace
}  // namespace rgtrans::analysis
