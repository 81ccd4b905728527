// Lists of what a walk has visited go where that makes no difference, however they are written, and only there.
#include "frontends/gdl/syntax/trails.hpp"

#include <gmock/gmock.h>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/ground/grounder.hpp"
#include "tests/support/gdl_lift.hpp"
#include "tests/support/gdl_steps.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

// The network of the rules as they stand; none where they are too many.
std::unique_ptr<Steps> untouched(const std::string& text) {
  Program program = read_rules(text);
  Diagnostics diagnostics;
  GroundOptions options;
  options.max_rules = 20'000;
  options.max_steps = 1'000'000;
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

TEST(Trails, WaysToWriteThemMeanTheSame) {
  const std::string plain = hex(std::string(kPlain), 3);
  const std::unique_ptr<Steps> expected = without_lists(plain);
  for (const Way& way : kWays) {
    const std::string text = hex(std::string(way.rules), 3);
    Program program = read_rules(text);
    EXPECT_TRUE(drop_trails(program)) << way.name;
    const std::unique_ptr<Steps> network = without_lists(text);
    Direct direct(text);
    for (unsigned seed = 1; seed <= 15; ++seed) {
      EXPECT_EQ(test::difference(*expected, *network, seed, 20), "") << way.name;
      EXPECT_EQ(test::difference(*expected, direct, seed, 20), "") << way.name << ", rules";
    }
    std::string why;
    lifted::LiftedNames names;
    const auto game = lifted::lift(program, std::make_shared<Sources>(), {}, {}, why, &names);
    ASSERT_TRUE(game) << way.name << ": " << why;
    LiftedPlay play(make_interpreter(*game), names);
    for (unsigned seed = 1; seed <= 15; ++seed) EXPECT_EQ(play.beside(*expected, seed, 20), "") << way.name;
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
    for (unsigned seed = 1; seed <= 20; ++seed)
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
  EXPECT_FALSE(goes(walk, "(list ?a nil)", "(list ?a (list c22 nil)))(<= (path ?p ?a (list ?a nil))"));
  EXPECT_FALSE(goes(walk, "(list ?c ?l)) (path", "(list c22 ?l)) (path"));
  EXPECT_FALSE(goes(walk, "(is-cell ?d) (distinct", "(ends red ?d) (distinct"));
  EXPECT_FALSE(goes(walk, "(distinct ?c ?d)", "(near ?c ?d)"));
  // A condition of absence stays where it is no matter of course, and lists of other places are kept apart.
  EXPECT_TRUE(goes(walk, "(absent ?c nil) (is-cell ?c)", "(absent ?c nil) (starts red ?c)"));
}

// --- Random rules. ---

// A walk on a random graph, whose nodes a watcher can name; some of the choices make lists matter.
class RandomWalk {
 public:
  explicit RandomWalk(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string text =
        "(role claimer)\n(role watcher)\n(init (own a))\n(init (own b))\n(<= (legal claimer (claim ?c)) (cell ?c))\n"
        "(<= (next (own ?c)) (true (own ?c)))\n(<= (next (own ?c)) (does claimer (claim ?c)))\n"
        "(init (time 1))\n(<= (next (time ?n)) (true (time ?m)) (after ?m ?n))\n"
        "(after 1 2)\n(after 2 3)\n(after 3 4)\n(<= terminal (true (time 4)))\n(goal claimer 100)\n"
        "(goal watcher 100)\n(legal watcher wait)\n";
    for (const char* cell : {"a", "b", "c", "d"}) text += fmt::format("(cell {})\n", cell);
    for (const char* one : {"a", "b", "c", "d"})
      for (const char* other : {"a", "b", "c", "d"})
        if (pick(5) < 2) text += fmt::format("(near {} {})\n", one, other);
    text += "(near a b)\n(odd a)\n(odd c)\n(<= (other ?x ?y) (cell ?x) (cell ?y) (distinct ?x ?y))\n";
    const bool kept = pick(3) == 0;
    first_ = pick(2) == 0;
    tail_first_ = pick(3) == 0;
    const std::string start = kept ? "?a" : "";
    const std::string element = pick(6) == 0 ? "?b" : "?c";
    text += rule(path(start, "?a", begin()), "(true (own ?a)) (cell ?a)" + maybe(8, "(odd ?a)"));
    if (pick(4) == 0) text += rule(path(start, "?b", cons("?b", cons("?a", "nil"))), "(near ?a ?b) (true (own ?b))");
    text += rule(path(start, "?c", cons(element, "?l")),
                 path(start, "?b", "?l") + " (near ?b ?c)" + maybe(2, "(true (own ?c))") + guard());
    if (pick(6) == 0)
      text += rule(path(start, "?c", "?l"), path(start, "?b", "?l") + " (near ?c ?b) (odd ?c)" + maybe(2, guard()));
    text += rule("absent ?c nil", pick(5) == 0 ? "(odd ?c)" : "(cell ?c)");
    text += rule("absent ?c " + cons("?d", "?r"), path(kept ? "?k" : "", "?d", cons("?d", "?r")) + " (absent ?c ?r)" +
                                                      (pick(5) == 0   ? "(other ?c ?d)"
                                                       : pick(8) == 0 ? "(near ?c ?d)"
                                                                      : "(distinct ?c ?d)"));
    const std::string read = pick(8) == 0 ? cons("?c", cons("?d", "?r")) : "?l";
    text += rule("legal watcher (see ?c" + (kept ? std::string(" ?a))") : std::string("))")), path(start, "?c", read),
                 false);
    return text;
  }

 private:
  std::size_t pick(std::size_t count) {
    random_ = mix_hash(random_);
    return random_ % count;
  }
  std::string maybe(std::size_t of, const std::string& literal) { return pick(of) == 0 ? " " + literal : ""; }
  static std::string rule(const std::string& head, const std::string& body, bool close = true) {
    return "(<= " + std::string(head[0] == '(' ? "" : "(") + head + (close && head[0] != '(' ? ") " : " ") + body +
           ")\n";
  }
  std::string path(const std::string& kept, const std::string& place, const std::string& list) const {
    const std::string own = kept + (kept.empty() ? "" : " ") + place;
    return "(path " + (first_ ? list + " " + own : own + " " + list) + ")";
  }
  std::string cons(const std::string& element, const std::string& rest) const {
    return tail_first_ ? "(cons " + rest + " " + element + ")" : "(cons " + element + " " + rest + ")";
  }
  std::string begin() {
    switch (pick(7)) {
      case 0:
        return "nil";
      case 1:
        return cons("?a", cons("d", "nil"));
      default:
        return cons("?a", "nil");
    }
  }
  std::string guard() {
    const std::size_t kind = pick(10);
    return kind == 0 ? " (absent ?b ?l)" : kind == 1 ? " (absent ?c " + cons("?b", "?l") + ")" : " (absent ?c ?l)";
  }

  std::uint64_t random_;
  bool first_ = false, tail_first_ = false;
};

TEST(Trails, RandomWalksAgreeWithTheRulesAsTheyStand) {
  std::size_t dropped = 0, left = 0;
  const std::uint64_t count = corpus::full() ? 20'000 : 150;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string text = RandomWalk(seed).text();
    Program program = read_rules(text);
    if (!drop_trails(program)) {
      ++left;
      continue;
    }
    const std::unique_ptr<Steps> expected = untouched(text);
    if (expected == nullptr) continue;
    ++dropped;
    const std::unique_ptr<Steps> network = without_lists(text);
    for (unsigned play = 1; play <= 3; ++play)
      ASSERT_EQ(test::difference(*expected, *network, seed * 100 + play, 10), "") << "seed " << seed << "\n" << text;
  }
  std::cout << fmt::format("{} walks lost their lists, {} kept them\n", dropped, left);
  EXPECT_GT(dropped, count / 10);
  EXPECT_GT(left, count / 10);
}

}  // namespace
}  // namespace rgtrans::gdl
