// Messages for errors and for suspicious parts: the exact text, one case for each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/ludax/ludax.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans {
namespace {

std::string messages(const std::string& text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("g.ldx", text);
  ludax::frontend().load(file, diagnostics, {});
  return render(diagnostics.all(), *diagnostics.sources());
}

// A game on a board `square 8` with replaceable parts.
struct Parts {
  std::string board = "(square 8)", start = "", play = "(repeat (P1 P2) (place (destination empty)))",
              end = "(if (full_board) (draw))", players = "2";
  [[nodiscard]] std::string text() const {
    return "(game \"G\"\n (players " + players + ")\n (equipment (board " + board + "))\n (rules\n" +
           (start.empty() ? "" : "  (start " + start + ")\n") + "  (play " + play + ")\n  (end " + end + ")))\n";
  }
};
std::string with_board(const std::string& board) { return messages(Parts{.board = board}.text()); }
std::string with_start(const std::string& start) { return messages(Parts{.start = start}.text()); }
std::string with_play(const std::string& play) { return messages(Parts{.play = play}.text()); }
std::string with_destination(const std::string& mask) {
  return with_play("(repeat (P1 P2) (place (destination " + mask + ")))");
}
std::string with_rule(const std::string& rule) {
  return messages(Parts{.end = rule + " (if (full_board) (draw))"}.text());
}

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(LudaxMessages, AGameWithoutMistakesIsSilent) { EXPECT_EQ(messages(Parts{}.text()), ""); }

TEST(LudaxMessages, Parentheses) {
  EXPECT_EQ(messages("(game \"G\"\n (players 2)\n (equipment (board (square 3)))\n (rules\n  (play"),
            "g.ldx:5:3: error: `(play` is not closed\n    (play\n    ^\n  hint: add the missing `)`\n");
  EXPECT_THAT(messages("(game \"G\"\n (players 2)\n (equipment (board (square 3))\n (rules\n  (play)))"),
              StartsWith("g.ldx:3:2: error: `(equipment` is not closed\n"));
  EXPECT_THAT(messages(Parts{}.text() + ")"), StartsWith("g.ldx:7:1: error: unexpected `)`\n"));
  EXPECT_THAT(messages("(game \"G\n"), StartsWith("g.ldx:1:9: error: the string is not closed\n"));
  EXPECT_THAT(messages(""), StartsWith("g.ldx:1:1: error: the description is empty\n"));
  EXPECT_THAT(messages(Parts{}.text() + "(game)"), StartsWith("g.ldx:7:1: error: nothing may follow the game\n"));
}

TEST(LudaxMessages, UnknownWords) {
  EXPECT_EQ(with_destination("ocupied"),
            "g.ldx:5:45: error: unknown mask `ocupied`\n"
            "    (play (repeat (P1 P2) (place (destination ocupied))))\n"
            "                                              ^~~~~~~\n"
            "  hint: did you mean occupied?\n");
  EXPECT_THAT(with_rule("(if (full_bord) (draw))"),
              AllOf(HasSubstr("6:13: error: unknown predicate `full_bord`"), HasSubstr("did you mean full_board?")));
  EXPECT_THAT(with_rule("(if (>= (cuont empty) 2) (draw))"),
              AllOf(HasSubstr("unknown function `cuont`"), HasSubstr("did you mean count?")));
  EXPECT_THAT(with_rule("(if (full_board) (drawn))"),
              AllOf(HasSubstr("unknown result `(drawn)`"), HasSubstr("did you mean draw?")));
  EXPECT_THAT(with_rule("(if (full_board) (P1 win))"), HasSubstr("mover or opponent"));
  EXPECT_THAT(with_play("(repeat (P1 P2) (place (destination empty) (effects (flipp empty))))"),
              AllOf(HasSubstr("unknown effect `(flipp …)`"), HasSubstr("did you mean flip?")));
  EXPECT_THAT(with_board("(sqare 3)"),
              AllOf(HasSubstr("3:20: error: unknown board `(sqare …)`"), HasSubstr("did you mean square?")));
  EXPECT_THAT(with_destination("(edge upper)"), HasSubstr("`upper` is no edge"));
  EXPECT_THAT(with_destination("(adjacent empty direction:upp)"),
              AllOf(HasSubstr("`upp` is no direction"), HasSubstr("did you mean up?")));
}

TEST(LudaxMessages, TermsOfAnotherKind) {
  EXPECT_THAT(with_destination("(full_board)"),
              StartsWith("g.ldx:5:45: error: `(full_board)` is a condition, `destination` needs a set of cells\n"));
  EXPECT_THAT(with_rule("(if (occupied mover) (draw))"),
              AllOf(HasSubstr("`(occupied …)` is a set of cells, `if` needs a condition"), HasSubstr("(exists m)")));
  EXPECT_THAT(with_rule("(if (>= empty 2) (draw))"),
              AllOf(HasSubstr("`empty` is a set of cells, `>=` needs a number"), HasSubstr("(count m)")));
  EXPECT_THAT(with_destination("3"), HasSubstr("`3` is a number, `destination` needs a set of cells"));
  EXPECT_THAT(with_destination("(empty)"), HasSubstr("`empty` stands without parentheses"));
  EXPECT_THAT(with_rule("(if full_board (draw))"), HasSubstr("`full_board` needs parentheses"));
  EXPECT_THAT(with_rule("(if (connected top) (draw))"), HasSubstr("`connected` needs targets, not `top`"));
}

TEST(LudaxMessages, Sections) {
  EXPECT_THAT(messages("(game \"G\" (players 2) (equipment (board (square 3))) (rules (start (place P1 (1)))))"),
              HasSubstr("expected `(play …)` after `(start …)`"));
  EXPECT_THAT(
      messages("(game \"G\" (equipment (board (square 3))) (players 2) (rules))"),
      AllOf(HasSubstr("expected `(players …)` after the name, not `(equipment …)`"), HasSubstr("in this order")));
  EXPECT_THAT(messages("(game G)"), HasSubstr("the name of the game in double quotes"));
  EXPECT_THAT(messages("(play)"), HasSubstr("expected `(game …)`, not `(play)`"));
  EXPECT_EQ(messages(Parts{.players = "3"}.text()),
            "g.ldx:2:11: error: Ludax games have exactly two players\n"
            "   (players 3)\n            ^\n  hint: (players 2)\n");
}

TEST(LudaxMessages, Boards) {
  for (const char* size : {"0", "-3", "x"}) {
    EXPECT_THAT(with_board(std::string("(square ") + size + ")"),
                StartsWith("g.ldx:3:28: error: board size must be a positive integer\n"));
  }
  EXPECT_THAT(with_board("(hexagon 8)"),
              AllOf(StartsWith("g.ldx:3:20: error: the diameter of a hexagon must be odd and at least 3\n"),
                    HasSubstr("did you mean 9?")));
  EXPECT_THAT(with_board("(hexagon 1)"), HasSubstr("did you mean 3?"));
  EXPECT_THAT(with_board("(square 100)"), AllOf(HasSubstr("has 10000 cells"), HasSubstr("--limit ludax-cells")));
}

TEST(LudaxMessages, Start) {
  EXPECT_THAT(with_start("(place P1 (99))"),
              StartsWith("g.ldx:5:21: error: cell 99 does not exist: the board has 64 cells, 0 to 63\n"));
  EXPECT_THAT(with_start("(place P1 (27)) (place P2 (27))"),
              AllOf(StartsWith("g.ldx:5:37: warning: cell 27 is given to P1 and then to P2; the last one counts\n"),
                    HasSubstr("first here")));
}

TEST(LudaxMessages, WhatTheShapeHasNot) {
  const std::string text =
      Parts{.board = "(hexagon 5)", .play = "(repeat (P1 P2) (place (destination (and empty (edge left)))))"}.text();
  EXPECT_THAT(messages(text), AllOf(StartsWith("g.ldx:5:62: error: a hexagon has no left edge\n"),
                                    HasSubstr("it has top, bottom, top_left, top_right, bottom_left, bottom_right")));
  const std::string vertical =
      Parts{.board = "(hexagon 5)", .end = "(if (line 3 orientation:vertical) (draw)) (if (full_board) (draw))"}.text();
  EXPECT_THAT(messages(vertical), HasSubstr("warning: a hexagon has no such direction: the value is always 0"));
  EXPECT_THAT(with_destination("(and empty (not center))"), HasSubstr("warning: this board has no centre cell"));
}

TEST(LudaxMessages, Lengths) {
  EXPECT_THAT(with_rule("(if (line 9) (mover win))"),
              HasSubstr("warning: no line of 9 fits on this board, the value is always 0"));
  EXPECT_THAT(with_rule("(if (exists (custodial 7)) (mover win))"),
              HasSubstr("warning: no such arrangement fits on this board"));
  for (const char* term : {"(line 0)", "(exists (custodial 0))"}) {
    EXPECT_THAT(with_rule(std::string("(if ") + term + " (draw))"), HasSubstr("error: length must be at least 1"));
  }
}

TEST(LudaxMessages, Pattern) {
  EXPECT_THAT(with_destination("(pattern (2 2) (0 3))"),
              StartsWith("g.ldx:5:45: error: `pattern` has no defined meaning in Ludax\n"));
}

TEST(LudaxMessages, ScoresAndPasses) {
  EXPECT_THAT(with_rule("(if (line 3) (by_score))"), HasSubstr("warning: scores are never changed"));
  EXPECT_THAT(with_rule("(if (>= (score mover) 3) (draw))"), HasSubstr("warning: scores are never changed"));
  EXPECT_THAT(with_rule("(if (passed both) (draw))"), HasSubstr("warning: nobody can ever pass"));
  EXPECT_THAT(
      with_play("(repeat (P1 P2) (place (destination empty) (effects (capture occupied increment_score:true))))"),
      Not(HasSubstr("no bound")));
  EXPECT_THAT(messages(Parts{.play = "(repeat (P1 P2) (place (destination empty)"
                                     " (effects (capture (custodial any) increment_score:true))))",
                             .end = "(if (line 3) (by_score)) (if (full_board) (draw))"}
                           .text()),
              HasSubstr("warning: scores have no bound that can be found; they are kept between -1000 and 1000"));
}

TEST(LudaxMessages, Play) {
  EXPECT_THAT(messages(Parts{.end = "(if (line 3) (draw))"}.text()),
              HasSubstr("warning: the game may reach a position without moves; it is then a draw"));
  EXPECT_THAT(with_play("(once-through (P1 P2) (place (destination empty)))"),
              HasSubstr("warning: a once-through phase that is the last one is treated as repeat"));
  EXPECT_THAT(with_play("(repeat (P1) (place (destination empty))) (repeat (P2) (place (destination empty)))"),
              HasSubstr("warning: this phase is never reached"));
  EXPECT_THAT(with_destination("(not center)"), HasSubstr("warning: the destination can include occupied cells"));
  EXPECT_THAT(messages(Parts{.end = "(if 1 (draw)) (if (full_board) (draw))"}.text()),
              HasSubstr("warning: this rule is never used"));
  EXPECT_THAT(with_rule("(if 0 (draw))"), HasSubstr("warning: this condition can never hold"));
}

TEST(LudaxMessages, NamedArguments) {
  EXPECT_THAT(with_destination("(adjacent empty exact:true)"),
              StartsWith("g.ldx:5:61: error: `exact:` belongs to `line`, not to `adjacent`\n"));
  EXPECT_THAT(with_rule("(if (line 3 exact:true exact:true) (draw))"),
              AllOf(HasSubstr("error: `exact:` is given twice"), HasSubstr("first here")));
  EXPECT_THAT(with_rule("(if (line 3 exakt:true) (draw))"),
              AllOf(HasSubstr("error: unknown argument `exakt:`"), HasSubstr("did you mean exact?")));
  EXPECT_THAT(with_rule("(if (line 3 exact:) (draw))"), HasSubstr("error: `exact:` has no value"));
  EXPECT_THAT(with_rule("(if (line 3 exact:maybe) (draw))"), HasSubstr("`exact:` is `true` or `false`, not `maybe`"));
  EXPECT_THAT(with_rule("(if (line 3 exact :true) (draw))"), HasSubstr("unexpected `:`"));
}

TEST(LudaxMessages, Nesting) {
  std::string mask = "empty";
  for (int i = 0; i < 1100; ++i) mask = "(not " + mask + ")";
  EXPECT_THAT(with_destination(mask), HasSubstr("error: parentheses are nested more than 1000 deep"));
  std::string deep = "empty";
  for (int i = 0; i < 900; ++i) deep = "(not " + deep + ")";
  EXPECT_EQ(with_destination(deep), "");
}

TEST(LudaxMessages, SeveralMistakesAtOnce) {
  const std::string found = messages(Parts{.play = "(repeat (P1 P2) (place (destination emty)))",
                                           .end = "(if (lin 3) (draw)) (if (full_board) (mover wins))"}
                                         .text());
  EXPECT_THAT(found, AllOf(HasSubstr("`emty`"), HasSubstr("`lin`"), HasSubstr("unknown result")));
}

TEST(LudaxMessages, Options) {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.values["max-plies"] = "none";
  try {
    load_text("g.ldx", Parts{}.text(), ludax::frontend(), diagnostics, options);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.diagnostics().front().message, "the option max-plies cannot be 'none'");
  }
}

}  // namespace
}  // namespace rgtrans
