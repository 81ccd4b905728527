// Parts of expressions and labels: traversal, replacement, evaluation, and the variables that labels read.
#include "core/ir/parts.hpp"

#include <gmock/gmock.h>

#include "core/ir/ir.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::ir {
namespace {

using testing::ElementsAre;

class Parts : public testing::Test {
 protected:
  // The label of the only edge.
  const Label& label(const std::string& text) {
    game = rg::parse_game(
        "type Player = { p }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type M = T -> T; type N = T -> M;"
        "const f: M = { 1: 2, 2: 3, :1 }; const d: N = { 1: { 1: 2, :3 }, :{ 2: 1, :2 } };"
        "var x: T = 1; var y: T = 2; var m: M = { :1 }; var n: N = { :{ :1 } }; begin, end: " +
        text + ";");
    return game.graph.label(EdgeId(0U));
  }
  std::string text(ExprId id) { return describe_expression(game, id); }
  VarId variable(const char* name) { return game.find_variable(game.symbols.intern(name)); }
  ExprId symbol(const char* name) { return game.symbol(game.symbols.intern(name)); }
  // Replaces every read of x by y.
  Label with_y(const Label& old) {
    return rewrite_reads(game, old, [&](ExprId part) {
      const bool is_x =
          game.expressions().kind(part) == ExprKind::variable && game.expressions().variable(part) == variable("x");
      return is_x ? game.variable_ref(variable("y")) : ExprId();
    });
  }
  std::vector<std::string> read_by(const Label& l) {
    std::vector<std::string> names;
    for_each_read(game, l, [&](VarId v) { names.push_back(game.symbols.str(game.variable(v).name)); });
    return names;
  }

  Game game;
};

TEST_F(Parts, AreVisitedFromTheOutsideIn) {
  const ExprId id = std::get<Compare>(label("d[f[x]][T(y)] == 1")).lhs;
  std::vector<std::string> seen;
  visit_parts(game.expressions(), id, [&](ExprId part) {
    seen.push_back(text(part));
    return text(part) != "f[x]";
  });
  EXPECT_THAT(seen, ElementsAre("d[f[x]][T(y)]", "d[f[x]]", "d", "f[x]", "T(y)", "y"));
  EXPECT_EQ(expression_size(game, id), 7U) << "a cast has no size";
  std::vector<std::string> indices;
  for (const ExprId index : indices_of(game.expressions(), id)) indices.push_back(text(index));
  EXPECT_THAT(indices, ElementsAre("f[x]", "T(y)"));
}

TEST_F(Parts, AreReplacedWhereTheyAreRead) {
  const Label compared = with_y(label("d[f[x]][T(x)] == x"));
  EXPECT_EQ(text(std::get<Compare>(compared).lhs), "d[f[y]][T(y)]");
  EXPECT_EQ(text(std::get<Compare>(compared).rhs), "y");
  const Label assigned = with_y(label("x = f[x]"));
  EXPECT_EQ(text(std::get<Assign>(assigned).lhs), "x") << "the root is written, not read";
  EXPECT_EQ(text(std::get<Assign>(assigned).rhs), "f[y]");
  EXPECT_EQ(text(std::get<Assign>(with_y(label("n[x][f[x]] = 1"))).lhs), "n[y][f[y]]");
  EXPECT_EQ(text(std::get<AssignAny>(with_y(label("m[x] = T(*)"))).lhs), "m[y]");
  const Label other = label("m[y] == 2");
  EXPECT_EQ(with_y(other), other);
}

TEST_F(Parts, OfLabelsThatAreRead) {
  EXPECT_THAT(read_by(label("n[x][f[y]] = f[x]")), ElementsAre("y", "x", "x"));
  EXPECT_EQ(written_variable(game, game.graph.label(EdgeId(0U))), variable("n"));
  EXPECT_FALSE(writes_whole(game, game.graph.label(EdgeId(0U))));
  EXPECT_THAT(read_by(label("x = T(*)")), ElementsAre());
  EXPECT_TRUE(writes_whole(game, game.graph.label(EdgeId(0U))));
  EXPECT_THAT(read_by(label("$$ x")), ElementsAre("x"));
  EXPECT_TRUE(reads(game, label("m[x] = 2"), variable("x")));
  EXPECT_FALSE(reads(game, label("m[x] = 2"), variable("m")));
}

TEST_F(Parts, AreFoldedWithWhatIsAssumed) {
  const ExprId id = std::get<Compare>(label("d[f[x]][2] == y")).lhs;
  EXPECT_FALSE(fold(game, id).known());
  const auto folded_at = [&](const char* value) {
    return fold(game, id, [&](ExprId part) {
      return game.expressions().kind(part) == ExprKind::variable ? Folded{game.symbols.intern(value), {}} : Folded{};
    });
  };
  EXPECT_EQ(game.symbols.text(folded_at("1").symbol), "1") << "d[f[1]][2] = d[2][2]";
  EXPECT_EQ(game.symbols.text(folded_at("3").symbol), "3") << "d[f[3]][2] = d[1][2]";
  const Folded map = fold(game, std::get<Compare>(label("d[1] == m")).lhs);
  EXPECT_FALSE(map.symbol.valid());
  EXPECT_EQ(game.values.at(map.map, game.symbols.intern("1")), game.values.symbol(game.symbols.intern("2")));
}

TEST_F(Parts, OfConditionsHaveOneForm) {
  const Label written = label("1 == f[x]");
  EXPECT_EQ(canonical(game, written), canonical(game, Label(Compare{std::get<Compare>(written).rhs, symbol("1")})));
  EXPECT_TRUE(std::get<Compare>(negated(written)).negated);
  EXPECT_EQ(negated(negated(written)), written);
}

TEST_F(Parts, HaveTypesThatOverlapOrIncludeEachOther) {
  label("x == y");
  const auto set = [&](std::initializer_list<const char*> members) {
    std::vector<SymbolId> ids;
    for (const char* m : members) ids.push_back(game.symbols.intern(m));
    return game.types.set(ids);
  };
  const TypeId t = game.types.alias(game.symbols.intern("T"));
  const TypeId some = set({"3", "7"}), part = set({"3", "1"}), apart = set({"7", "8"});
  EXPECT_TRUE(overlap(game, t, some));
  EXPECT_TRUE(overlap(game, some, t));
  EXPECT_FALSE(overlap(game, t, apart));
  EXPECT_TRUE(includes(game, t, part));
  EXPECT_FALSE(includes(game, part, t));
  EXPECT_FALSE(includes(game, t, some));
  EXPECT_TRUE(same_values(game, t, set({"3", "2", "1"})));
  EXPECT_TRUE(includes(game, game.types.arrow(t, t), game.types.arrow(part, part)));
  EXPECT_FALSE(overlap(game, game.types.arrow(t, t), game.types.arrow(part, apart)));
  EXPECT_FALSE(overlap(game, t, game.types.arrow(t, t)));
  EXPECT_FALSE(overlap(game, t, game.types.alias(game.symbols.intern("Nowhere"))));
  TypeRelations relations(game);
  for (int times = 0; times < 2; ++times) {
    EXPECT_TRUE(relations.includes(t, part));
    EXPECT_FALSE(relations.includes(part, t));
    EXPECT_TRUE(relations.overlap(some, t));
  }
}

TEST(Truth, NegatesWhatIsKnown) {
  EXPECT_EQ(!Truth::yes, Truth::no);
  EXPECT_EQ(!Truth::no, Truth::yes);
  EXPECT_EQ(!Truth::unknown, Truth::unknown);
  EXPECT_EQ(truth_of(true), Truth::yes);
}

}  // namespace
}  // namespace rgtrans::ir
