#include "core/support/play_path.hpp"

#include <gmock/gmock.h>

namespace rgtrans {
namespace {

TEST(PlayPath, ComesBackAsItWent) {
  const std::vector<std::string> moves = {"", "e2 e4", "a/b", "\\", "/", "a\\/", "\\\\"};
  const std::string path = path_of(moves);
  EXPECT_EQ(path, R"(//e2 e4/a\/b/\\/\//a\\\//\\\\/)");
  EXPECT_EQ(path_length(path), moves.size());
  std::string_view rest = std::string_view(path).substr(1);
  for (const std::string& move : moves) EXPECT_EQ(next_path_move(rest), move);
  EXPECT_EQ(rest, "");
  EXPECT_EQ(next_path_move(rest), std::nullopt);
}

TEST(PlayPath, WithoutAnEndHasFewerMoves) {
  EXPECT_EQ(path_length(""), 0U);
  EXPECT_EQ(path_length("/"), 0U);
  EXPECT_EQ(path_length("/a/b"), 1U);
  EXPECT_EQ(path_length("/a\\/"), 0U) << "the slash belongs to the move";
}

}  // namespace
}  // namespace rgtrans
