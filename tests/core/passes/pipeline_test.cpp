// The pipeline as a whole: its order, its termination, its report.
#include <gmock/gmock.h>

#include "small_games.hpp"

namespace rgtrans::passes {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Pipeline, UnknownPassesAreNamed) {
  ir::Game g = game("begin, end: ;");
  OptimizeOptions options;
  options.passes = {"merge-node"};
  EXPECT_THROW(optimize(g, options), Error);
}

TEST(Pipeline, StopsAfterSoManyRuns) {
  ir::Game g = game("begin, end: T(x) == 1;");
  OptimizeOptions options;
  options.stop_after = 1;
  EXPECT_EQ(optimize(g, options).pass_runs, 1U);
}

// Also when passes are named explicitly: a text with unnamed nodes in pragmas could not be read again.
TEST(Pipeline, PragmasNameNoNodesThatAreGone) {
  ir::Game g = game("@unique a z; @disjoint begin : a z; begin, a: ; a, end: ; begin, z: 1 == 2; z, end: ;");
  OptimizeOptions options;
  options.passes = {"self-comparisons", "propagate-values", "prune"};
  optimize(g, options);
  const std::string text = rg::print(g);
  EXPECT_THAT(text, HasSubstr("@unique a;"));
  EXPECT_THAT(text, testing::Not(HasSubstr("@disjoint")));
  rg::parse_game(text);
}

TEST(Pipeline, TwiceChangesNothing) {
  ir::Game g = game(
      "begin, s: player = p; s, a: x = T(*); a, b: m[x] == 1; b, c: $$ x; c, d: m[x] = 2; d, e: player = keeper; e, s: "
      "player = p; e, end: player = keeper;");
  optimize(g);
  const std::string once = rg::print(g);
  optimize(g);
  EXPECT_EQ(rg::print(g), once);
}

TEST(Pipeline, LevelZeroDoesNothing) {
  ir::Game g = game("begin, a: ; a, end: ;");
  OptimizeOptions options;
  options.level = 0;
  EXPECT_EQ(optimize(g, options).pass_runs, 0U);
}

TEST(Pipeline, SaysWhatItLeavesOutOfLargeGames) {
  ir::Game g = game(large_game());
  const OptimizeReport report = optimize(g, {});
  EXPECT_THAT(report.notes, Contains(HasSubstr("merge-nodes: nodes that are equal only because of loops")));
  EXPECT_THAT(render_timings(report), HasSubstr("\nmerge-nodes: nodes that"));
  EXPECT_EQ(g.graph.edge_count(), 14000U) << "the assignments are dead, the tags stay";

  ir::Game small = game("begin, a: $ 1; begin, b: $ 2; a, end: x = 2; b, end: x = 2;");
  EXPECT_THAT(optimize(small, {}).notes, IsEmpty());
}

TEST(Pipeline, LooksOnlyAtWhatChanged) {
  // Casts come only from the input. After its first run, strip-casts visits only changed edges and finds nothing.
  ir::Game g = game("begin, a: T(x) == 1; a, b: y = x; b, c: $$ y; c, d: x == 1; d, end: player = keeper;");
  const std::size_t at = g.graph.journal().size();
  g.graph.set_label(ir::EdgeId(1U), ir::Empty{});
  EXPECT_THAT(
      std::vector<ir::EdgeId>(g.graph.journal().begin() + static_cast<std::ptrdiff_t>(at), g.graph.journal().end()),
      ElementsAre(ir::EdgeId(1U)));
  const std::uint64_t shape = g.graph.shape_changes();
  g.graph.set_label(ir::EdgeId(2U), ir::Empty{});
  EXPECT_EQ(g.graph.shape_changes(), shape);
  g.graph.remove_edge(ir::EdgeId(2U));
  EXPECT_GT(g.graph.shape_changes(), shape);
}

}  // namespace
}  // namespace rgtrans::passes
