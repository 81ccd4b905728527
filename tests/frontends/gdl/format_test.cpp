// The layout of both notations, and what becomes of comments.
#include "frontends/gdl/syntax/format.hpp"

#include <gmock/gmock.h>

#include "frontends/gdl/gdl.hpp"

namespace rgtrans::gdl {
namespace {

std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  std::string result = format(diagnostics.sources()->add("game.kif", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  Diagnostics again;
  EXPECT_EQ(format(again.sources()->add("game.kif", result), again), result) << "the second time differs";
  return result;
}

TEST(GdlFormat, RulesAndFacts) {
  EXPECT_EQ(formatted("(role r)(role s)\n(<= (next (cell ?x b)) (true (cell ?x b))(not(does r ?x)))terminal (<= h)"),
            "(role r)\n"
            "(role s)\n"
            "(<= (next (cell ?x b))\n"
            "    (true (cell ?x b))\n"
            "    (not (does r ?x)))\n"
            "terminal\n"
            "(<= h)\n");
}

TEST(GdlFormat, KeepsOneBlankLine) {
  EXPECT_EQ(formatted("\n\n(a)\r\n\r\n\r\n(b)\r(c)\r\r(d)\n\n"), "(a)\n\n(b)\n(c)\n\n(d)\n");
}

TEST(GdlFormat, BreaksLongSentences) {
  const std::string a = "(a_long_name_of_a_relation ?first ?second)";
  const std::string b = "(b_long_name_of_a_relation ?first ?second)";
  EXPECT_EQ(formatted("(<= h (or " + a + " (not " + b + ") c))"),
            "(<= h\n    (or " + a + "\n        (not " + b + ")\n        c))\n");
}

TEST(GdlFormat, Comments) {
  EXPECT_EQ(formatted("; top\n\n(role r);the player  \n  ; above\n(<= h ; head\n ; own\n a ;why\n b)\n;; end"),
            "; top\n"
            "\n"
            "(role r)  ;the player\n"
            "; above\n"
            "(<= h  ; head\n"
            "    ; own\n"
            "    a  ;why\n"
            "    b)\n"
            ";; end\n");
  EXPECT_EQ(formatted("(<= h a ; (last\n )"), "(<= h\n    a  ; (last\n)\n");
  EXPECT_EQ(formatted("(<= h (p a ; in\n b))"),
            "(<= h\n"
            "    (p a  ; in\n"
            "       b))\n");
  EXPECT_EQ(formatted("( ; first\n p a)"), "(\n  ; first\n  p a)\n");
}

TEST(GdlFormat, Infix) {
  EXPECT_EQ(formatted("role(r) ; one\n\nlegal(R,mark(X,Y)):-true(cell(X,Y,b))&~true(frozen( X )) ; no\nterminal :- p"),
            "role(r)  ; one\n"
            "\n"
            "legal(R, mark(X, Y)) :-\n"
            "    true(cell(X, Y, b)) &\n"
            "    ~true(frozen(X))  ; no\n"
            "terminal :-\n"
            "    p\n");
  EXPECT_EQ(formatted("p(a) :- ; why\n q & ; and\n ; own\n r(a,;in\n b)"),
            "p(a) :-  ; why\n"
            "    q &  ; and\n"
            "    ; own\n"
            "    ;in\n"
            "    r(a, b)\n");
}

TEST(GdlFormat, MistakesAreReported) {
  Diagnostics diagnostics;
  EXPECT_EQ(format(diagnostics.sources()->add("game.kif", "(role r"), diagnostics), "");
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace rgtrans::gdl
