// Statistics of the corpus against the reference's table.
#include <gtest/gtest.h>

#include "backends/stats/stats.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

TEST(RgCorpus, StatisticsAreThoseOfTheReference) {
  SKIP_WITHOUT_SHARED();
  std::size_t games = 0;
  for (corpus::Row& row : corpus::table(corpus::shared() / "oracle" / "reference_translate.tsv")) {
    if (row["kind"] != "rg" || row["mode"] != "none" || row["status"] != "ok") continue;
    SCOPED_TRACE(row["game"]);
    ++games;
    const auto path = corpus::shared() / "corpus" / "rg" / (row["game"] + ".rg");
    const stats::Stats s = stats::collect(rg::parse_game(read_file(path), path.string()));
    auto expect = [&](const std::string& column, std::uint64_t value) {
      EXPECT_EQ(row[column], std::to_string(value)) << column;
    };
    expect("edges", s.edges);
    expect("nodes", s.nodes);
    expect("main_automaton_nodes", s.main_automaton_nodes);
    expect("reachability_subautomatons", s.reachability_subautomatons);
    expect("variables", s.variables);
    expect("state_size", s.state_size);
    expect("constants", s.constants);
    expect("typedefs", s.typedefs);
    expect("max_branching", s.max_branching);
    EXPECT_NEAR(std::stod(row["average_branching"]), s.average_branching, 0.00005001);
    expect("skip_edges", s.skip_edges);
    expect("assign_edges", s.assign_edges);
    expect("comparison_edges", s.comparison_edges);
    expect("reachability_edges", s.reachability_edges);
    expect("tag_edges", s.tag_edges);
    expect("repeat_nodes", s.repeat_nodes);
    expect("unique_nodes", s.unique_nodes);
  }
  EXPECT_GT(games, 10U);
}

}  // namespace
}  // namespace rgtrans
