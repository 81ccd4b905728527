#include "core/support/components.hpp"

#include <gtest/gtest.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <random>

namespace rgtrans {
namespace {

TEST(Components, JoinWhatComesBackAndLeadToSmallerNumbers) {
  // 0 and 1 are on a cycle and lead to 2, which leads to itself; 3 has no incoming arc.
  const Arcs arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 2}, {3, 0}};
  const Components found = strong_components(4, arcs);
  EXPECT_EQ(found.count, 3U);
  EXPECT_EQ(found.of[0], found.of[1]);
  for (const auto& [from, to] : arcs) EXPECT_GE(found.of[from], found.of[to]);
  EXPECT_GT(found.of[3], found.of[0]);
}

// The numbers, too: they decide the order of texts.
TEST(Components, AreThoseOfBoost) {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                   boost::no_property, std::uint32_t, std::uint32_t>;
  std::mt19937 random(1);
  for (int round = 0; round < 2'000; ++round) {
    const auto vertices = static_cast<std::uint32_t>(1 + random() % 12);
    Arcs arcs(random() % (2 * vertices + 1));
    for (auto& [from, to] : arcs) from = random() % vertices, to = random() % vertices;
    const Graph graph(boost::edges_are_unsorted_multi_pass, arcs.begin(), arcs.end(), vertices);
    std::vector<std::uint32_t> expected(vertices);
    const std::uint32_t count = boost::strong_components(
        graph, boost::make_iterator_property_map(expected.begin(), get(boost::vertex_index, graph)));
    const Components found = strong_components(vertices, arcs);
    ASSERT_EQ(found.count, count);
    ASSERT_EQ(found.of, expected);
  }
}

TEST(Components, OfNothingThereAreNone) { EXPECT_EQ(strong_components(0, {}).count, 0U); }

}  // namespace
}  // namespace rgtrans
