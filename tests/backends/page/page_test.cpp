#include "backends/page/page.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "frontends/registry/registry.hpp"

namespace rgtrans::page {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

ir::Game load(const std::string& name) {
  Diagnostics diagnostics;
  return load_game({std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / name, "", {}, false}, diagnostics);
}

TEST(Page, CarriesTheGameAndItsBoard) {
  const Json page = Json::parse(data(load("hrg/chess.hrg"), "chess"));
  EXPECT_EQ(page["title"], "chess");
  EXPECT_EQ(page["game"]["kind"], "GameDeclaration");
  const Json& boards = page["boards"];
  ASSERT_EQ(boards["cells"].size(), 64U);
  EXPECT_EQ(boards["pieces"].size(), 12U);
  EXPECT_THAT(boards["svg"].get<std::string>(), HasSubstr("data-cell=\"S(1,1)\""));
  const Json& source = boards["cells"][0]["sources"][0];
  EXPECT_EQ(source[0], "board");
  // The table has the white rook of the initial position.
  EXPECT_TRUE(boards["tables"][source[2].get<std::size_t>()].contains("M__white_rook"));
}

TEST(Page, NamesCellsAndPassesAsPeopleDo) {
  const Json chess = Json::parse(data(load("hrg/chess.hrg"), "chess"));
  EXPECT_EQ(chess["coordinates"]["S(5,4)"], "e4");
  EXPECT_TRUE(chess["passes"].empty());
  const Json go = Json::parse(data(load("rbg/go-9x9.rbg"), "go"));
  EXPECT_FALSE(go["passes"].empty());
}

TEST(Page, CarriesTheRulesAndTheNameThatTheAuthorGives) {
  const ir::Game game = load("hrg/ultimate-tic-tac-toe.hrg");
  EXPECT_EQ(title_of(game, "file"), "Ultimate tic-tac-toe");
  const std::string rules = Json::parse(data(game, "x"))["rules"];
  EXPECT_THAT(rules, HasSubstr("Nine tic-tac-toe boards form a large one."));
  EXPECT_THAT(rules, Not(HasSubstr("domain")));
  EXPECT_EQ(title_of(load("gdl/tic-tac-toe.kif"), "file").empty(), false);
}

TEST(Page, LeavesALongRemarkOutOfTheTitle) { EXPECT_EQ(title_of(load("hrg/backgammon.hrg"), "file"), "Backgammon"); }

// The throw is read when the dice are, so nothing depends on it when a player moves.
TEST(Page, ShowsNoThrowThatWasReadAlready) {
  const Json alive = Json::parse(data(load("hrg/backgammon.hrg"), "x"))["alive"];
  std::size_t with_dice = 0;
  for (const auto& [node, names] : alive.items()) {
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    with_dice += has("high") ? 1U : 0U;
    EXPECT_FALSE(has("roll")) << node;
  }
  EXPECT_GT(with_dice, 0U);
}

TEST(Page, GamesWithoutABoardHaveNone) {
  const Json page = Json::parse(data(load("gdl/prisoners-dilemma.kif"), "x"));
  EXPECT_EQ(page["boards"]["svg"], "");
  EXPECT_TRUE(page["hides"]);
}

TEST(Page, FillsThePlacesOfThePage) {
  const std::string page = write(load("hrg/tic-tac-toe.hrg"), "<b>", "<title>@TITLE@</title>@DATA@");
  EXPECT_THAT(page, HasSubstr("<title>&lt;b></title>"));
  EXPECT_THAT(page, Not(HasSubstr("@DATA@")));
  EXPECT_THAT(page, Not(HasSubstr("GameDeclaration"))) << "it is compressed";
}

}  // namespace
}  // namespace rgtrans::page
