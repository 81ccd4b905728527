// Relations that two of their own tuples derive are walked step by step, and mean the same.
#include "frontends/gdl/syntax/closures.hpp"

#include <gmock/gmock.h>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lifted/lifted.hpp"
#include "tests/support/gdl_lift.hpp"
#include "tests/support/gdl_lifted.hpp"
#include "tests/support/gdl_steps.hpp"

namespace rgtrans::gdl {
namespace {

using namespace std::string_literals;

// A player adds arcs between five points until the first is linked to the last.
std::string game(const std::string& rules) {
  return R"(
(role builder)
(role watcher)
(point 1) (point 2) (point 3) (point 4) (point 5)
(init (arc 2 3))
(init (arc 4 2))
(<= (legal builder (add ?x ?y)) (point ?x) (point ?y) (distinct ?x ?y) (not (true (arc ?x ?y))))
(<= (legal watcher wait))
(<= (next (arc ?x ?y)) (true (arc ?x ?y)))
(<= (next (arc ?x ?y)) (does builder (add ?x ?y)))
(<= terminal (link builder 1 5))
(<= (goal ?r 100) (link ?r 1 5))
(<= (goal ?r 30) (role ?r) (link ?r 3 1) (not (link ?r 1 5)))
(<= (goal ?r 0) (role ?r) (not (link ?r 1 5)) (not (link ?r 3 1)))
)" + rules;
}
const std::string kFirst = "(<= (link ?r ?x ?y) (role ?r) (true (arc ?x ?y)))\n";
const std::string kJoined = "(<= (link ?r ?x ?z) (link ?r ?y ?z) (link ?r ?x ?y))\n";
const std::string kTurned = "(<= (link ?r ?x ?y) (link ?r ?y ?x))\n";

// The most literals of a rule's own relation in its body.
std::size_t most_own(const Program& program) {
  std::size_t most = 0;
  for (const Rule& rule : program.rules)
    most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(
                              rule.body, [&](const Literal& l) { return l.predicate == rule.head.predicate; })));
  return most;
}

std::size_t followed(const std::string& text) {
  Program program = read_rules(text);
  follow_steps(program);
  return most_own(program);
}

// The ground form, and the lifted one, against the rules as they stand, where nothing is rewritten.
void plays_like_the_rules(const std::string& text) {
  Diagnostics diagnostics;
  NetworkSteps network(ground(diagnostics.sources()->add("rules", text), diagnostics));
  ASSERT_FALSE(diagnostics.has_errors());
  Direct direct(text);
  for (unsigned seed = 1; seed <= 20; ++seed) EXPECT_EQ(test::difference(direct, network, seed, 30), "") << text;
  Program program = read_rules(text);
  follow_steps(program);
  std::string why;
  lifted::LiftedNames names;
  auto lifted = lifted::lift(program, std::make_shared<Sources>(), {}, {}, why, &names);
  ASSERT_TRUE(lifted) << why;
  LiftedPlay play(make_interpreter(*lifted), names);
  for (unsigned seed = 1; seed <= 20; ++seed) EXPECT_EQ(play.beside(direct, seed, 30), "") << text;
}

TEST(Closures, TwoOfItsOwnBecomeAStepAndOne) {
  const std::string text = game(kFirst + kJoined);
  EXPECT_EQ(most_own(read_rules(text)), 2);
  EXPECT_EQ(followed(text), 1);
  plays_like_the_rules(text);
}

TEST(Closures, StepsAreMadeEitherWay) {
  const std::string text = game(kFirst + kTurned + kJoined);
  EXPECT_EQ(followed(text), 1);
  plays_like_the_rules(text);
}

TEST(Closures, ConditionsOnWhatIsKeptStay) {
  const std::string text =
      game(kFirst + "(<= (link ?r ?x ?z) (link ?r ?x ?y) (distinct ?r watcher) (link ?r ?y ?z))\n");
  EXPECT_EQ(followed(text), 1);
  plays_like_the_rules(text);
}

TEST(Closures, FactsAreSteps) {
  const std::string text = game(kFirst + "(link builder 3 4)\n" + kJoined);
  EXPECT_EQ(followed(text), 1);
  plays_like_the_rules(text);
}

TEST(Closures, WhatIsNoSequenceOfStepsStays) {
  // A condition on the point between, a relation that is turned while it is joined, and another recursion beside it.
  EXPECT_EQ(followed(game(kFirst + "(<= (link ?r ?x ?z) (link ?r ?x ?y) (link ?r ?y ?z) (distinct ?y 3))\n")), 2);
  EXPECT_EQ(followed(game(kFirst + "(<= (link ?r ?x ?z) (link ?r ?x ?y) (link ?r ?z ?y))\n")), 2);
  EXPECT_EQ(followed(game(kFirst + kJoined + "(<= (link ?r ?x 4) (link ?r ?x 2))\n")), 2);
}

}  // namespace
}  // namespace rgtrans::gdl
