// Places in texts: any place has an answer, and offsets come back from their places.
#include "ide/workbench/text.hpp"

#include <gmock/gmock.h>

namespace rgtrans::ide {
namespace {

TEST(Lines, EndAsAnyEditorEndsThem) {
  const std::string text = "a\nbb\r\nccc\rd";
  const Lines lines(text);
  ASSERT_EQ(lines.count(), 4U);
  EXPECT_EQ(lines.end(0, text), 1U);
  EXPECT_EQ(lines.end(1, text), 4U);
  EXPECT_EQ(lines.end(2, text), 9U);
  EXPECT_EQ(lines.end(3, text), 11U);
}

TEST(Lines, PlacesBeyondTheTextAreItsEnds) {
  const std::string text = "ab\ncd";
  const Lines lines(text);
  EXPECT_EQ(lines.offset({0, 99}, text, Encoding::utf16), 2U);
  EXPECT_EQ(lines.offset({9, 0}, text, Encoding::utf16), 5U);
  EXPECT_EQ(lines.place(99, text, Encoding::utf16), (LinePlace{1, 2}));
}

TEST(Lines, InsideOfACharacterIsItsBeginning) {
  const std::string text = "\xF0\x9F\x98\x80x";
  const Lines lines(text);
  EXPECT_EQ(lines.offset({0, 1}, text, Encoding::utf16), 0U);
  EXPECT_EQ(lines.offset({0, 2}, text, Encoding::utf16), 4U);
  EXPECT_EQ(lines.offset({0, 2}, text, Encoding::utf8), 0U);
  EXPECT_EQ(lines.offset({0, 1}, text, Encoding::utf32), 4U);
}

TEST(Lines, OffsetsComeBack) {
  const std::string text = "a\xC3\xA9\r\n\xE2\x82\xAC\xF0\x9F\x98\x80\xFF\rz\n\n";
  const Lines lines(text);
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf16, Encoding::utf32}) {
    for (const std::uint32_t at : {0U, 1U, 3U, 5U, 8U, 12U, 13U, 14U, 15U, 16U, 17U})
      EXPECT_EQ(lines.offset(lines.place(at, text, encoding), text, encoding), at);
  }
}

TEST(Text, BytesThatAreNoCharactersBecomeOne) {
  EXPECT_EQ(valid_utf8("a\xFFz\xC3"), "a\xEF\xBF\xBDz\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(units("\xED\xA0\x80", Encoding::utf16), 3U);
}

}  // namespace
}  // namespace rgtrans::ide
