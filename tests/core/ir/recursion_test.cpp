// Which checks of an automaton may need their own result.
#include "core/ir/recursion.hpp"

#include <gtest/gtest.h>

#include "core/ir/ir.hpp"

namespace rgtrans::ir {
namespace {

class Recursion : public testing::Test {
 protected:
  NodeId node() { return game_.graph.add_node({}, {}); }
  void edge(NodeId from, NodeId to, Label label = Empty{}) { game_.graph.add_edge(from, to, label, {}); }
  std::vector<CheckOf> checks(std::size_t budget = SIZE_MAX) { return reachability_checks(game_.graph, budget); }

  Diagnostics diagnostics_;
  Game game_{diagnostics_.sources()};
};

TEST_F(Recursion, IsNotSeenWhereChecksFollowEachOther) {
  const NodeId a = node(), b = node(), c = node(), d = node(), e = node();
  edge(a, b, Reachability{c, d, false});
  edge(c, d, Reachability{e, b, true});
  edge(e, b);
  const auto found = checks();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].inner, std::vector<std::size_t>{1});
  EXPECT_TRUE(found[1].inner.empty());
  for (const CheckOf& one : found) EXPECT_TRUE(one.reached && !one.recursive && !one.meets_itself);
}

TEST_F(Recursion, IsSeenWhereACheckMeetsItself) {
  const NodeId a = node(), b = node(), c = node();
  edge(a, b);
  edge(b, c, Reachability{a, c, true});
  const auto found = checks();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].meets_itself);
  EXPECT_TRUE(found[0].recursive);
}

TEST_F(Recursion, IsSeenOverSeveralChecks) {
  const NodeId a = node(), b = node(), c = node(), d = node();
  edge(a, b, Reachability{c, d, false});
  edge(c, d, Reachability{a, b, false});
  edge(d, a, Reachability{d, a, true});
  const auto found = checks();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].recursive && !found[0].meets_itself);
  EXPECT_TRUE(found[1].recursive && !found[1].meets_itself);
  EXPECT_EQ(found[0].component, found[1].component);
  EXPECT_NE(found[0].component, found[2].component);
}

TEST_F(Recursion, EndsAtTheTarget) {
  const NodeId a = node(), b = node(), c = node();
  edge(a, b);
  edge(b, c, Reachability{a, b, false});
  const auto found = checks();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].reached);
  EXPECT_FALSE(found[0].recursive);
}

TEST_F(Recursion, IsNotSearchedBeyondTheBudget) {
  const NodeId a = node(), b = node(), c = node();
  edge(a, b);
  edge(b, c, Reachability{a, c, true});
  EXPECT_FALSE(checks(1)[0].recursive);
  EXPECT_TRUE(checks(1)[0].reached);
}

}  // namespace
}  // namespace rgtrans::ir
