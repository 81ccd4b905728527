// Small descriptions that one form once played wrongly, most of them for a proof or a rewrite that assumed too much:
// the same tree in every form and engine.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/gdl_lift.hpp"
#include "tests/support/gdl_same_tree.hpp"
#include "tests/support/instrumented.hpp"

namespace rgtrans::gdl {
namespace {

// (after 1 2) (after 2 3) ...
std::string chain(const char* relation, int last) {
  std::string text;
  for (int i = 1; i < last; ++i) text += fmt::format("({} {} {}) ", relation, i, i + 1);
  return text;
}
std::string chain(int last) { return chain("after", last); }

// A counter that ends the play.
std::string steps(int last) {
  return "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (plus ?x ?y)) " + chain("plus", last) +
         fmt::format("(<= terminal (true (step {}))) ", last);
}

// --- A column without values. ---

// The variable has a value in each column of the fact, and none in both.
TEST(GdlSound, AMoveWhoseColumnHasNoValueIsNeverLegal) {
  EXPECT_EQ(same_tree("(role w) (init (f 3 1)) (init (f 2 3)) (<= (next (f ?x ?y)) (true (f ?x ?y)))"
                      "(<= (legal w (m ?x)) (true (f ?x ?x))) (legal w noop) (<= (goal w 10) (not made))"
                      "(<= (goal w 90) made) (<= made (true (mark ?x))) (<= (next (mark ?x)) (does w (m ?x)))" +
                          steps(3),
                      4),
            "");
}

// --- Pairs that become cells. ---

// Pairs of a board become cells, and pairs outside of it one more. A rule looked at two tables of cells, of which each
// was right for another pair outside: 1 4 is in the row of 1, and 4 3 meets 3 2.
TEST(GdlSound, PairsOutsideOfABoardStayApart) {
  EXPECT_EQ(
      same_tree("(role black) (num 1) (num 3) (num 4) (init (cell 2 1 e)) (init (cell 2 2 e)) (init (cell 3 2 e))"
                "(<= (legal ?r (put ?x ?y)) (true (cell ?x ?y e))) (legal ?r (m1 1))"
                "(<= (next (cell ?x ?y ?r)) (does ?r (put ?x ?y)))"
                "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))"
                "(<= (next (cell ?n1 ?n2 ?r)) (does ?r (m1 ?n1)) (true (cell ?n2 ?n3 ?r)))"
                "(<= (next f2) (num ?n) (role ?r) (not (true (cell ?n ?n ?r))))"
                "(<= (line ?c) (true (cell ?x ?x ?c))) (<= terminal (role ?c) (line ?c)) (<= (goal ?r 0) (role ?r))",
                5),
      "");
}

// --- Facts named by numbers. ---

// In the text of the automaton, a variable `1` would hide the truth value 1, and a variable `50` the score.
TEST(GdlSound, FactsNamedByNumbersAreNoValues) {
  EXPECT_EQ(same_tree("(role r) (init 0) (legal r a) (legal r b) (<= (next 1) (true 0) (does r a))"
                      "(<= (next 50) (true 0) (does r b)) (<= (next 0) (true 1) (does r a))"
                      "(<= (next 50) (true 1) (does r b)) (<= (next (1 ?m)) (does r ?m)) (<= terminal (true 50))"
                      "(<= (goal r 50) (true (1 b))) (<= (goal r 0) (not (true (1 b))))",
                      4),
            "");
}

// --- A rule of a move that only others make. ---

// Expansion replaces (does guesser ?m) by a rule for each move. A move of a word that is no role would store a value
// that the column of the fact lacks.
TEST(GdlSound, ARoleNeverMakesAMoveOfOthers) {
  EXPECT_EQ(same_tree("(role guesser) (legal guesser wait) (<= (next (guess ?m)) (does guesser ?m))"
                      "(<= (legal chooser higher) (true (guess ?m))) (<= (goal guesser 70) (true (guess wait)))"
                      "(<= (goal guesser 20) (not (true (guess wait))))" +
                          steps(3),
                      4),
            "");
  EXPECT_EQ(same_tree("(role a) (role b) (legal a (pick 1)) (legal b (pick 2)) (legal b rest)"
                      "(<= (next (picked ?m)) (does a ?m)) (<= (goal ?r 70) (role ?r) (true (picked (pick 1))))"
                      "(<= (goal ?r 20) (role ?r) (not (true (picked (pick 1)))))" +
                          steps(3),
                      4),
            "");
}

// Rules can read what is legal for a word that is no role, although nobody makes such a move.
TEST(GdlSound, WhatIsLegalForOthersThanRolesHolds) {
  EXPECT_EQ(same_tree("(role w) (legal w go) (legal w stay) (legal you jump) (<= terminal (not any))"
                      "(<= any (legal you ?m)) (<= (goal w 80) any) (<= (goal w 10) (not any))" +
                          steps(3),
                      4),
            "");
  EXPECT_EQ(same_tree("(role w) (<= (legal ?r wait) (role ?r)) (<= (legal you wait) (true (step 2))) (legal w go)"
                      "(<= (next (f ?r)) (legal ?r wait) (not (does ?r wait))) (<= (next (made ?r ?m)) (does ?r ?m))"
                      "(<= (goal w 80) (true (f you)) (true (made w go)))"
                      "(<= (goal w 30) (not (true (f you))) (true (made w go)))"
                      "(<= (goal w 10) (not (true (made w go))))" +
                          steps(3),
                      4),
            "");
}

// --- Moves of roles that rules take from facts with nested terms. ---

TEST(GdlSound, AMoveWithoutArgumentsHasNoParentheses) {
  EXPECT_EQ(same_tree("(role w) (role b) (init (t w)) (init (t b)) (<= (legal ?r m) (true (t ?r)))"
                      "(<= (legal ?r (n ?r)) (role ?r)) (<= (next (t (p ?x))) (does ?r m) (plus ?x ?y))"
                      "(<= (next (t ?r)) (true (t ?r))) (<= (next (t ?r)) (does ?r (n ?r)))"
                      "(<= (goal ?r 50) (role ?r) (true (t ?r))) (<= (goal ?r 40) (role ?r) (not (true (t ?r))))" +
                          steps(3),
                      4),
            "");
}

// --- A frame of a move whose argument only some values of the column fit. ---

// The rule keeps the fact for moves with 3 alone, although it names the fact's column nowhere else: the walk through
// the part of the rule without the fact has to test that.
TEST(GdlSound, AFrameNeedsTheSortOfItsMove) {
  EXPECT_EQ(same_tree("(role w) (thing a) (thing c) (num 1) (num 2) (num 3) (init (f2 1 b)) (init (f1 3))"
                      "(<= (legal ?r (m ?n ?a)) (role ?r) (thing ?a) (true (f2 ?n ?a)))"
                      "(<= (legal ?r (m ?n ?a)) (role ?r) (num ?n) (thing ?a))"
                      "(<= (next (f2 ?n ?a)) (num ?n) (thing ?a))"
                      "(<= (next (f1 ?n)) (true (f1 ?n)) (does ?r (m ?n ?a)))"
                      "(<= (goal ?r 100) (role ?r) (true (f1 ?n))) (<= (goal ?r 0) (role ?r) (not some))"
                      "(<= some (true (f1 ?n)))" +
                          steps(3),
                      4),
            "");
}

TEST(GdlSound, AFrameNeedsTheSortOfAFactBesideIt) {
  EXPECT_EQ(same_tree("(role w) (num 1) (num 2) (num 3) (even 2) (init (at 1)) (init (on 2)) (init (seen 1 2))"
                      "(init (seen 2 1)) (<= (legal w (go ?n)) (num ?n)) (<= (next (at ?n)) (does w (go ?n)))"
                      "(<= (next (on ?k)) (true (on ?k)) (true (at ?n)) (even ?n))"
                      "(<= (next (on ?k)) (does w (go ?k)) (even ?k))"
                      "(<= (next (seen ?a ?b)) (true (seen ?a ?b)) (true (at ?n)) (even ?n) (distinct ?n ?a))"
                      "(<= (goal w 100) (true (on ?n))) (<= (goal w 0) (not some)) (<= some (true (on ?n)))" +
                          steps(4),
                      5),
            "");
}

// The rules of three roles become one, and only the last has a condition of its own.
TEST(GdlSound, OnlyTheThirdRoleHasACondition) {
  EXPECT_EQ(same_tree("(role a) (role b) (role c) (num 1) (num 2) (num 3) (odd 1) (odd 3) (after a b) (after b c)"
                      "(after c a) (init (control a)) (init (free 1)) (init (free 2)) (init (free 3))"
                      "(<= (legal ?r (mark ?x)) (true (control ?r)) (true (free ?x)))"
                      "(<= (legal ?r noop) (role ?r) (not (true (control ?r)))) (<= (legal c pass) (true (control c)))"
                      "(<= (next (control ?s)) (true (control ?r)) (after ?r ?s))"
                      "(<= (next (free ?x)) (true (free ?x)) (not (taken ?x))) (<= (taken ?x) (does ?r (mark ?x)))"
                      "(<= (next (cell ?x 1)) (does a (mark ?x))) (<= (next (cell ?x 2)) (does b (mark ?x)))"
                      "(<= (next (cell ?x 3)) (does c (mark ?x)) (odd ?x))"
                      "(<= (next (cell ?x ?v)) (true (cell ?x ?v)))"
                      "(<= terminal (not some)) (<= some (true (free ?x)))"
                      "(<= (goal ?r 100) (role ?r) (true (cell ?x 3)))"
                      "(<= (goal ?r 0) (role ?r) (not third)) (<= third (true (cell ?x 3)))",
                      4),
            "");
}

// --- Columns that are kept apart are still equal where a rule says so. ---

TEST(GdlSound, TwoColumnsOfOneVariable) {
  EXPECT_EQ(same_tree("(role w) (init (f a b)) (next (f b a)) (legal w noop) (<= terminal (true (f b a)))"
                      "(<= (goal w 100) (true (f ?x ?x))) (<= (goal w 10) (not diag)) (<= diag (true (f ?x ?x)))",
                      3),
            "");
}

TEST(GdlSound, ThreeColumnsOfOneVariable) {
  EXPECT_EQ(same_tree("(role w) (init (f 1 1 2)) (succ 1 2) (succ 2 1)"
                      "(<= (legal w (turn ?x)) (succ ?x ?y)) (<= (legal w all) (true (f ?x ?x ?x)))"
                      "(<= (next (f ?y ?a ?b)) (true (f ?a ?b ?c)) (does w (turn ?x)) (succ ?x ?y))"
                      "(<= (next (f 1 2 1)) (does w all))" +
                          steps(6) + "(<= (goal w 40) (true (f ?x ?y ?x))) (<= (goal w 70) (true (f ?x ?x ?y)))",
                      5),
            "");
}

// A piece on a large board that may jump from the diagonal alone.
std::string walker(int size, const std::string& more) {
  return "(role w) (init (pos 1 5)) " + chain(size) +
         "(<= (legal w up) (true (pos ?x ?y)) (after ?y ?z) (not (true (mark ?x ?z))))"
         "(<= (legal w down) (true (pos ?x ?y)) (after ?z ?y) (not (true (mark ?x ?z))))"
         "(<= (legal w right) (true (pos ?x ?y)) (after ?x ?z)) (<= (legal w jump) (true (pos ?x ?x)))"
         "(<= (next (pos ?x ?z)) (true (pos ?x ?y)) (does w up) (after ?y ?z))"
         "(<= (next (pos ?x ?z)) (true (pos ?x ?y)) (does w down) (after ?z ?y))"
         "(<= (next (pos ?z ?y)) (true (pos ?x ?y)) (does w right) (after ?x ?z))" +
         fmt::format("(<= (next (pos {0} {0})) (does w jump)) (<= terminal (true (pos {0} {0})))", size) +
         "(<= (next (mark ?x ?y)) (true (pos ?x ?y))) (<= (next (mark ?x ?y)) (true (mark ?x ?y)))" + more +
         fmt::format("(<= (goal w 100) (true (pos {0} {0})))", size);
}

TEST(GdlSound, TwoScalarsOfALargeBoard) {
  const int depth = kSanitized ? 2 : 4;
  EXPECT_EQ(same_tree(walker(14, "(<= terminal (true (pos ?x ?y)) (after ?x ?z) (true (mark ?z ?y)))"), depth), "");
  EXPECT_EQ(same_tree(walker(9, ""), depth), "");
}

// There are more pairs of cells in one row than a relation of cells may have.
TEST(GdlSound, TwoCellsInOneLongRow) {
  std::string text =
      "(role w) (row a) (row b) (<= (init (cell ?x ?y free)) (row ?x) (col ?y)) (init (last 0)) (init (before 0))"
      "(<= (legal w (mark ?x ?y)) (true (cell ?x ?y free))) (<= (next (cell ?x ?y taken)) (does w (mark ?x ?y)))"
      "(<= (next (cell ?x ?y taken)) (true (cell ?x ?y taken)))"
      "(<= (next (cell ?x ?y free)) (true (cell ?x ?y free)) (does w (mark ?u ?v)) (distinct ?x ?u))"
      "(<= (next (cell ?x ?y free)) (true (cell ?x ?y free)) (does w (mark ?u ?v)) (distinct ?y ?v))"
      "(<= (next (last ?y)) (does w (mark ?x ?y))) (<= (next (before ?y)) (true (last ?y)))"
      "(<= terminal (true (cell ?x ?y taken)) (true (cell ?x ?z taken)) (true (last ?y)) (true (before ?z))"
      "(distinct ?y ?z)) (<= (goal w 100) terminal)";
  for (int i = 1; i <= 175; ++i) text += fmt::format("(col {}) ", i);
  EXPECT_EQ(beside_ground(text, lift(text), 8), "");
}

// --- Where the condition of a frame holds for several values, the frame fails only if it fails for all of them. ---

TEST(GdlSound, FramesThatSeveralRolesKeep) {
  const std::string legal = "(legal ?r keep) (legal ?r drop) (<= (legal ?r extra) (true (f ?r)))";
  const std::string frame = "(<= (next (f ?x)) (true (f ?x)) (does ?r keep) (distinct ?x ?r))";
  EXPECT_EQ(same_tree("(role w) (role b) (init (f w)) (init (f b))" + legal + frame + steps(3) + "(goal ?r 100)", 2),
            "");
  EXPECT_EQ(same_tree("(role w) (role b) (role g) (init (f w)) (init (f b)) (init (f g))" + legal + frame + steps(3) +
                          "(goal w 100)",
                      2),
            "");
  // Which facts are kept is found by a walk.
  EXPECT_EQ(same_tree("(role w) (role b) (init (f 1)) (init (f 2)) (init (f 9)) (init (bad w 1)) (init (bad b 2)) "
                      "(init (bad b 9)) (legal ?r keep) (legal ?r drop) (<= (legal w (see ?x)) (true (f ?x)))"
                      "(<= (next (bad ?r ?x)) (true (bad ?r ?x)))"
                      "(<= (next (f ?x)) (true (f ?x)) (does ?r keep) (not (true (bad ?r ?x))))" +
                          chain(9) + steps(3) + "(goal w 100)",
                      2),
            "");
}

std::string painters(const std::string& more) {
  return "(role w) (role b) (init (f w)) (legal ?r m1) (<= (legal ?r m2) (true (f ?x)))"
         "(<= (next (f ?x)) (true (f ?x)) (does ?r m2) (distinct ?x ?r)) (<= (next (f b)) (does ?r m1)) (goal w 100)"
         "(goal b 100) " +
         steps(3) + more;
}

TEST(GdlSound, FramesBesideCauses) {
  EXPECT_EQ(same_tree(painters(""), 2), "");
  EXPECT_EQ(
      same_tree(painters(chain(kSanitized ? 8 : 16) +
                         "(init (king 1 1)) (<= (next (king ?x ?v)) (true (king ?x ?y)) (after ?y ?v) (does w m1))"
                         "(<= (next (king ?v ?y)) (true (king ?x ?y)) (after ?x ?v) (does w m2))"
                         "(<= (next (mark ?x ?y)) (true (king ?x ?y))) (<= (next (mark ?x ?y)) (true (mark ?x ?y)))"
                         "(<= (legal w (paint ?x ?y)) (true (mark ?x ?y)) (true (mark ?y ?x)) (true (step 3)))"
                         "(<= (next (mark ?x ?z)) (does w (paint ?x ?y)) (after ?y ?z))"
                         "(<= terminal (true (mark ?x ?y)) (true (king ?x ?y)) (true (mark ?y ?x)) (after ?z ?y))"),
                2),
      "");
}

// Two frames with one condition, which the rest of their bodies narrows in different ways.
TEST(GdlSound, FramesWithOneConditionForOtherValues) {
  EXPECT_EQ(same_tree("(role w) (role b) (legal ?r keep) (legal ?r drop) (init (f 1)) (init (f 2)) (init (f 3))"
                      "(owns w 1) (owns w 2) (shuns b 1) (shuns b 3)"
                      "(<= (next (f ?x)) (true (f ?x)) (does ?r keep) (owns ?r ?x))"
                      "(<= (next (f ?x)) (true (f ?x)) (does ?r keep) (shuns ?r ?x))"
                      "(<= (legal w (see ?x)) (true (f ?x)))" +
                          steps(3) + "(goal ?r 50)",
                      2),
            "");
}

// What a frame is given keeps its meaning where the condition that fails is taken apart.
TEST(GdlSound, WhatAFrameIsGivenStaysInItsParts) {
  EXPECT_EQ(
      same_tree("(role w) (role b) (legal ?r keep) (legal ?r drop) (init (f 1)) (init (f 2)) (init (f 9))" + chain(9) +
                    "(init (bad 1)) (init (worse 9)) (<= (next (bad ?x)) (true (bad ?x)))"
                    "(<= (next (worse ?x)) (true (worse ?x)))"
                    "(<= (spoils w ?x) (true (bad ?x))) (<= (spoils b ?x) (true (worse ?x)))"
                    "(<= (next (f ?x)) (true (f ?x)) (does ?r keep) (not (spoils ?r ?x)))"
                    "(<= (legal w (see ?x)) (true (f ?x)))" +
                    steps(3) + "(goal ?r 50)",
                2),
      "");
}

// --- Where one frame fails, another one may hand the fact on. ---

TEST(GdlSound, FramesThatTakeOverFromEachOther) {
  EXPECT_EQ(same_tree("(role w) (init (step 1)) (init (f a)) (init (g w a)) (s w 1)"
                      "(<= (next (f ?a)) (true (g ?r ?a)) (true (f ?a)))"
                      "(<= (next (f ?a)) (true (f ?a)) (d ?r1 ?r2) (not (true (g ?r2 ?a))))"
                      "(<= (d ?r0 ?r1) (true (f ?a2)) (s ?r0 ?n) (s ?r1 ?n)) (<= (legal ?r (m ?a)) (true (f ?a)))"
                      "(<= terminal (not (true (step 1)))) (<= (goal w 30) (true (f ?a)))",
                      2),
            "");
}

TEST(GdlSound, FramesOfAFactWithoutColumns) {
  EXPECT_EQ(same_tree("(role w) (init (f 2)) (legal w noop) (<= (legal w (m b)) (true (f ?n)))"
                      "(<= (next (f ?n)) (true (f ?n)) (role ?r) (not (does ?r (m b))) (not (true (f ?n))))"
                      "(<= (next (f ?n)) (true x) (true (f ?n))) (init x) (<= (next x) (true x))" +
                          steps(4) + "(goal w 1)",
                      3),
            "");
}

// --- What a rule asks of a relation is no bound on what that relation holds. ---

TEST(GdlSound, ConditionsThatNarrowWhatIsAskedFor) {
  EXPECT_EQ(same_tree("(role w) (s0 1 b) (s2 2 b) (init (step 1)) (init (h a)) (<= (next (step 2)) (true (step 1)))"
                      "(<= terminal (true (step 2))) (legal w noop)"
                      "(<= (legal ?r (m1 ?a0)) (d2 ?r1 ?n2) (s2 ?n2 ?a0))"
                      "(<= (d0 ?r0 ?a1) (s0 ?n4 ?r0) (s2 ?n5 ?a1))"
                      "(<= (d0 ?r0 ?a1) (true (f0 ?r0 ?n2)) (s2 ?n2 ?a1)) (<= (d2 ?r0 ?n1) (d0 ?r2 ?a3) (s0 ?n1 ?r0))"
                      "(<= (next (f0 w 1)) (does w noop)) (goal w 100)",
                      1),
            "");
  EXPECT_EQ(same_tree("(role w) (one 1 2) (s1 a) (number 1) (legal w noop)"
                      "(<= (d0 ?n1 b ?r2) (true (step ?n1)) (role ?r2))"
                      "(<= (d0 ?n2 ?a0 ?r1) (s1 ?a0) (role ?r1) (number ?n2))"
                      "(<= (legal ?r0 (m0 ?n1 ?r4)) (d0 ?n1 ?a2 w) (one ?n1 ?n3) (role ?r4)) (goal w 100)" +
                          steps(4),
                      3),
            "");
}

// --- Comparisons of values of different kinds, and moves of those who are no roles. ---

TEST(GdlSound, ValuesThatNoCallerAsksFor) {
  EXPECT_EQ(same_tree(R"(
(role w) (role b) (s0) (s1 1) (s1 2) (s1 4) (letter a) (init (control w)) (init (f0 a 3))
(<= (next (control b)) (true (control w))) (<= (next (control w)) (true (control b)))
(<= (d2 ?n0) (true (f0 ?a1 ?n0)) (true (f0 ?a2 ?n0)))
(<= (d2 ?n0) (true (f0 ?a1 ?n0)) (role ?r2) (or (d1 ?r2 ?r2) (true (f0 a ?n0))) (distinct ?r2 w))
(<= (d2 ?n0) (true (f0 ?a1 ?n2)) (true (f0 ?a3 ?n0)))
(<= (d1 ?r0 w) (true (f0 ?a1 ?n2)) (role ?r0) (not (s1 1)) (distinct ?r0 w))
(<= (d0 ?n0) (true (f0 ?a1 ?n0)) (distinct ?a1 a)) (<= (d0 ?n0) (true (f0 ?a1 ?n0)) (true (f0 ?a1 ?n0)))
(<= (legal b noop) (true (control w))) (<= (legal w noop) (true (control b)))
(<= (legal w pass) (true (control w))) (<= (legal b pass) (true (control b)))
(<= (legal ?r (m1 ?n0)) (true (f0 ?a1 ?n0)) (not (true (f0 ?a1 ?n0))) (role ?r) (true (control ?r)))
(<= (legal ?r (m1 2)) (true (f0 ?a0 ?n1)) (role ?r) (true (control ?r)))
(<= (legal ?r (m0 ?a0 ?a1)) (s1 ?n2) (d1 ?r3 ?r3) (letter ?a0) (letter ?a1) (distinct ?r3 b) (role ?r)
    (true (control ?r)))
(<= (next (f0 ?a0 ?n1)) (does ?r2 (m1 ?n1)) (does w (m1 ?n1)) (letter ?a0))
(<= (next (f0 ?a0 ?n1)) (true (f0 ?a0 ?n1)) (true (f0 ?a0 ?n2)))
(<= (goal b 100) (true (f0 ?a0 ?n1)) (true (f0 a ?n1))) (<= (goal w 50) (true (f0 ?a0 ?n1)) (true (f0 ?a0 ?n2)))
(<= (goal w 50) (d0 ?n0) (role w) (distinct ?n0 2)) (<= (goal w 0) s0 (role ?r0))
)" + steps(4),
                      3),
            "");
}

TEST(GdlSound, ArgumentsThatAreNarrowerThanTheirColumns) {
  EXPECT_EQ(
      same_tree("(role w) (number 3) (init (f0 2)) (init (f0 5)) (init (f1 b b a)) (init (step 1))"
                "(<= (d3 ?n0 4 ?n0 ?n1) (number ?n0) (number ?n1))"
                "(<= (d3 ?n3 ?n2 ?n3 ?n2) (true (f1 ?r0 ?r0 ?a1)) (true (f0 ?n2)) (true (f0 ?n3)) (distinct ?n2 5))"
                "(<= (next (f1 ?r1 ?r3 ?a2)) (true (f1 ?r1 b ?a2)) (d3 3 2 ?n0 ?n0) (role ?r3)) (legal w noop)"
                "(<= (legal w (m1 ?r1)) (true (f1 ?r1 ?r2 ?a))) (<= (legal w stay) (d3 5 2 ?n0 ?n1))"
                "(<= (goal w 100) (d3 5 4 ?n1 ?n2)) (<= (next (f0 ?n)) (true (f0 ?n)))" +
                    steps(3),
                2),
      "");
}

TEST(GdlSound, CellsThatAPlaceOfAMoveCannotHold) {
  EXPECT_EQ(
      same_tree("(role w) (number 1) (number 2) (number 4) (s0 1 1 w) (s0 3 3 b) (init (f0 2 3 a)) (init (f0 3 3 a))"
                "(<= (legal ?r0 (m0 ?n1 ?n1 a)) (s0 ?n1 ?n1 ?r2)) (<= (legal w (m0 4 ?n0 b)) (number ?n0))"
                "(<= (next (f0 ?n0 ?n1 ?a2)) (true (f0 ?n0 ?n1 ?a2)))"
                "(<= (next (f0 ?n0 ?n1 a)) (does w (m0 ?n0 ?n1 ?a2)) (distinct ?n1 4))"
                "(<= (next (f2 ?n1 ?n1)) (does ?r0 (m0 ?n1 ?n2 b)))"
                "(<= (goal w 25) (true (f2 ?n1 ?n1)) (not (true (f0 ?n1 ?n1 a))))" +
                    steps(4),
                3),
      "");
}

TEST(GdlSound, GamesThatNeverEndAreNotLifted) {
  const Lifted game = lift(
      "(role b) (thing a) (num 3) (<= (d0 ?n0) (num ?n0)) (<= (legal ?r0 (m1 ?a1)) (thing ?a1))"
      "(<= (next (f1 ?n0 ?a1)) (num ?n0) (thing ?a1)) (goal b 1)"
      "(<= terminal (num ?n1) (true (f1 3 ?a0)) (not (d0 ?n1)))");
  EXPECT_FALSE(game.game);
  EXPECT_EQ(game.why, "the game never ends");
}

TEST(GdlSound, MovesOfNobody) {
  EXPECT_EQ(
      same_tree("(role w) (role b) (number 1) (number 2) (legal ?r noop)"
                "(<= (legal ?r (m1 ?n)) (number ?n) (true (f ?n)))"
                "(<= (next (f ?n)) (true (f ?n)) (not (does 2 (m1 ?n)))) (<= (next (f ?n)) (number ?n)) (goal w 1)" +
                    steps(3),
                2),
      "");
}

// --- Relations that depend on each other, with columns of their own. ---

TEST(GdlSound, RecursionThroughMoreColumns) {
  EXPECT_EQ(same_tree("(role w) (role b) (init (at 1)) (init (at 3)) (letter a) (letter b) (legal ?r noop)" + chain(4) +
                          "(<= (some ?x) (true (at ?x))) (<= (some ?x) (wide ?x ?y ?l) (after ?x ?y))"
                          "(<= (wide ?x ?y ?l) (letter ?l) (after ?x ?y) (some ?y))"
                          "(<= (legal w (go ?x)) (some ?x)) (<= (next (at ?y)) (does w (go ?x)) (after ?x ?y))"
                          "(<= (next (at ?x)) (true (at ?x)) (does w noop)) (goal ?r 10)" +
                          steps(4),
                      3),
            "");
  EXPECT_EQ(same_tree("(role w) (init lamp) (legal w noop) (<= (legal w (go ?x)) (wide ?x)) (<= (legal w shine) open)"
                      "(<= (next lamp) (does w (go ?x)) (after 1 ?x)) (<= open (true lamp)) (<= open (wide ?x))"
                      "(<= (wide ?x) open (after ?x ?y)) (goal w 10)" +
                          chain(4) + steps(4),
                      3),
            "");
}

// --- What holds in one phase of a game, or for one role, need not hold in another. ---

constexpr const char* kTurns =
    "(init (control w)) (<= (next (control b)) (true (control w))) (<= (next (control w)) (true (control b)))"
    "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))";

TEST(GdlSound, MovesThatOneOfTwoPlayersHas) {
  EXPECT_EQ(same_tree(std::string("(role w) (role b) (number 1) (number 2) (<= (legal ?r stay) (true (control ?r)))"
                                  "(<= (legal ?r (pay ?x)) (true (control ?r)) (number ?x))"
                                  "(<= (legal ?r (win ?x)) (true (control ?r)) (true (control b)) (number ?x))"
                                  "(<= (next (won ?x)) (does ?r (win ?x))) (<= terminal (true (won ?x)))"
                                  "(<= (goal ?r 100) (true (won 2)) (role ?r)) (goal ?r 50)") +
                          kTurns + steps(5),
                      4),
            "");
}

TEST(GdlSound, RulesOfEachRoleWithOtherConstants) {
  EXPECT_EQ(same_tree("(role w) (role b) (role g) (s1 1) (s2 2) (s3 3) (number 1) (number 2) (number 3)"
                      "(init (control w)) (<= (next (control b)) (true (control w)))"
                      "(<= (next (control g)) (true (control b))) (<= (next (control w)) (true (control g)))"
                      "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))"
                      "(<= (legal ?r (put ?x)) (true (control ?r)) (number ?x))"
                      "(<= (legal ?r (see ?k ?x)) (true (control ?r)) (true (f ?k ?x)))"
                      "(<= (next (f w ?x)) (does w (put ?x)) (s1 ?x)) (<= (next (f a ?x)) (does b (put ?x)) (s2 ?x))"
                      "(<= (next (f a ?x)) (does g (put ?x)) (s3 ?x)) (goal ?r 1)" +
                          steps(5),
                      4),
            "");
}

// --- Facts that a step removes while it derives others with the same key. ---

// The removed facts are found by `step` alone. The rule that derives new ones says where, and its conditions must not
// narrow the search.
TEST(GdlSound, FactsAreRenewedAtSomePlacesAndGoAtOthers) {
  std::string places;
  for (int i = 1; i <= 8; ++i) places += fmt::format("(cell {0}) (init (at {0} a)) ", i);
  const std::string game =
      "(role w) (near 1 2) (near 1 3) (near 1 5) (near 2 3) (near 2 4) (near 2 7) (near 3 4) (near 3 8) (near 4 5)"
      "(near 4 6) (near 5 6) (near 5 1) (near 6 7) (near 6 2) (near 7 8) (near 7 1) (near 8 1) (near 8 2) (near 8 6)"
      "(<= (legal w (go ?c)) (cell ?c) (true (at ?c ?v))) (<= (flip ?d) (does w (go ?c)) (near ?c ?d))"
      "(<= (next (at ?c ?v)) (true (at ?c ?v)) (not (flip ?c)))"
      "(<= (goal w 100) (true (at 1 ?v))) (<= (goal w 0) (not (has 1))) (<= (has ?c) (true (at ?c ?v)))" +
      places + steps(5);
  EXPECT_EQ(same_tree(game + "(<= (next (at ?c b)) (flip ?c) (distinct ?c 3) (distinct ?c 8))", 3), "");
  EXPECT_EQ(same_tree(game + "(<= (next (at ?c b)) (flip ?c) (near ?c 6)) (near 3 6)", 3), "");
}

// --- Loops within loops. ---

// The rays begin at several places, and other places with the same values are visited for each place of a ray. Each
// further place is open, or nothing is said about it.
TEST(GdlSound, RaysBesideOtherPlaces) {
  for (const char* open : {" (true (open ?d))", ""})
    EXPECT_EQ(same_tree("(role w) (init (src 2)) (init (src 5)) (init (src 9)) (init (mark 3)) (init (mark 6))"
                        "(init (mark 10)) (<= (init (open ?x)) (after ?x ?y)) (legal w noop)"
                        "(<= (next (src ?x)) (true (src ?x)) (not (does w (cut ?x))))"
                        "(<= (next (mark ?x)) (true (mark ?x)) (not (does w (erase ?x))))"
                        "(<= (next (open ?x)) (true (open ?x)) (not (does w (close ?x))))"
                        "(<= (legal w (cut ?x)) (true (src ?x))) (<= (legal w (erase ?x)) (true (mark ?x)))"
                        "(<= (legal w (close ?x)) (true (open ?x))) (<= (legal w (see ?d ?c)) (true (lit ?d ?c)))"
                        "(<= (ray ?c) (true (src ?x)) (after ?x ?c) (true (open ?c)))"
                        "(<= (ray ?d) (ray ?c) (after ?c ?d)" +
                            std::string(open) +
                            ") (<= (next (lit ?d ?c)) (ray ?d) (true (mark ?c)))"
                            "(<= (goal w 100) (true (lit 3 3))) (<= (goal w 0) (not (true (lit 3 3))))" +
                            chain(12) + steps(4),
                        2),
              "");
}

// --- Words. ---

TEST(GdlSound, WordsWithQuestionMarks) {
  EXPECT_EQ(same_tree("(role w) (init (at? 1 2)) (init (at? 2 1)) (legal w ok?)"
                      "(<= (legal w (what? ?x)) (true (at? ?x ?y))) (<= (legal w (go? (to? ?x a?))) (true (at? ?x ?y)))"
                      "(<= (next (at? ?x ?y)) (true (at? ?x ?y)) (not (does w (what? ?x)))) (goal w 100)" +
                          steps(3),
                      3),
            "");
}

// Tables without rows, of several widths.
TEST(GdlSound, RelationsWithoutTuples) {
  EXPECT_EQ(same_tree("(role w) (init (p 1)) (init (p 2)) (<= (legal w (m ?x)) (true (p ?x)) (not (wide ?x ?x ?x ?x)))"
                      "(<= (legal w (n ?x)) (true (p ?x)) (wide ?x ?y ?z ?u)) (<= (next (p ?x)) (true (p ?x)))"
                      "(<= (legal w (o ?x)) (true (p ?x)) (pair ?x ?y)) (goal w 100)"
                      "(<= (legal w (q ?x)) (true (p ?x)) (three ?x ?y ?z))" +
                          steps(3),
                      3),
            "");
}

}  // namespace
}  // namespace rgtrans::gdl
