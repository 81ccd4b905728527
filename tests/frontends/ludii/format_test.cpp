// The layout of descriptions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/ludii/ludii.hpp"

namespace rgtrans {
namespace {

std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  const std::string result = ludii::frontend().format(diagnostics.sources()->add("g.lud", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  EXPECT_EQ(ludii::frontend().format(diagnostics.sources()->add("again.lud", result), diagnostics), result);
  return result;
}

std::string mistake(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_EQ(ludii::frontend().format(diagnostics.sources()->add("g.lud", text), diagnostics), "");
  return render(diagnostics.all(), *diagnostics.sources());
}

TEST(LudiiFormat, SectionsHaveTheirLines) {
  EXPECT_EQ(
      formatted("( game \"G\" (players 2)(equipment {(board (square 3))(piece \"Disc\" Each)})(rules(start{(place "
                "\"Disc1\" (sites {0 1 2}))})(play(forEach Piece))(end(if(is Line 3)(result Mover Win)))))"),
      "(game \"G\"\n"
      "    (players 2)\n"
      "    (equipment {\n"
      "        (board (square 3))\n"
      "        (piece \"Disc\" Each)\n"
      "    })\n"
      "    (rules\n"
      "        (start {(place \"Disc1\" (sites {0 1 2}))})\n"
      "        (play (forEach Piece))\n"
      "        (end (if (is Line 3) (result Mover Win)))\n"
      "    )\n"
      ")\n");
}

TEST(LudiiFormat, PartsWithoutBlanksStayTogether) {
  EXPECT_EQ(formatted("(x a:(b  c) {\"A1\"..\"C2\" 1..3}  <Size:a>  ~ #1 if: (d))**"),
            "(x a:(b c) {\"A1\"..\"C2\" 1..3} <Size:a> ~ #1 if:(d))**\n");
  EXPECT_EQ(formatted("(a \"b // c\" (d))"), "(a \"b // c\" (d))\n");
  EXPECT_EQ(formatted("(item \"1\"<(x)>  <(> 1 2)>\"a\")*"), "(item \"1\" <(x)> <(> 1 2)> \"a\")*\n");
}

TEST(LudiiFormat, CommentsStay) {
  EXPECT_EQ(
      formatted(
          "// A game.\n\n\n(define \"A\" (b)) // how\n(game \"G\" // name\n(players 2) // two\n// and\n(equipment "
          "{ (board (square 3)) })) // end"),
      "// A game.\n"
      "\n"
      "(define \"A\" (b))  // how\n"
      "(game \"G\"  // name\n"
      "    (players 2)  // two\n"
      "    // and\n"
      "    (equipment {(board (square 3))})\n"
      ")  // end\n");
}

TEST(LudiiFormat, CommentsMayEndAList) {
  EXPECT_EQ(formatted("(a (b) // c\n)"), "(a\n    (b)  // c\n)\n");
  EXPECT_EQ(formatted("(a (b)\n// c\n)"), "(a\n    (b)\n    // c\n)\n");
  EXPECT_EQ(formatted("(a {(b)\n// c\n} (// d\ne f))"),
            "(a\n    {\n        (b)\n        // c\n    }\n    (  // d\n        e\n        f\n    )\n)\n");
}

TEST(LudiiFormat, LongListsAreBrokenAndNumbersFillTheirLines) {
  std::string numbers, moves;
  for (int i = 100; i < 140; ++i) numbers += " " + std::to_string(i);
  for (const char* const direction : {"Forward", "Backward", "Rightward", "Leftward"})
    moves += std::string(" (move Step ") + direction + " (to if:(is Empty (to))))";
  const std::string result = formatted("(equipment {(map {" + numbers + "}) (piece \"A\" Each (or {" + moves + "}))})");
  EXPECT_EQ(result,
            "(equipment {\n"
            "    (map {\n"
            "        100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122\n"
            "        123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139\n"
            "    })\n"
            "    (piece \"A\" Each\n"
            "        (or {\n"
            "            (move Step Forward (to if:(is Empty (to))))\n"
            "            (move Step Backward (to if:(is Empty (to))))\n"
            "            (move Step Rightward (to if:(is Empty (to))))\n"
            "            (move Step Leftward (to if:(is Empty (to))))\n"
            "        })\n"
            "    )\n"
            "})\n");
}

TEST(LudiiFormat, MistakesStopIt) {
  EXPECT_EQ(mistake("(a {b)"),
            "g.lud:1:6: error: unexpected `)`\n  (a {b)\n       ^\n  hint: brackets are closed in the "
            "order in which they open\n");
  EXPECT_EQ(mistake("(a\n (b)"), "g.lud:1:1: error: `(` is not closed\n  (a\n  ^\n  hint: add the missing bracket\n");
  EXPECT_THAT(mistake("(a \"b)"), ::testing::HasSubstr("the string is not closed"));
  EXPECT_THAT(mistake(")"), ::testing::HasSubstr("unexpected `)`"));
}

}  // namespace
}  // namespace rgtrans
