// Statistics of the corpus against the reference's table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

#include "backends/stats/stats.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans {
namespace {

std::filesystem::path shared_folder() {
  if (const char* folder = std::getenv("RGTRANS_SHARED")) return folder;
  return std::filesystem::path(RGTRANS_SOURCE_DIR).parent_path() / "shared";
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '\t');) cells.push_back(cell);
  return cells;
}

TEST(RgCorpus, StatisticsAreThoseOfTheReference) {
  const auto table = shared_folder() / "oracle" / "reference_translate.tsv";
  if (!std::filesystem::exists(table)) GTEST_SKIP() << "no " << table << "; set RGTRANS_SHARED";
  std::istringstream lines(read_file(table));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = split(line);
  std::size_t games = 0;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = split(line);
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[header[i]] = cells[i];
    if (row["kind"] != "rg" || row["mode"] != "none" || row["status"] != "ok") continue;
    SCOPED_TRACE(row["game"]);
    ++games;
    const auto path = shared_folder() / "corpus" / "rg" / (row["game"] + ".rg");
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
