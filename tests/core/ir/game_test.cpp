#include "core/ir/game.hpp"

#include <gmock/gmock.h>

#include <boost/graph/strong_components.hpp>

#include "core/ir/ir.hpp"

namespace rgtrans::ir {
namespace {

SymbolId name(Game& game, std::string_view text) { return game.symbols.intern(text); }

TypeId set(Game& game, std::initializer_list<std::string_view> members) {
  std::vector<SymbolId> ids;
  for (auto m : members) ids.push_back(name(game, m));
  return game.types.set(ids);
}

TEST(Types, EqualTermsAreOneId) {
  Game game;
  EXPECT_EQ(set(game, {"a", "b"}), set(game, {"a", "b", "a"}));
  EXPECT_NE(set(game, {"a", "b"}), set(game, {"b", "a"}));
  const TypeId a = set(game, {"a"});
  EXPECT_EQ(game.types.arrow(a, a), game.types.arrow(a, a));
}

TEST(Types, IndexOfFindsMembersOfShortAndLongSets) {
  Game game;
  std::vector<SymbolId> members;
  for (int i = 0; i < 100; ++i) members.push_back(name(game, std::to_string(i)));
  const TypeId longer = game.types.set(members);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(game.types.index_of(longer, members[i]), i);
  EXPECT_EQ(game.types.index_of(longer, name(game, "x")), -1);
  EXPECT_EQ(game.types.index_of(set(game, {"a", "b"}), name(game, "b")), 1);
}

TEST(Types, CyclicAliasResolvesToNone) {
  Game game;
  game.define_type(name(game, "A"), game.types.alias(name(game, "B")));
  game.define_type(name(game, "B"), game.types.alias(name(game, "A")));
  EXPECT_FALSE(game.resolve(game.types.alias(name(game, "A"))).valid());
}

TEST(Values, CanonicalFormIgnoresOrderAndEntriesEqualToTheDefault) {
  Game game;
  const ValueId zero = game.values.symbol(name(game, "0"));
  const ValueId one = game.values.symbol(name(game, "1"));
  const SymbolId a = name(game, "a");
  const SymbolId b = name(game, "b");
  const std::vector<Values::Entry> first{{a, one}, {b, zero}};
  const std::vector<Values::Entry> second{{b, zero}, {a, one}};
  const ValueId map = game.values.map(zero, first);
  EXPECT_EQ(map, game.values.map(zero, second));
  EXPECT_EQ(game.values.exceptions(map).size(), 1U);
  EXPECT_EQ(game.values.at(map, a), one);
  EXPECT_EQ(game.values.at(map, b), zero);
  EXPECT_EQ(game.values.at(map, name(game, "elsewhere")), zero);
}

TEST(Automaton, AdjacencySurvivesEditsInOrder) {
  Automaton g;
  const NodeId a = g.add_node();
  const NodeId b = g.add_node();
  const NodeId c = g.add_node();
  const EdgeId ab = g.add_edge(a, b, Empty{});
  const EdgeId ac = g.add_edge(a, c, Empty{});
  const EdgeId bc = g.add_edge(b, c, Empty{});
  g.set_source(ab, c);
  EXPECT_THAT(g.out_edge_list(a), testing::ElementsAre(ac));
  EXPECT_THAT(g.out_edge_list(c), testing::ElementsAre(ab));
  g.set_target(bc, b);
  EXPECT_THAT(g.in_edge_list(b), testing::ElementsAre(ab, bc));
  g.remove_edge(ab);
  EXPECT_EQ(g.edge_count(), 2U);
  EXPECT_THAT(g.in_edge_list(b), testing::ElementsAre(bc));
  EXPECT_EQ(g.out_degree(c), 0U);
}

TEST(Automaton, IsABoostGraph) {
  Automaton g;
  const NodeId a = g.add_node();
  const NodeId b = g.add_node();
  const NodeId c = g.add_node();
  g.add_edge(a, b, Empty{});
  g.add_edge(b, a, Empty{});
  g.add_edge(b, c, Empty{});
  std::vector<std::size_t> component(num_vertices(g));
  const auto count =
      boost::strong_components(g, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, g)));
  EXPECT_EQ(count, 2U);
  EXPECT_EQ(component[a.value], component[b.value]);
  EXPECT_NE(component[a.value], component[c.value]);
}

TEST(Builtins, AreAddedAndMustMatch) {
  Game game;
  game.define_type(name(game, "Player"), set(game, {"x", "o"}));
  game.define_type(name(game, "Score"), set(game, {"50", "0"}));
  Diagnostics diagnostics;
  add_builtins(game, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(game.variables().size(), 3U);
  EXPECT_EQ(game.members(game.variable(game.player()).type).size(), 4U);
  EXPECT_EQ(game.cell_count(game.variable(game.goals()).type), 2U);

  Game wrong;
  wrong.define_type(name(wrong, "Player"), set(wrong, {"x"}));
  wrong.define_type(name(wrong, "Score"), set(wrong, {"0"}));
  wrong.define_type(name(wrong, "Bool"), set(wrong, {"1", "2"}));
  add_builtins(wrong, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace rgtrans::ir
