#include <gtest/gtest.h>

#include "frontends/ludax/ludax.hpp"

namespace rgtrans {
namespace {

std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  const std::string result = ludax::frontend().format(diagnostics.sources()->add("g.ldx", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  EXPECT_EQ(ludax::frontend().format(diagnostics.sources()->add("again.ldx", result), diagnostics), result);
  return result;
}

TEST(LudaxFormat, SectionsHaveTheirLines) {
  EXPECT_EQ(
      formatted("( game \"G\" (players 2)(equipment (board (square 3)))(rules(start(place P1(0 8)))(play(repeat(P1 P2)"
                "(place(destination empty)))) (end(if(line 3 exact: true) (mover win))(if (full_board) (draw)))))"),
      "(game \"G\"\n"
      "  (players 2)\n"
      "  (equipment (board (square 3)))\n"
      "  (rules\n"
      "    (start\n"
      "      (place P1 (0 8)))\n"
      "    (play\n"
      "      (repeat (P1 P2)\n"
      "        (place (destination empty))))\n"
      "    (end\n"
      "      (if (line 3 exact:true) (mover win))\n"
      "      (if (full_board) (draw)))))\n");
}

TEST(LudaxFormat, CommentsStay) {
  EXPECT_EQ(
      formatted("// A game.\n(game \"G\" (players 2) ;; two\n(equipment (board (square 3))) (rules\n// how\n(play "
                "(once_through (P1 P2) (place (destination empty))))\n(end (if // full\n (full_board) (draw)))))\n// "
                "the end"),
      "// A game.\n"
      "(game \"G\"\n"
      "  (players 2)  ;; two\n"
      "  (equipment (board (square 3)))\n"
      "  (rules\n"
      "    // how\n"
      "    (play\n"
      "      (once-through (P1 P2)\n"
      "        (place (destination empty))))\n"
      "    (end\n"
      "      (if  // full\n"
      "        (full_board)\n"
      "        (draw)))))\n"
      "// the end\n");
}

TEST(LudaxFormat, CommentsMayFollowTheNameOfAnArgument) {
  const std::string text = formatted(
      "(game \"G\" (players 2) (equipment (board (square 3))) (rules (play (repeat (P1 P2) (place (destination "
      "empty)))) (end (if (line 3 exact: // all\n true) (mover win)))))");
  EXPECT_NE(text.find("(line 3 exact:  // all\n          true)\n"), std::string::npos) << text;
  EXPECT_EQ(formatted(text), text);
}

TEST(LudaxFormat, LongTermsAreBroken) {
  const std::string mask = "(or (edge top) (edge bottom) (edge left) (edge right) (adjacent occupied direction:up))";
  const std::string text = formatted(
      "(game \"G\" (players 2) (equipment (board (square 5))) (rules (play (repeat (P1 P2) (place (destination (and "
      "empty " +
      mask + "))))) (end (if (full_board) (draw)))))");
  EXPECT_NE(text.find("(destination\n"), std::string::npos) << text;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 100U) << text;
    begin = end + 1;
  }
}

}  // namespace
}  // namespace rgtrans
