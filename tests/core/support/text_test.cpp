#include "core/support/text.hpp"

#include <gmock/gmock.h>

#include "core/support/bits.hpp"
#include "core/support/letters.hpp"
#include "core/support/score.hpp"
#include "core/support/truth.hpp"

namespace rgtrans {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Nothing that a terminal obeys comes through, whatever a name is.
TEST(Text, IsHarmlessInATerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\tc\nd\x7f"), "a?[2Jb c?d?");
  EXPECT_EQ(printable("\u009b31m \u202eabc \u2066x"), "?31m ?abc ?x") << "C1, and marks that turn the writing round";
  EXPECT_EQ(printable("Zürich ♚ 𝄞"), "Zürich ♚ 𝄞");
  EXPECT_EQ(printable("\xff\xc3 \xe2\x82"), "?? ?") << "no UTF-8";
  EXPECT_EQ(terminal_text("a\r\n\tb\x07\n"), "a?\n\tb?\n");
  for (int c = 0; c < 256; ++c) {
    for (const char shown : printable(std::string(1, static_cast<char>(c)))) {
      EXPECT_GE(static_cast<unsigned char>(shown), 0x20) << c;
      EXPECT_NE(shown, 0x7f) << c;
    }
  }
}

TEST(Text, IsEscapedForXmlAndGraphviz) {
  EXPECT_EQ(xml_escaped("a < b & \"c\"\x01\n"), "a &lt; b &amp; &quot;c&quot;\n");
  EXPECT_EQ(dot_quoted("say \"a\\b\"\nnow"), R"("say \"a\\b\" now")");
}

TEST(Scores, AreWorthTheirNumber) {
  EXPECT_EQ(score_number("50"), 50);
  EXPECT_EQ(score_number("S__3"), 3) << "S(3) of HRG";
  for (const char* name :
       {"won", "", "S__", "S__1_2", "3__1_", "S__x", "1st", "nan", "inf", "1e2", "0x10", "1_0", "S__1e2"}) {
    EXPECT_FALSE(score_number(name).has_value()) << name;
    EXPECT_EQ(score_value(name), 0) << name;
  }
}

TEST(Text, CountsDigitsAsNumbers) {
  EXPECT_LT(compare_natural("c2", "c10"), 0);
  EXPECT_LT(compare_natural("S__1_2", "S__1_10"), 0);
  EXPECT_LT(compare_natural("a", "ab"), 0);
  EXPECT_LT(compare_natural("a01", "a1"), 0);
  EXPECT_GT(compare_natural("a1", "a01"), 0);
  EXPECT_EQ(compare_natural("x", "x"), 0);
}

TEST(Text, OfAddressesIsWrittenInPercent) {
  EXPECT_EQ(percent_encoded("a b/c\xc3", "/"), "a%20b/c%C3");
  EXPECT_EQ(percent_decoded("a%20b/c%c3%"), "a b/c\xc3%");
  EXPECT_EQ(percent_decoded("%4"), "%4");
}

TEST(Letters, AreThoseOfAscii) {
  EXPECT_TRUE(all_word("aZ_09"));
  EXPECT_FALSE(all_word("a-b"));
  EXPECT_FALSE(is_letter('\xe4'));
  EXPECT_EQ(lower_case("A\xc4z"), "a\xc4z");
  EXPECT_EQ(capitalized("abc"), "Abc");
}

TEST(Text, IsSplit) {
  EXPECT_THAT(split_list("a,,b,"), ElementsAre("a", "b"));
  EXPECT_THAT(split_list("a b", " "), ElementsAre("a", "b"));
  EXPECT_THAT(split_list("(a b,c)", "(), "), ElementsAre("a", "b", "c"));
  EXPECT_THAT(split_list(""), IsEmpty());
  EXPECT_THAT(split_lines("a\n\nb\n"), ElementsAre("a", "", "b"));
}

TEST(Text, DifferencesAreLinesThatOnlyOneHas) {
  EXPECT_EQ(line_difference("a\nb\nb\n", "b\na\nc\n"), "- b\n+ c\n");
  EXPECT_EQ(line_difference("a\nb\n", "b\na\n"), "");
}

TEST(Bits, FullSetsHaveExactlyTheirMembers) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                                 std::size_t{128}, std::size_t{130}}) {
    const Bits full = Bits::full(size);
    EXPECT_EQ(full.count(), size);
    Bits one_by_one(size);
    for (std::size_t i = 0; i < size; ++i) one_by_one.set(i);
    EXPECT_EQ(full, one_by_one) << size;
    EXPECT_TRUE(full.contains(one_by_one));
  }
}

TEST(Bits, ContainmentAndSingleMembersLookAtAllWords) {
  Bits all(130), some(130);
  all.set(3);
  all.set(129);
  some.set(129);
  EXPECT_TRUE(all.contains(some));
  EXPECT_FALSE(some.contains(all));
  EXPECT_EQ(some.single(), 129U);
  EXPECT_EQ(all.single(), std::nullopt);
  EXPECT_EQ(Bits(130).single(), std::nullopt);
}

TEST(Truth, NegationKeepsTheUnknown) {
  EXPECT_EQ(!Truth::yes, Truth::no);
  EXPECT_EQ(!Truth::no, Truth::yes);
  EXPECT_EQ(!Truth::unknown, Truth::unknown);
}

}  // namespace
}  // namespace rgtrans
