// Lists of what a walk has visited go where that makes no difference, however they are written, and only there.
#include "frontends/gdl/syntax/trails.hpp"

#include <gmock/gmock.h>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/ground/grounder.hpp"
#include "tests/support/choices.hpp"
#include "tests/support/gdl_lift.hpp"
#include "tests/support/gdl_steps.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::gdl {
namespace {

// The network of the rules as they stand; none where they are too many.
std::unique_ptr<Steps> untouched(const std::string& text) {
  Program program = read_rules(text);
  Diagnostics diagnostics;
  GroundOptions options;
  options.max_rules = 20'000;
  options.max_steps = 300'000;
  RawGround raw = instantiate(program, options, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  GroundProgram result = simplify(program, raw, options, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  return std::make_unique<NetworkSteps>(std::move(result));
}

std::unique_ptr<Steps> without_lists(const std::string& text) {
  Diagnostics diagnostics;
  GroundProgram result = ground(diagnostics.sources()->add("rules", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources()) << text;
  return std::make_unique<NetworkSteps>(std::move(result));
}

// --- A small hex. ---

std::string hex(const std::string& rules, int size) {
  std::string text = "(role red)\n(role blue)\n(init (control red))\n";
  for (int i = 1; i <= size; ++i) text += fmt::format("(index {})\n", i);
  for (int i = 1; i < size; ++i) text += fmt::format("(succ {} {})\n", i, i + 1);
  for (int x = 1; x <= size; ++x)
    for (int y = 1; y <= size; ++y) text += fmt::format("(name c{0}{1} {0} {1})\n", x, y);
  text += fmt::format("(last {})\n", size);
  return text + R"(
(<= (cell ?x ?y) (index ?x) (index ?y))
(<= (taken ?x ?y) (true (stone ?x ?y ?p)))
(<= (legal ?p (put ?x ?y)) (true (control ?p)) (cell ?x ?y) (not (taken ?x ?y)))
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (next (stone ?x ?y ?p)) (does ?p (put ?x ?y)))
(<= (next (stone ?x ?y ?p)) (true (stone ?x ?y ?p)))
(<= (next (control red)) (true (control blue)))
(<= (next (control blue)) (true (control red)))
(<= (adj ?x ?y ?x2 ?y) (succ ?x ?x2) (index ?y))
(<= (adj ?x ?y ?x2 ?y) (succ ?x2 ?x) (index ?y))
(<= (adj ?x ?y ?x ?y2) (succ ?y ?y2) (index ?x))
(<= (adj ?x ?y ?x ?y2) (succ ?y2 ?y) (index ?x))
(<= (adj ?x ?y ?x2 ?y2) (succ ?x ?x2) (succ ?y2 ?y))
(<= (adj ?x ?y ?x2 ?y2) (succ ?x2 ?x) (succ ?y ?y2))
(<= (edge red ?x 1) (index ?x))
(<= (edge blue 1 ?y) (index ?y))
(<= (other-edge red ?x ?y) (index ?x) (last ?y))
(<= (other-edge blue ?x ?y) (index ?y) (last ?x))
(<= (is-cell ?c) (name ?c ?x ?y))
(<= (near ?c ?d) (name ?c ?x ?y) (adj ?x ?y ?x2 ?y2) (name ?d ?x2 ?y2))
(<= (own ?c ?p) (name ?c ?x ?y) (true (stone ?x ?y ?p)))
(<= (starts ?p ?c) (name ?c ?x ?y) (edge ?p ?x ?y))
(<= (ends ?p ?c) (name ?c ?x ?y) (other-edge ?p ?x ?y))
(<= terminal (won ?p))
(<= (goal ?p 100) (won ?p))
(<= (goal red 0) (won blue))
(<= (goal blue 0) (won red))
(<= (goal ?p 50) (role ?p) (not (won red)) (not (won blue)))
)" + rules;
}

constexpr std::string_view kPlain = R"(
(<= (won ?p) (reached ?p ?x ?y) (other-edge ?p ?x ?y))
(<= (reached ?p ?x ?y) (edge ?p ?x ?y) (true (stone ?x ?y ?p)))
(<= (reached ?p ?x2 ?y2) (reached ?p ?x ?y) (adj ?x ?y ?x2 ?y2) (true (stone ?x2 ?y2 ?p)))
)";

struct Way {
  std::string_view name, rules;
};

constexpr Way kWays[] = {
    {"the list is made on the way, what is in it is said by what is not", R"(
(<= (won ?p) (path ?p ?x ?y ?l) (other-edge ?p ?x ?y))
(<= (path ?p ?x ?y (cons ?x ?y nil)) (edge ?p ?x ?y) (true (stone ?x ?y ?p)))
(<= (path ?p ?x2 ?y2 (cons ?x2 ?y2 ?l))
    (path ?p ?x ?y ?l) (adj ?x ?y ?x2 ?y2) (true (stone ?x2 ?y2 ?p)) (absent ?x2 ?y2 ?l))
(<= (absent ?x ?y nil) (cell ?x ?y))
(<= (absent ?x ?y (cons ?a ?b ?r)) (absent ?x ?y ?r) (cell ?a ?b) (distinct ?x ?a))
(<= (absent ?x ?y (cons ?a ?b ?r)) (absent ?x ?y ?r) (cell ?a ?b) (distinct ?y ?b)))"},
    {"cells are terms, lists are those of the walk", R"(
(<= (won ?p) (path ?p (pos ?x ?y) ?l) (other-edge ?p ?x ?y))
(<= (path ?p (pos ?x ?y) (list (pos ?x ?y) nil)) (edge ?p ?x ?y) (true (stone ?x ?y ?p)))
(<= (path ?p (pos ?x2 ?y2) (list (pos ?x2 ?y2) ?l))
    (path ?p (pos ?x ?y) ?l) (adj ?x ?y ?x2 ?y2) (true (stone ?x2 ?y2 ?p)) (absent (pos ?x2 ?y2) ?l))
(<= (absent (pos ?x ?y) nil) (cell ?x ?y))
(<= (absent ?c (list ?d ?r)) (path ?p ?d (list ?d ?r)) (absent ?c ?r) (distinct ?c ?d)))"},
    {"a cell comes into the list when it is left", R"(
(<= (won ?p) (path ?p ?b ?l) (ends ?p ?b))
(<= (path ?p ?a nil) (starts ?p ?a) (own ?a ?p))
(<= (path ?p ?c (list ?b ?l)) (path ?p ?b ?l) (near ?b ?c) (own ?c ?p) (absent ?b ?l) (absent ?c ?l))
(<= (absent ?c nil) (is-cell ?c))
(<= (absent ?c (list ?d ?r)) (path ?p ?x (list ?d ?r)) (absent ?c ?r) (distinct ?c ?d)))"},
    {"member of lists of the walk, which depends on itself through its negation", R"(
(<= (won ?p) (path ?p ?x ?y ?l) (other-edge ?p ?x ?y))
(<= (path ?p ?x ?y (cons ?x ?y nil)) (edge ?p ?x ?y) (true (stone ?x ?y ?p)))
(<= (path ?p ?x2 ?y2 (cons ?x2 ?y2 ?l))
    (path ?p ?x ?y ?l) (adj ?x ?y ?x2 ?y2) (true (stone ?x2 ?y2 ?p)) (not (member ?x2 ?y2 ?l)))
(<= (member ?x ?y (cons ?x ?y ?r)) (path ?p ?x ?y (cons ?x ?y ?r)))
(<= (member ?x ?y (cons ?a ?b ?r)) (path ?p ?a ?b (cons ?a ?b ?r)) (member ?x ?y ?r)))"},
    {"the list goes to the recursive question, and is one of infinitely many", R"(
(<= (won ?p) (edge ?p ?x ?y) (true (stone ?x ?y ?p)) (path ?p ?x ?y (cons ?x ?y nil)))
(<= (path ?p ?x ?y ?l) (other-edge ?p ?x ?y) (is-list ?l))
(<= (path ?p ?x ?y ?l)
    (adj ?x ?y ?x2 ?y2) (true (stone ?x2 ?y2 ?p)) (not (member ?x2 ?y2 ?l)) (path ?p ?x2 ?y2 (cons ?x2 ?y2 ?l)))
(is-list nil)
(<= (is-list (cons ?x ?y ?r)) (cell ?x ?y) (is-list ?r))
(<= (member ?x ?y (cons ?x ?y ?r)) (cell ?x ?y) (is-list ?r))
(<= (member ?x ?y (cons ?a ?b ?r)) (member ?x ?y ?r) (cell ?a ?b)))"},
    {"a cell is looked up before it is added, the rest comes first, a relation says what differs", R"(
(<= (won ?p) (edge ?p ?x ?y) (path ?p (at ?x ?y) nil))
(<= (path ?p (at ?x ?y) ?l) (other-edge ?p ?x ?y) (true (stone ?x ?y ?p)) (is-list ?l))
(<= (path ?p (at ?x ?y) ?l)
    (true (stone ?x ?y ?p)) (adj ?x ?y ?x2 ?y2) (absent (at ?x ?y) ?l) (path ?p (at ?x2 ?y2) (seen ?l (at ?x ?y))))
(is-list nil)
(<= (is-list (seen ?r (at ?x ?y))) (cell ?x ?y) (is-list ?r))
(<= (absent (at ?x ?y) nil) (cell ?x ?y))
(<= (absent ?c (seen ?r ?d)) (absent ?c ?r) (other ?c ?d))
(<= (other (at ?x ?y) (at ?a ?b)) (cell ?x ?y) (cell ?a ?b) (distinct ?x ?a))
(<= (other (at ?x ?y) (at ?a ?b)) (cell ?x ?y) (cell ?a ?b) (distinct ?y ?b)))"},
    {"the first cell is kept, and two cells are in the list from the beginning", R"(
(<= (won ?p) (starts ?p ?a) (path ?p ?a ?b ?l) (ends ?p ?b))
(<= (path ?p ?a ?b (list ?b (list ?a nil))) (near ?a ?b) (own ?a ?p) (own ?b ?p))
(<= (path ?p ?a ?c (list ?c ?l)) (path ?p ?a ?b ?l) (near ?b ?c) (own ?c ?p) (absent ?c ?l))
(<= (absent ?c nil) (is-cell ?c))
(<= (absent ?c (list ?d ?r)) (absent ?c ?r) (is-cell ?d) (distinct ?c ?d)))"},
    {"the list is the only place where the cell is", R"(
(<= (won ?p) (path ?p (list ?b ?l)) (ends ?p ?b))
(<= (path ?p (list ?a nil)) (starts ?p ?a) (own ?a ?p))
(<= (path ?p (list ?c (list ?b ?l))) (path ?p (list ?b ?l)) (near ?b ?c) (own ?c ?p) (absent ?c (list ?b ?l)))
(<= (absent ?c nil) (is-cell ?c))
(<= (absent ?c (list ?d ?r)) (absent ?c ?r) (is-cell ?d) (distinct ?c ?d)))"},
    {"another relation between the walk and itself", R"(
(<= (won ?p) (path ?p ?b ?l) (ends ?p ?b))
(<= (path ?p ?a (list ?a nil)) (starts ?p ?a) (own ?a ?p))
(<= (path ?p ?c (list ?c ?l)) (candidate ?p ?c ?l) (absent ?c ?l))
(<= (candidate ?p ?c ?l) (path ?p ?b ?l) (near ?b ?c) (own ?c ?p))
(<= (absent ?c nil) (is-cell ?c))
(<= (absent ?c (list ?d ?r)) (absent ?c ?r) (is-cell ?d) (distinct ?c ?d)))"},
    {"a positive relation around a negated one", R"(
(<= (won ?p) (path ?p ?b ?l) (ends ?p ?b))
(<= (path ?p ?a (list ?a nil)) (starts ?p ?a) (own ?a ?p))
(<= (path ?p ?c (list ?c ?l)) (path ?p ?b ?l) (near ?b ?c) (own ?c ?p) (unvisited ?c ?l))
(<= (unvisited ?c ?l) (is-cell ?c) (path ?p ?b ?l) (not (in ?c ?l)))
(<= (in ?c (list ?c ?r)) (path ?p ?c (list ?c ?r)))
(<= (in ?c (list ?d ?r)) (path ?p ?d (list ?d ?r)) (in ?c ?r)))"},
    {"ways that do not depend on the state, and a question about all of their cells", R"(
(<= (won ?p) (starts ?p ?a) (path ?a ?b ?l) (ends ?p ?b) (owns ?p ?l))
(<= (path ?a ?a (list ?a nil)) (is-cell ?a))
(<= (path ?a ?c (list ?c ?l)) (path ?a ?b ?l) (near ?b ?c) (absent ?c ?l))
(<= (absent ?c nil) (is-cell ?c))
(<= (absent ?c (list ?d ?r)) (absent ?c ?r) (is-cell ?d) (distinct ?c ?d))
(<= (owns ?p nil) (role ?p))
(<= (owns ?p (list ?c ?r)) (own ?c ?p) (owns ?p ?r)))"},
    {"lists without repetitions are a relation", R"(
(<= (won ?p) (starts ?p ?a) (own ?a ?p) (joined ?p ?a (list ?a end)))
(<= (joined ?p ?a ?l) (ends ?p ?a) (own ?a ?p) (all-differ ?l))
(<= (joined ?p ?a ?l) (own ?b ?p) (near ?a ?b) (all-differ (list ?b ?l)) (joined ?p ?b (list ?b ?l)))
(all-differ end)
(<= (all-differ (list ?c ?l)) (is-cell ?c) (all-differ ?l) (not (in ?c ?l)))
(<= (in ?c (list ?c ?l)) (is-cell ?c) (all-differ ?l))
(<= (in ?c (list ?d ?l)) (is-cell ?d) (in ?c ?l)))"},
};

constexpr unsigned kPlays = kSanitized ? 3 : 20;

TEST(Trails, WaysToWriteThemMeanTheSame) {
  const std::string plain = hex(std::string(kPlain), 3);
  const std::unique_ptr<Steps> expected = without_lists(plain);
  for (const Way& way : kWays) {
    const std::string text = hex(std::string(way.rules), 3);
    Program program = read_rules(text);
    EXPECT_TRUE(drop_trails(program)) << way.name;
    const std::unique_ptr<Steps> network = without_lists(text);
    for (unsigned seed = 1; seed <= kPlays; ++seed)
      EXPECT_EQ(test::difference(*expected, *network, seed, 20), "") << way.name;
    std::string why;
    lifted::LiftedNames names;
    const auto game = lifted::lift(program, std::make_shared<Sources>(), {}, {}, why, &names);
    ASSERT_TRUE(game) << way.name << ": " << why;
    LiftedPlay play(make_interpreter(*game), names);
    for (unsigned seed = 1; seed <= kPlays; ++seed) EXPECT_EQ(play.beside(*expected, seed, 20), "") << way.name;
  }
}

// What the rules say as they stand, where there are few enough lists.
TEST(Trails, SmallBoardsAgreeWithTheRulesAsTheyStand) {
  std::size_t compared = 0;
  for (const Way& way : kWays) {
    const std::string text = hex(std::string(way.rules), 2);
    const std::unique_ptr<Steps> expected = untouched(text);
    if (expected == nullptr) continue;
    ++compared;
    const std::unique_ptr<Steps> network = without_lists(text);
    for (unsigned seed = 1; seed <= kPlays; ++seed)
      EXPECT_EQ(test::difference(*expected, *network, seed, 20), "") << way.name;
  }
  EXPECT_GE(compared, 2);
}

// --- Rules in which lists have to stay. ---

constexpr std::string_view kWalk = R"(
(<= (won ?p) (path ?p ?b ?l) (ends ?p ?b))
(<= (path ?p ?a (list ?a nil)) (starts ?p ?a) (own ?a ?p))
(<= (path ?p ?c (list ?c ?l)) (path ?p ?b ?l) (near ?b ?c) (own ?c ?p) (absent ?c ?l))
(<= (absent ?c nil) (is-cell ?c))
(<= (absent ?c (list ?d ?r)) (absent ?c ?r) (is-cell ?d) (distinct ?c ?d))
)";

bool goes(std::string rules, std::string_view old, std::string_view changed) {
  const std::size_t at = rules.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  rules.replace(at, old.size(), changed);
  Program program = read_rules(hex(rules, 3));
  return drop_trails(program);
}

TEST(Trails, ListsThatMatterStay) {
  const std::string walk(kWalk);
  EXPECT_TRUE(goes(walk, "(near ?b ?c)", "(near ?b ?c)"));
  // Somebody reads the list.
  EXPECT_FALSE(goes(walk, "(ends ?p ?b))",
                    "(ends ?p ?b) (long ?l)) (<= (long (list ?a (list ?b ?r))) (path ?p ?a (list ?a (list ?b ?r))))"));
  EXPECT_FALSE(goes(walk, "(path ?p ?b ?l) (ends", "(path ?p ?b (list ?b (list ?d ?l))) (ends"));
  // More than the place makes a step.
  EXPECT_FALSE(goes(walk, "(path ?p ?b ?l) (near ?b ?c)", "(path ?q ?b ?l) (near ?b ?c)"));
  // What is looked up is not the place that the step leads to.
  EXPECT_FALSE(goes(walk, "(absent ?c ?l))", "(near ?c ?d) (absent ?d ?l))"));
  EXPECT_FALSE(goes(walk, "(absent ?c ?l))", "(absent ?b ?l))"));
  EXPECT_FALSE(goes(walk, "(absent ?c ?l))", "(absent ?c (list ?c ?l)))"));
  // The list has more than visited places, or absence means something else.
  EXPECT_FALSE(goes(walk, "(list ?a nil))",
                    "(list ?a (list c22 nil))) (starts ?p ?a) (own ?a ?p))\n(<= (path ?p ?a (list ?a nil))"));
  EXPECT_FALSE(goes(walk, "(list ?c ?l)) (path", "(list c22 ?l)) (path"));
  EXPECT_FALSE(goes(walk, "(is-cell ?d) (distinct", "(ends red ?d) (distinct"));
  EXPECT_FALSE(goes(walk, "(distinct ?c ?d)", "(near ?c ?d)"));
  // It asks for something else than visited places: for a certain cell, or for two things at once that are left open.
  EXPECT_FALSE(goes(walk, "(absent ?c ?l))",
                    "(absent ?c ?l) (avoids ?c ?l))\n"
                    "(<= (avoids ?c ?l) (is-cell ?c) (path ?p ?b ?l) (absent c22 ?l))"));
  EXPECT_FALSE(goes(walk, "(absent ?c ?l))",
                    "(absent ?c ?l) (avoids ?c ?l))\n"
                    "(<= (avoids ?c ?l) (is-cell ?c) (path ?p ?b ?l) (not (in c22 ?l)))\n"
                    "(<= (in ?c (list ?c ?r)) (is-cell ?c) (seq (list ?c ?r)))\n"
                    "(<= (in ?c (list ?d ?r)) (seq (list ?d ?r)) (in ?c ?r))\n"
                    "(seq nil)\n(<= (seq (list ?c nil)) (is-cell ?c))"));
  EXPECT_FALSE(goes(walk, "(absent ?c nil) (is-cell ?c)", "(absent ?c nil) (near ?c ?z) (starts red ?z)"));
  EXPECT_TRUE(goes(walk, "(absent ?c nil) (is-cell ?c)", "(absent ?c nil) (is-cell ?c) (near ?y ?z)"));
  // Absence is told for lists of some cells only.
  EXPECT_FALSE(goes(walk, "(absent ?c (list ?d ?r))",
                    "(absent ?c (list c22 ?r)) (absent ?c ?r) (distinct ?c c22)) (<= (absent ?c (list c11 ?r))"));
  // The walk needs that something is not reached.
  EXPECT_FALSE(goes(walk, "(near ?b ?c)", "(near ?b ?c) (not (met ?c))) (<= (met ?c) (is-cell ?c) (path red ?c ?l)"));
  // A condition of absence stays where it is no matter of course, and lists of other places are kept apart.
  EXPECT_TRUE(goes(walk, "(absent ?c nil) (is-cell ?c)", "(absent ?c nil) (starts red ?c)"));
}

// --- Claims. ---

// The rules with and without lists, derived side by side: they agree, and differ if the conclusion was another one.
TEST(Trails, WhatIsConcludedCanBeEvaluated) {
  for (const bool terms : {true, false}) {
    const Way& way = kWays[terms ? 1 : 2];
    const std::string_view edge = terms ? "(edge " : "(starts ", other_edge = terms ? "(other-edge " : "(ends ";
    const std::string text = hex(std::string(way.rules), 2);
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add("hex.kif", text);
    FrontendOptions options;
    options.claims = true;
    const ir::Game game = frontend().load(file, diagnostics, options);
    ASSERT_FALSE(diagnostics.has_errors());
    std::vector<ir::Claim> claims;
    for (const ir::Claim& claim : game.claims.list())
      if (claim.rewrite == "lists of visited places") claims.push_back(claim);
    ASSERT_FALSE(claims.empty()) << way.name;
    const auto violated = [&] {
      const auto play = frontend().play_rules(file, {}, claims);
      std::uint64_t random = 1;
      for (unsigned step = 0; step < 200; ++step)
        if (play->step(random) != kNone) return true;
      return false;
    };
    EXPECT_FALSE(violated()) << way.name;
    auto& rules = std::get<ir::RuleClaim>(claims[0].content).text;
    const std::size_t begin = rules.find(edge);
    ASSERT_NE(begin, std::string::npos) << rules;
    rules.replace(begin, edge.size(), other_edge);
    EXPECT_TRUE(violated()) << rules;
  }
}

// --- Random rules. ---

// A walk on a random graph, whose nodes a watcher can name. Many of the choices make lists matter, or come close to it.
class RandomWalk {
 public:
  explicit RandomWalk(std::uint64_t seed) : choices_(seed) {}

  std::string text() {
    strange_ = choices_.chance(3) ? 1 : 6;
    negated_ = choices_.chance(3);
    kept_ = choices_.chance(3);
    first_ = choices_.chance(2);
    tail_first_ = choices_.chance(3);
    bodies_ = !kept_ && choices_.chance(4);
    std::string text = game();
    text += bodies_ ? to_bodies() : to_heads();
    text += relations();
    if (bodies_) return text;
    std::string read = "?l";
    if (rare(10)) read = cons("?c", cons("?d", "?r"));
    text += "(<= (legal watcher (see ?c" + std::string(kept_ ? " ?a" : "") + ")) " + path("?a", "?c", read) +
            (rare(12) ? guard("?c", "?l", "?c") : "") + ")\n";
    return text;
  }

 private:
  // Whoever claims makes cells own; the watcher names what a walk reaches.
  std::string game() {
    std::string text = R"(
(role claimer) (role watcher) (init (own a)) (init (time 1)) (after 1 2) (after 2 3) (after 3 4)
(<= (legal claimer (claim ?c)) (cell ?c))
(<= (next (own ?c)) (true (own ?c)))
(<= (next (own ?c)) (does claimer (claim ?c)))
(<= (next (time ?n)) (true (time ?m)) (after ?m ?n))
(<= terminal (true (time 4)))
(goal claimer 100) (goal watcher 100) (legal watcher wait)
(<= (other ?x ?y) (cell ?x) (cell ?y) (distinct ?x ?y))
(link a b) (link b b) (link c a) (link d a) (odd a) (odd c)
)";
    cells_ = negated_ ? std::vector<std::string>{"a", "b", "c"} : std::vector<std::string>{"a", "b", "c", "d"};
    for (const std::string& cell : cells_) text += "(cell " + cell + ")\n";
    for (const std::string& one : cells_)
      for (const std::string& other : cells_)
        if (choices_.coin(40)) text += fmt::format("(near {} {})\n", one, other);
    text += "(near a b)\n(near b c)\n";
    if (!negated_) return text;
    // All lists of up to five cells, for `member`.
    std::string list = "nil", cells;
    text += "(seq nil)\n";
    for (int i = 0; i < 5; ++i) {
      list = cons(fmt::format("?x{}", i), list);
      cells += fmt::format(" (cell ?x{})", i);
      text += "(<= (seq " + list + ")" + cells + ")\n";
    }
    return text;
  }

  std::string to_heads() {
    std::string text;
    const auto begins = [&] { return rare(7) ? "nil" : rare(8) ? cons("?a", cons("b", "nil")) : cons("?a", "nil"); };
    text += rule(path("?a", "?a", begins()), "(true (own ?a))" + maybe(8, "(odd ?a)"));
    if (rare(5))
      text += rule(path("?a", "?b", cons("?b", cons("?a", "nil"))), "(near ?a ?b) (true (own ?b)) (cell ?a)");
    if (rare(6)) text += rule(path("?a", "?b", begins()), "(near ?a ?b) (true (own ?b))");
    text += step();
    if (choices_.chance(4)) text += step();
    return text;
  }
  std::string step() {
    std::string list = cons(choices_.chance(4) ? "?b" : "?c", "?l");
    if (rare(12)) list = "?l";
    if (rare(12)) list = cons("?c", cons("?b", "?l"));
    if (rare(15)) list = cons("?c", cons("?c", "?l"));
    if (rare(20)) list = cons("b", "?l");
    std::string body = path("?a", "?b", "?l") + (choices_.chance(4) ? " (near ?c ?b)" : " (near ?b ?c)");
    body += maybe(2, "(true (own ?c))") + maybe(12, "(reached ?d)") + maybe(20, "(not (reached c))");
    if (!rare(10)) body += guard("?c", "?l", list);
    if (rare(8)) body += guard("?b", "?l", list);
    return rule(path("?a", "?c", list), body);
  }

  // The list grows on the way to what is asked.
  std::string to_bodies() {
    std::string text = rule("(path ?c ?l)", std::string(choices_.chance(2) ? "(odd ?c)" : "(true (own ?c))") + lists());
    const bool before = choices_.chance(3);
    text += rule("(path ?b ?l)", "(near ?b ?c) (cell ?b)" + maybe(2, "(true (own ?c))") + lists() +
                                     guard(before ? "?b" : "?c", "?l", cons(before ? "?b" : "?c", "?l")) +
                                     " (path ?c " + cons(before ? "?b" : "?c", "?l") + ")");
    text += rule("(legal watcher (see ?c))",
                 "(cell ?c) (path ?c " + (choices_.chance(3) ? "nil" : cons(rare(8) ? "b" : "?c", "nil")) + ")");
    return text;
  }
  std::string lists() { return negated_ ? " (seq ?l)" : rare(8) ? " (absent a ?l)" : " (some ?l)"; }

  std::string guard(const std::string& place, const std::string& list, const std::string& longer) {
    const std::string asked = choices_.chance(4) ? longer
                              : rare(12)         ? cons(choices_.chance(2) ? "?b" : "?c", list)
                                                 : list;
    const std::string what = rare(15) ? choices_.one_of({"a", "?b", "?c"}) : place;
    if (negated_ && choices_.chance(2)) return " (not (member " + what + " " + asked + "))";
    return " (" + choices_.one_of({"absent", "absent", "absent", "fresh", "spare"}) + " " + what + " " + asked + ")";
  }

  std::string relations() {
    std::string text;
    const std::string longer = cons("?d", "?r");
    const std::string on_walk = kept_ ? path("?k", "?d", longer) : path("?a", "?d", longer);
    const std::string known = negated_  ? "(seq " + longer + ")"
                              : bodies_ ? "(some " + longer + ")"
                              : rare(6) ? path("?k", "?e", longer)
                                        : on_walk;
    text += rule("(absent ?c nil)", rare(5) ? "(odd ?c)" : rare(6) ? "(link ?c ?z) (odd ?z) (cell ?c)" : "(cell ?c)");
    text += rule("(absent ?c " + longer + ")", known + " (absent ?c ?r)" + maybe(8, "(odd ?d)") +
                                                   maybe(8, "(cell ?c)") + maybe(12, "(true (own ?d))") + difference());
    if (rare(5)) text += rule("(absent ?c " + longer + ")", known + " (absent ?c ?r) (link ?c ?d)");
    if (negated_) {
      text += rule("(member ?c " + cons("?c", "?r") + ")", "(seq " + cons("?c", "?r") + ")" + maybe(8, "(odd ?c)"));
      text += rule("(member ?c " + longer + ")", "(seq " + longer + ") (member ?c ?r)" + maybe(8, "(odd ?d)"));
      if (rare(8)) text += rule("(member ?c " + longer + ")", "(seq " + longer + ") (link ?c ?d)");
      // Without a certain cell, or without repetition.
      const std::string some = bodies_ ? "(seq ?l)" : path("?a", "?x", "?l");
      text +=
          rule("(fresh ?c ?l)", "(cell ?c) " + some + " (not (member " + choices_.one_of({"?c", "?c", "b"}) + " ?l))");
      text += rule("(spare ?c ?l)", "(cell ?c) (differ ?l)" + maybe(2, "(not (member ?c ?l))"));
      text += "(differ nil)\n" + rule("(differ " + longer + ")", (bodies_ ? "(seq " + longer + ")" : on_walk) +
                                                                     " (differ ?r) (not (member ?d ?r))");
    } else {
      const std::string some = bodies_ ? "(some ?l)" : path("?a", "?x", "?l");
      text += rule("(fresh ?c ?l)", "(cell ?c) " + some + " (absent " + choices_.one_of({"?c", "?c", "b"}) + " ?l)");
      text += rule("(spare ?c ?l)", some + " (link ?c ?z) (absent ?c ?l)" + maybe(3, "(odd ?z)"));
    }
    if (bodies_ && !negated_) {
      std::string list = "nil", cells;
      text += "(some nil)\n";
      for (int i = 0; i < 5; ++i) {
        list = cons(fmt::format("?x{}", i), list);
        cells += fmt::format(" (cell ?x{})", i);
        if (i < 4 || choices_.chance(2)) text += rule("(some " + list + ")", cells);
      }
    }
    if (!bodies_) text += rule("(reached ?c)", path("?a", "?c", "?l"));
    return text;
  }
  std::string difference() { return rare(6) ? " (other ?c ?d)" : rare(10) ? " (near ?c ?d)" : " (distinct ?c ?d)"; }

  // In two of three games little is strange.
  bool rare(std::size_t of) { return choices_.chance(of * strange_); }
  std::string maybe(std::size_t of, const std::string& literal) {
    return (of < 8 ? choices_.chance(of) : rare(of)) ? " " + literal : "";
  }
  static std::string rule(const std::string& head, const std::string& body) {
    return "(<= " + head + " " + body + ")\n";
  }
  std::string path(const std::string& kept, const std::string& place, const std::string& list) const {
    const std::string own = (kept_ ? kept + " " : "") + place;
    return "(path " + (first_ && !bodies_ ? list + " " + own : own + " " + list) + ")";
  }
  std::string cons(const std::string& element, const std::string& rest) const {
    return tail_first_ ? "(cons " + rest + " " + element + ")" : "(cons " + element + " " + rest + ")";
  }

  test::Choices choices_;
  std::vector<std::string> cells_;
  std::size_t strange_ = 1;
  bool negated_ = false, kept_ = false, first_ = false, tail_first_ = false, bodies_ = false;
};

// RGTRANS_FUZZ_COUNT says how many games are tried, from RGTRANS_FUZZ_SEED on.
TEST(Trails, RandomWalksAgreeWithTheRulesAsTheyStand) {
  std::size_t malformed = 0, kept = 0, dropped = 0, compared = 0;
  const std::uint64_t count = test::random_count(400), first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = RandomWalk(seed).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const auto sources = std::make_shared<Sources>();
    Diagnostics diagnostics(sources);
    Program program = read_program(sources->add("game.kif", text), diagnostics, false);
    if (diagnostics.has_errors()) {
      ++malformed;
      continue;
    }
    if (!drop_trails(program)) {
      ++kept;
      continue;
    }
    ++dropped;
    if (untouched(text) == nullptr) continue;  // too many lists
    try {
      Direct rules(text);
      std::string why;
      lifted::LiftedNames names;
      const auto game = lifted::lift(program, sources, {}, {}, why, &names);
      if (game) {
        LiftedPlay play(make_interpreter(*game), names);
        for (unsigned number = 1; number <= 2; ++number) ASSERT_EQ(play.beside(rules, seed * 100 + number, 10), "");
      } else {  // relations around the walk are lifted only if they are no part of it
        ASSERT_THAT(why, testing::HasSubstr("depends on itself"));
        const std::unique_ptr<Steps> network = without_lists(text);
        for (unsigned number = 1; number <= 2; ++number)
          ASSERT_EQ(test::difference(rules, *network, seed * 100 + number, 10), "");
      }
      ++compared;
    } catch (const Error&) {  // not stratified
    }
  }
  std::cout << fmt::format("{} games: {} malformed, {} keep their lists, {} lose them, {} compared\n", count, malformed,
                           kept, dropped, compared);
  EXPECT_EQ(malformed, 0U);
  EXPECT_GT(compared, count / 10);
  EXPECT_GT(kept, count / 10);
}

}  // namespace
}  // namespace rgtrans::gdl
