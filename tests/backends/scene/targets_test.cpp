#include "backends/scene/targets.hpp"

#include <gmock/gmock.h>

namespace rgtrans::scene {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Scene grid(std::initializer_list<const char*> names) {
  Scene scene;
  BoardPicture& board = scene.boards.emplace_back();
  double x = 0;
  for (const char* name : names) {
    Cell& cell = board.cells.emplace_back();
    cell.name = name;
    cell.x = x++;
  }
  board.columns = {{0, "1"}, {1, "2"}};
  return scene;
}

TEST(Targets, AreTheNamedCellsInOrder) {
  const auto found = targets(grid({"S(1,1)", "S(1,2)", "S(2,1)"}), {"S(1,2) S(2,1)", "S(1,1) across", "pass"});
  EXPECT_THAT(found[0], ElementsAre(ElementsAre("S(1,2)"), ElementsAre("S(2,1)")));
  EXPECT_THAT(found[1], ElementsAre(ElementsAre("S(1,1)")));
  EXPECT_THAT(found[2], IsEmpty());
}

TEST(Targets, TheLongestNameIsMeant) {
  const auto found = targets(grid({"1", "1 2", "12"}), {"mark 1 2", "mark 12", "mark 1"});
  EXPECT_THAT(found[0], ElementsAre(ElementsAre("1 2")));
  EXPECT_THAT(found[1], ElementsAre(ElementsAre("12")));
  EXPECT_THAT(found[2], ElementsAre(ElementsAre("1")));
}

TEST(Targets, ACellTwiceInARowIsOne) {
  EXPECT_THAT(targets(grid({"a1", "b1"}), {"a1 a1 b1 a1"})[0],
              ElementsAre(ElementsAre("a1"), ElementsAre("b1"), ElementsAre("a1")));
}

TEST(Targets, AColumnIsAllOfItsCells) {
  EXPECT_THAT(targets(grid({"1 1", "2 1"}), {"drop 2"})[0], ElementsAre(ElementsAre("2 1")));
}

}  // namespace
}  // namespace rgtrans::scene
