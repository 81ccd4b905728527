// Paths, lists of moves, counting by first move.
#include "backends/play/play.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/backends/play/squares.hpp"

namespace rgtrans {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Reasoner> make() { return make_interpreter(rg::parse_game(kGame)); }

TEST(Paths, LeadToStates) {
  const auto reasoner = make();
  play::go_to(*reasoner, "/");
  EXPECT_EQ(play::moves_text(*reasoner), "/a1 now/\n/b1 now/\n/a2 now/\n/b2 now/\n") << "keeper's move comes first";
  play::go_to(*reasoner, "//");
  EXPECT_EQ(play::moves_text(*reasoner), "a1 now/\nb1 now/\na2 now/\nb2 now/\n");
  play::go_to(*reasoner, "//b1 now/a2/");
  EXPECT_EQ(reasoner->mover(), reasoner->info().keeper());
  play::go_to(*reasoner, "//b1 now/a2//");
  EXPECT_TRUE(reasoner->terminal());
  EXPECT_EQ(reasoner->goal(1), "100");
  EXPECT_EQ(play::moves_text(*reasoner), "");
}

TEST(Paths, ExplainWhatIsWrong) {
  const auto reasoner = make();
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, ""); }), HasSubstr("start and end"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "a1"); }), HasSubstr("start and end"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "/a1 now/"); }), HasSubstr("one more '/'"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "//a1/"); }), HasSubstr("a1 now"));
  EXPECT_THAT(error_of([&] { play::go_to(*reasoner, "//a1 now/a2///"); }), HasSubstr("already over"));
}

TEST(Perft, DividesByFirstMove) {
  const auto reasoner = make();
  EXPECT_EQ(reasoner->perft(2), 12U);
  std::uint64_t sum = 0;
  for (const play::DivideLine& line : play::divide(*reasoner, 2)) sum += line.leaves;
  EXPECT_EQ(sum, 12U);
  EXPECT_EQ(play::divide(*reasoner, 1).size(), 4U);
  EXPECT_EQ(reasoner->mover(), reasoner->info().keeper());
  const auto lines = play::perft(*reasoner, 0, 3);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[3].leaves, 0U);
}

}  // namespace
}  // namespace rgtrans
