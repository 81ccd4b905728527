#include "core/ir/defined_once.hpp"

#include <gtest/gtest.h>

#include "core/ir/builtins.hpp"

namespace rgtrans::ir {
namespace {

class DefinitionsOfFrontends : public testing::Test {
 protected:
  std::string text(SymbolId symbol) const { return game.symbols.str(symbol); }
  ValueId value(std::int64_t number) { return game.values.symbol(once.number(number)); }

  Game game;
  DefinedOnce once{game};
};

TEST_F(DefinitionsOfFrontends, NumbersAreSymbols) {
  EXPECT_EQ(text(once.number(7)), "7");
  EXPECT_EQ(text(once.number(-7)), "minus_7");
  EXPECT_EQ(once.numbers({-1, 1}), (std::vector{once.number(-1), once.number(0), once.number(1)}));
}

TEST_F(DefinitionsOfFrontends, ATypeIsMadeWhenItIsFirstAskedFor) {
  const TypeId upto = once.number_type({0, 3});
  EXPECT_EQ(once.number_type({0, 3}), upto);
  EXPECT_NE(once.number_type({-2, 3}), upto);
  ASSERT_EQ(game.type_defs().size(), 2U);
  EXPECT_EQ(text(game.type_defs()[0].name), "Upto_3");
  EXPECT_EQ(text(game.type_defs()[1].name), "From_minus_2_to_3");
  EXPECT_EQ(game.members(upto).size(), 4U);
}

TEST_F(DefinitionsOfFrontends, NamesClashWithNoSymbolAndNoWordOfTheLanguage) {
  once.type("Piece", {game.symbols.intern("pawn")});
  EXPECT_EQ(text(once.fresh_name("area")), "area");
  EXPECT_EQ(text(once.fresh_name("area")), "area_1");
  EXPECT_EQ(text(once.fresh_name("area")), "area_2");
  EXPECT_EQ(text(once.fresh_name("pawn")), "pawn_1");
  EXPECT_EQ(text(once.fresh_name("player")), "player_1");
  EXPECT_TRUE(DefinedOnce::has_meaning("random"));
  EXPECT_FALSE(DefinedOnce::has_meaning("pawn"));
}

TEST_F(DefinitionsOfFrontends, EqualConstantsAreOne) {
  const TypeId small = once.number_type({0, 1}), large = once.number_type({0, 9});
  const ConstId one = once.constant("one", small, value(1));
  EXPECT_EQ(once.constant("other", small, value(1)), one);
  EXPECT_NE(once.constant("other", small, value(0)), one);
  EXPECT_NE(once.constant("other", large, value(1)), one);
}

TEST_F(DefinitionsOfFrontends, TheMostFrequentValueIsTheDefault) {
  const std::vector<SymbolId> keys = once.numbers({0, 4});
  const ValueId map = once.map(keys, {value(1), value(2), value(2), value(1), value(3)});
  EXPECT_EQ(game.values.default_of(map), value(1)) << "of two that are as frequent the first";
  EXPECT_EQ(game.values.exceptions(map).size(), 3U);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(game.values.at(map, keys[i]), value(std::vector{1, 2, 2, 1, 3}[i])) << i;
  }
}

TEST_F(DefinitionsOfFrontends, TheVariablesOfAPlayAreThoseOfEveryGame) {
  once.declare_play({game.symbols.intern("white"), game.symbols.intern("black")}, once.numbers({0, 1}));
  Diagnostics diagnostics;
  add_builtins(game, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(once.goals(), game.variable_ref(game.goals()));
  EXPECT_EQ(once.mover(), game.variable_ref(game.player()));
  for (const TypeDef& def : game.type_defs()) EXPECT_TRUE(is_builtin_type(game.symbols.text(def.name)));
  EXPECT_EQ(game.type_defs().size(), kBuiltinTypes.size());
}

}  // namespace
}  // namespace rgtrans::ir
