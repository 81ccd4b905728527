// Which moves are wanted that are given part by part.
#include "backends/interpreter/parts.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace rgtrans::interpreter {
namespace {

// A move is a text, a tag a letter.
struct Letters {
  std::string_view text;
  std::uint32_t operator()(std::size_t i) const { return static_cast<unsigned char>(text[i]); }
};

class PartsOfMoves : public testing::Test {
 protected:
  void ask(std::string_view given, std::size_t most = 4) { parts_.ask(given.size(), most, Letters{given}); }
  [[nodiscard]] bool in_vain(std::string_view walk) const { return parts_.in_vain(walk.size(), Letters{walk}); }
  bool take(std::string_view move) { return parts_.take(move.size(), Letters{move}); }

 private:
  MoveParts parts_;
};

TEST_F(PartsOfMoves, BeginWithWhatIsGiven) {
  ask("ab");
  EXPECT_FALSE(in_vain(""));
  EXPECT_FALSE(in_vain("a"));
  EXPECT_FALSE(in_vain("abc"));
  EXPECT_TRUE(in_vain("b"));
  EXPECT_TRUE(in_vain("aac"));
  EXPECT_FALSE(take("a"));
  EXPECT_TRUE(take("ab"));
}

TEST_F(PartsOfMoves, OneAnswersForAllThatGoOnAlike) {
  ask("a");
  EXPECT_TRUE(take("abc"));
  EXPECT_TRUE(in_vain("ab"));
  EXPECT_FALSE(take("abd"));
  EXPECT_FALSE(in_vain("ac"));
  EXPECT_TRUE(take("ac"));
  ask("a");
  EXPECT_FALSE(in_vain("ab"));
}

TEST_F(PartsOfMoves, AreNotTooLong) {
  ask("", 3);
  EXPECT_TRUE(in_vain("abcd"));
  EXPECT_FALSE(take("abcd"));
  EXPECT_TRUE(take("abc"));
}

}  // namespace
}  // namespace rgtrans::interpreter
