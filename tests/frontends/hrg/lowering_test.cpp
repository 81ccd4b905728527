// Small games with moves known by hand: each construct, and properties that survive copied graphs, replaced parameters
// and shared sub-automata.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "backends/rg/rg.hpp"
#include "frontends/hrg/hrg.hpp"
#include "frontends/rg/rg.hpp"

namespace rgtrans::hrg {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

ir::Game game_of(const std::string& text) {
  Diagnostics diagnostics;
  ir::Game game = load("test.hrg", text, diagnostics);
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  return game;
}

// Plays keeper's moves until another player is to move.
void run_keeper(Reasoner& reasoner) {
  while (!reasoner.terminal() && reasoner.mover() == reasoner.info().keeper() && reasoner.move_count() > 0) {
    reasoner.apply(0);
  }
}

std::vector<std::string> first_moves(const ir::Game& game) {
  if (testing::Test::HasFailure()) return {};
  const auto reasoner = make_interpreter(game);
  run_keeper(*reasoner);
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < reasoner->move_count(); ++i) moves.push_back(reasoner->move_text(i));
  return moves;
}
std::vector<std::string> first_moves(const std::string& text) { return first_moves(game_of(text)); }

std::vector<std::uint64_t> counts(const std::string& text, unsigned depth) {
  const auto reasoner = make_interpreter(game_of(text));
  std::vector<std::uint64_t> result;
  for (unsigned d = 1; d <= depth; ++d) result.push_back(reasoner->perft(d));
  return result;
}

std::string printed(const std::string& text) { return rg::print(game_of(text)); }

constexpr const char* kTypes =
    "domain Player = solo\n"
    "domain Score = 0 | 1\n"
    "domain Heap = H(N) where N in 0..3\n"
    "heap : Heap = H(3)\n"
    "mod : Heap -> Heap\n"
    "mod(H(N)) = H((N - 1) % 4)\n";

// The moves of solo if `body` is the code of a turn.
std::vector<std::string> moves_of(const std::string& graphs, const std::string& body) {
  return first_moves(kTypes + graphs + "graph rules() { player = solo " + body + " player = keeper end() }\n");
}

TEST(HrgLowering, CompleteSmallGame) {
  const std::string text = R"(
domain Player = ann | bob
domain Score  = 0 | 1
domain Heap   = H(N) where N in 0..3
domain HeapOrNone = none | Heap

take : Heap -> HeapOrNone
take(H(N)) = if N > 0 then H(N - 1) else none

heap : Heap = H(3)

graph turn(me : Player) {
  player = me
  branch {
    $ one
    heap = take[heap]
  } or {
    check(heap != H(1))
    $ two
    heap = take(take(heap))
  }
  player = keeper
  if heap == H(0) {
    goals[me] = 1
    end()
  }
}

graph rules() {
  loop { turn(ann) turn(bob) }
}
)";
  EXPECT_THAT(counts(text, 5), ElementsAre(2, 3, 1, 0, 0));
  const std::string rg = printed(text);
  EXPECT_THAT(rg, HasSubstr("@integer 0 : H__0 H__1 H__2 H__3;"));
  EXPECT_THAT(rg, HasSubstr("type HeapOrNone = { none, H__0, H__1, H__2, H__3 };"));
  EXPECT_THAT(rg, HasSubstr("const take: Heap -> HeapOrNone"));
  EXPECT_THAT(rg, Not(HasSubstr("turn_arg0_me"))) << "a constant argument needs no variable";
}

TEST(HrgLowering, LoopsCurriedFunctionsLoopNamesInTagsAndReachability) {
  const std::string text = R"(
domain Player = solo
domain Score = 0 | 1
domain Cell = Q(R, C) where R in 0..1, C in 0..2
domain CellOrOff = off | Cell
domain Mark = blank | dot
domain Bool = 0 | 1

east : CellOrOff -> CellOrOff
east(Q(R, C)) = if Q(R, C + 1) in Cell then Q(R, C + 1) else off
east(off) = off
south : CellOrOff -> CellOrOff
south(Q(R, C)) = Q((R + 1) % 2, C)
south(_) = off
way : Bool -> CellOrOff -> CellOrOff
way(0) = east
way(1) = south

marks : Cell -> Mark = { :blank; Q(0, C) = dot where C in 1..2; Q(1, 0) = dot }
here : CellOrOff = Q(0, 0)

graph slide(f : CellOrOff -> CellOrOff) {
  loop {
    here = f[here]
    check(here != off)
    branch { break() } or { check(marks[here] == dot) $_go }
  }
}
graph hasDot() {
  here = Cell(*)
  check(marks(here) == dot)
}
graph rules() {
  player = solo
  branch w in {0, 1} {
    $ (w step)
    slide(way[w])
  }
  $$ here
  player = keeper
  if not(reachable(hasDot())) || here == Q(0, 0) { end() } else { goals[solo] = 1 end() }
}
)";
  EXPECT_THAT(first_moves(text),
              UnorderedElementsAre("0__step Q__0_1", "0__step Q__0_2", "1__step Q__1_0", "1__step Q__0_0"));
  EXPECT_THAT(printed(text), HasSubstr("@artificialTag go;"));
  const auto reasoner = make_interpreter(game_of(text));
  run_keeper(*reasoner);
  for (std::size_t i = 0; i < reasoner->move_count(); ++i) {
    const std::string move = reasoner->move_text(i);
    const auto after = reasoner->clone();
    after->move_count();
    after->apply(i);
    run_keeper(*after);
    EXPECT_TRUE(after->terminal());
    EXPECT_EQ(after->goal(0), move == "1__step Q__0_0" ? "0" : "1") << move;
  }
}

TEST(HrgLowering, AssortedSemantics) {
  const std::string text = std::string(kTypes) + R"(
ord : Heap -> Score
ord(H(N)) = if N - 2 < 1 && N + 9 > 10 || N == 0 then 1 else 0
graph g(v : Heap) { heap = H(0) check(v == H(3)) $ copied }
graph pick(dir : Heap -> Heap) { heap = dir[heap] }
graph count() {
  repeat 3 {
    heap = mod[heap]
    branch { continue() } or { check(heap == H(1)) $ stop break() }
  }
}
reusable graph sub(dir : Heap -> Heap) { heap = dir(heap) if heap == H(2) { return() } $ low }
graph rules() {
  player = solo
  branch { g(heap) }
  or { pick(mod) $$ heap }
  or { count() $$ heap }
  or { sub(mod) sub(mod) $$ heap }
  or { repeat x in {H__1, H__2} { repeat x in {H__0} { $ x } $ x } }
  or { check(not(heap == H(3) && true())) $ never }
  or { check(heap != H(3) || reachable(g(heap))) $ yes }
  player = keeper
  end()
}
)";
  EXPECT_THAT(first_moves(text),
              UnorderedElementsAre("copied", "H__2", "H__0", "stop H__1", "low H__1", "H__0 H__1 H__0 H__2", "yes"));
}

TEST(HrgLowering, ImplicitDefaults) {
  const std::string text = std::string(kTypes) + R"(
seen : Heap -> Score = { H(N) = 1 where N in 0..2; H(3) = 0 }
part : Heap -> Score = { H(1) = 0; H(2) = 0; H(0) = 1 }
even : Heap -> Score = { H(0) = 0; H(1) = 1 }
graph rules() { player = solo heap = mod[heap] player = keeper end() }
)";
  const std::string rg = printed(text);
  EXPECT_THAT(rg, HasSubstr("var seen: Heap -> Score = { H__3: 0, :1 };"));
  EXPECT_THAT(rg, HasSubstr("var part: Heap -> Score = { H__0: 1, :0 };"));
  EXPECT_THAT(rg, HasSubstr("var even: Heap -> Score = { H__0: 0, :1 };"));
  EXPECT_THAT(rg, HasSubstr("{ H__1: H__0, H__2: H__1, H__3: H__2, :H__3 }"));
}

TEST(HrgLowering, Conditions) {
  auto holds = [](const std::string& condition) {
    return moves_of("graph yes(v : Heap) { check(v == H(3)) } graph stop(v : Heap) { check(v == H(3)) end() }",
                    "branch { if " + condition + " { $ t } else { $ f } } or { check(" + condition + ") $ c }");
  };
  for (const char* condition :
       {"heap == H(3)", "heap != H(2)", "heap == H(3) && mod[heap] == H(2)", "heap == H(1) || heap == H(3)",
        "heap == H(3) || mod[heap] == H(2)", "not(heap == H(3) && heap == H(2))", "!(heap == H(1) || heap == H(2))",
        "true()", "not(false())", "reachable(yes(heap))", "reachable(stop(heap))", "not(reachable(yes(mod[heap])))",
        "(heap == H(3))", "(heap == H(1) || heap == H(3)) && (heap != H(2))", "solo == solo",
        "heap == H(1) || reachable(yes(heap))", "mod(heap) == H(2)", "reachable(yes(mod[mod[mod[mod[heap]]]]))"}) {
    EXPECT_THAT(holds(condition), UnorderedElementsAre("t", "c")) << condition;
  }
  for (const char* condition :
       {"heap == H(2)", "false()", "not(true())", "heap == H(3) && heap == H(2)", "heap == H(1) || heap == H(2)",
        "not(heap == H(1) || heap == H(3))", "reachable(yes(H(2)))", "not(reachable(stop(heap)))", "solo != solo",
        "heap == H(3) && false()", "reachable(yes(mod[heap])) || heap == H(0)"}) {
    EXPECT_THAT(holds(condition), ElementsAre("f")) << condition;
  }
}

// Names are in natural order; terms are ordered by constructor, number of arguments and arguments.
TEST(HrgLowering, OrderOfNamesAndTerms) {
  const auto holds = [](const std::string& domain, const std::string& x, const std::string& op, const std::string& y) {
    const std::string rg = printed("domain Player = solo domain Score = 0 | 1 domain Thing = " + domain +
                                   " f : Thing -> Thing -> Score f(X, Y) = if X " + op +
                                   " Y then 1 else 0 graph rules() { player = solo goals[solo] = f[" + x + "][" + y +
                                   "] $ t player = keeper end() }");
    EXPECT_THAT(rg, HasSubstr("goals[solo] = ")) << rg;
    return rg.find("goals[solo] = 1") != std::string::npos;
  };
  const auto expect_ascending = [&](const std::string& domain, const std::vector<std::string>& things) {
    for (std::size_t i = 0; i < things.size(); ++i) {
      for (std::size_t j = 0; j < things.size(); ++j) {
        SCOPED_TRACE(things[i] + " and " + things[j]);
        EXPECT_EQ(holds(domain, things[i], "<", things[j]), i < j);
        EXPECT_EQ(holds(domain, things[i], "<=", things[j]), i <= j);
        EXPECT_EQ(holds(domain, things[i], ">", things[j]), i > j);
        EXPECT_EQ(holds(domain, things[i], ">=", things[j]), i >= j);
      }
    }
  };
  expect_ascending("b1 | a10 | a2 | a | a2b", {"a", "a2", "a2b", "a10", "b1"});
  expect_ascending("Q(N) where N in 0..1 | P(M, N) where M in 0..1, N in 0..1",
                   {"P(0, 0)", "P(0, 1)", "P(1, 0)", "Q(0)", "Q(1)"});
}

TEST(HrgLowering, NamesOfAnyScriptAreNamesOfRg) {
  const ir::Game game = game_of(
      "domain Player = weiß | чёрный domain Score = 0 | 1 domain Öl = Ä(X) where X in 0..2 größe : Öl "
      "vor : Öl -> Öl vor(Ä(X)) = if X < 2 then Ä(X + 1) else Ä(0) graph rules() { player = weiß größe = Öl(*) "
      "$$ größe $ (ü ß) größe = vor[größe] player = чёрный $$ größe $ 黒 player = keeper end() }");
  EXPECT_EQ(first_moves(game).size(), 3U);
  EXPECT_EQ(first_moves(rg::parse_game(rg::print(game))).size(), 3U);
}

TEST(HrgLowering, WalksOfAlternativesAreOneMove) {
  EXPECT_THAT(moves_of("", "check(heap == H(3) || mod[heap] == H(2)) $ a"), ElementsAre("a"));
}

TEST(HrgLowering, EmptyArmsAndSingleArms) {
  EXPECT_THAT(moves_of("", "branch { } or { $ a } branch { $ b }"), UnorderedElementsAre("b", "a b"));
}

TEST(HrgLowering, WhileAsFirstStatementOfAnArmKeepsToItsArm) {
  EXPECT_THAT(moves_of("", "branch { while heap != H(1) { $ w heap = mod[heap] } } or { $ other }"),
              UnorderedElementsAre("w w", "other"));
  EXPECT_THAT(moves_of("",
                       "branch { loop { branch { check(heap != H(1)) $ w heap = mod[heap] } or "
                       "{ check(heap == H(1)) break() } } } or { $ other }"),
              UnorderedElementsAre("w w", "other"));
}

TEST(HrgLowering, JumpsLeadWhereTheyShould) {
  EXPECT_THAT(moves_of("",
                       "while true() { heap = mod[heap] if heap == H(2) { continue() } $ l if heap == H(0) "
                       "{ break() } } $ e"),
              ElementsAre("l l e"));
  EXPECT_THAT(moves_of("", "repeat 3 { if heap == H(2) { continue() } $ a heap = mod[heap] } $ e"), ElementsAre("a e"));
  EXPECT_THAT(moves_of("", "repeat N in Heap { if heap == H(1) { break() } $ N heap = mod[heap] } $ e"),
              ElementsAre("H__0 H__1 e"));
  EXPECT_THAT(moves_of("", "repeat 0 { $ a } $ e"), ElementsAre("e"));
  EXPECT_THAT(moves_of("", "loop { loop { break() } $ i break() } $ e"), ElementsAre("i e"));
  EXPECT_THAT(moves_of("graph g() { loop { $ i return() } } ", "g() g() $ e"), ElementsAre("i i e"));
  EXPECT_THAT(moves_of("graph g() { branch { return() } or { $ a } } ", "g() $ e"), UnorderedElementsAre("e", "a e"));
  EXPECT_THAT(moves_of("graph g() { if heap == H(3) { return() } $ no } ", "repeat 2 { g() } $ e"), ElementsAre("e"));
}

TEST(HrgLowering, ElseIfAndParentheses) {
  EXPECT_THAT(moves_of("", "if (heap == H(0)) { $ a } else if (heap == H(3)) { $ b } else { $ c }"), ElementsAre("b"));
}

TEST(HrgLowering, ForallChoosesAnElement) {
  EXPECT_THAT(moves_of("", "forall h : Heap { check(mod[h] == H(0)) $ h }"), ElementsAre("H__1"));
  EXPECT_THAT(moves_of("graph any() { forall h : Heap { check(mod[h] == heap) } }", "check(reachable(any())) $ a"),
              ElementsAre("a"));
}

TEST(HrgLowering, ChoicesInChecksNeedNoCopies) {
  const std::string head = std::string(kTypes) +
                           "domain Cell = P(X) where X in 0..99\non : Cell -> Score = { : 0; P(7) = 1 }\n"
                           "cell : Cell\n";
  const std::string rules =
      "graph rules() { player = solo cell = P(6) check(reachable(any())) $ a player = keeper end() }\n";
  const std::string one = head + "graph any() { forall c : Cell { check(on[c] == 1) check(c != cell) $ c } }\n" + rules;
  EXPECT_THAT(first_moves(one), ElementsAre("a"));
  EXPECT_LT(game_of(one).graph.edge_count(), 20U);
  const std::string copies =
      head + "graph any() { branch X in {1, 2, 3, 4, 5, 6, 7} { check(on[P(X)] == 1) check(P(X - 1) == cell) } }\n" +
      rules;
  EXPECT_THAT(first_moves(copies), ElementsAre("a"));
}

TEST(HrgLowering, LoopNamesHideAndBuildConstructors) {
  EXPECT_THAT(moves_of("other : Heap\n", "branch heap in {0, 2} { $ (n heap) other = H(heap + 1) $$ other }"),
              ElementsAre("n__0 H__1", "n__2 H__3"));
}

TEST(HrgLowering, CallByValueThroughSeveralCalls) {
  const char* graphs =
      "graph inner(v : Heap) { heap = H(0) $$ v }\n"
      "graph outer(v : Heap) { inner(v) check(v == heap) $ same }\n"
      "graph twice(v : Heap) { inner(mod[v]) inner(v) }\n"
      "graph show(v : Heap) { $$ v }\n";
  EXPECT_THAT(moves_of(graphs, "inner(heap)"), ElementsAre("H__3"));
  EXPECT_THAT(moves_of(graphs, "outer(heap)"), ElementsAre());
  EXPECT_THAT(moves_of(graphs, "twice(heap)"), ElementsAre("H__2 H__3"));
  EXPECT_THAT(moves_of(graphs, "twice(H(1))"), ElementsAre("H__0 H__1"));
  EXPECT_THAT(moves_of(graphs, "show(mod[heap]) show(heap) show(H(0)) show(mod[mod[heap]])"),
              ElementsAre("H__2 H__3 H__0 H__1"));
}

TEST(HrgLowering, ReusableGraphsReturnToTheirCalls) {
  const char* graphs =
      "reusable graph inner(v : Heap) { $$ v heap = mod[v] }\n"
      "reusable graph outer(v : Heap) { inner(v) inner(mod[v]) $ o }\n"
      "reusable graph last() { $ last player = keeper end() }\n"
      "reusable graph zero() { heap = mod[heap] if heap == H(0) { end() } zeros() }\n"
      "reusable graph zeros() { check(heap == H(1)) }\n";
  EXPECT_THAT(moves_of(graphs, "outer(heap) outer(H(1)) inner(H(0))"), ElementsAre("H__3 H__2 o H__1 H__0 o H__0"));
  EXPECT_THAT(moves_of(graphs, "outer(heap)"), ElementsAre("H__3 H__2 o"));
  EXPECT_THAT(moves_of(graphs, "branch { $ a last() } or { $ b }"), UnorderedElementsAre("a last", "b"));
  // end() in a reusable graph means success in a check and the end of the game in a call.
  EXPECT_THAT(moves_of(graphs,
                       "heap = H(2) check(reachable(zero())) heap = H(1) branch { check(reachable(zero())) $ a } "
                       "or { zero() $ never } or { heap = H(3) check(not(reachable(zero()))) $ b }"),
              UnorderedElementsAre("a", "b", ""));
}

TEST(HrgLowering, EqualChecksShareOneAutomaton) {
  const std::string rg = printed(std::string(kTypes) +
                                 "graph is(v : Heap) { check(heap == v) }\n"
                                 "graph rules() { player = solo if reachable(is(H(1))) { $ a } if reachable(is(H(1))) "
                                 "{ $ b } if reachable(is(H(2))) { $ c } player = keeper end() }\n");
  EXPECT_THAT(rg, HasSubstr("? is_check -> is_holds"));
  EXPECT_THAT(rg, HasSubstr("? is_check_2 -> is_holds_2"));
  EXPECT_THAT(rg, Not(HasSubstr("is_check_3")));
}

TEST(HrgLowering, MapsAreNotCopiedForParameters) {
  const std::string text = std::string(kTypes) +
                           "big : Heap -> Heap -> Score\n"
                           "graph see(m : Heap -> Score) { check(m[heap] == 0) $ seen }\n"
                           "graph rules() { player = solo see(big[heap]) player = keeper end() }\n";
  EXPECT_THAT(first_moves(text), ElementsAre("seen"));
  EXPECT_THAT(printed(text), Not(HasSubstr("see_arg0")));
}

TEST(HrgLowering, ReplacedParametersKeepTheirType) {
  // The other side has values outside of the parameter's type, or is a map with a smaller result type.
  const std::string text = std::string(kTypes) +
                           "domain More = none | Heap\n"
                           "pair : Heap -> Heap\n"
                           "graph see(v : More, m : Heap -> More) { check(v != none) check(m[heap] != none) $ seen }\n"
                           "graph rules() { player = solo see(heap, mod) see(H(1), pair) player = keeper end() }\n";
  EXPECT_THAT(first_moves(text), ElementsAre("seen seen"));
}

// If an artificial tag has the same name as an ordinary tag or as a shown value, it gets another name, so that only the
// artificial tag is omitted from the move.
TEST(HrgLowering, ArtificialTagsAreDistinct) {
  const char* const rules = "branch { $ a } or { $_a $ b } or { $ _a } or { $_ c $ d }";
  EXPECT_THAT(moves_of("", rules), UnorderedElementsAre("a", "b", "_a", "d"));
  const std::string text =
      std::string(kTypes) + "graph rules() { player = solo " + rules + " player = keeper end() }\n";
  EXPECT_THAT(printed(text), AllOf(HasSubstr("@artificialTag _a_2 c;"), HasSubstr("$ _a_2;"), HasSubstr("$ a;")));
  EXPECT_THAT(moves_of("domain T = e | f\nx : T = e\n", "x = T(*) branch { $_e $ one } or { $$ x }"),
              UnorderedElementsAre("one", "e", "f"));
}

TEST(HrgLowering, WalksThatDifferInArtificialTagsAreOneMove) {
  EXPECT_THAT(moves_of("", "branch { $_a } or { $_b } $ go"), ElementsAre("go"));
  EXPECT_THAT(moves_of("", "branch { $_a $ go } or { $_b $ go $_c } or { $ go $ on }"),
              UnorderedElementsAre("go", "go on"));
}

// The original text of a game and its RG form have the same moves.
TEST(HrgLowering, ArtificialTagsSurviveAsRg) {
  const std::string text = std::string(kTypes) +
                           "graph rules() { player = solo branch { $ a } or { $_a $ b } or { $_ c $ b } or { $ c }\n"
                           "player = keeper end() }\n";
  EXPECT_THAT(first_moves(rg::parse_game(printed(text))), UnorderedElementsAre("a", "b", "c"));
}

TEST(HrgLowering, RedeclaredBuiltins) {
  const std::string text =
      "domain Player = a | b\ndomain Score = 0 | 50 | 100\n"
      "player : PlayerOrSystem = a\n"
      "goals : Goals = { : 50 }\n"
      "next : PlayerOrSystem -> PlayerOrSystem\n"
      "next(a) = b\nnext(_) = keeper\n"
      "graph rules() { $ first player = next[player] $ second player = next(player) end() }\n";
  const auto reasoner = make_interpreter(game_of(text));
  ASSERT_EQ(reasoner->move_count(), 1U);
  EXPECT_EQ(reasoner->move_text(0), "first");
  EXPECT_EQ(reasoner->goal(1), "50");
}

TEST(HrgLowering, SymbolsSharedByDomains) {
  EXPECT_THAT(
      first_moves("domain Player = red | blue\ndomain Score = 0 | 1\ndomain Piece = none | red | blue\n"
                  "p : Piece\n"
                  "graph rules() { player = red p = Piece(*) check(p == player) $$ p player = keeper end() }\n"),
      ElementsAre("red"));
}

TEST(HrgLowering, OutOfDomainReadsGiveTheDefault) {
  EXPECT_THAT(moves_of("domain HeapOrNone = none | Heap\nm : Heap -> Heap = { : H(2); H(0) = H(1) }\n"
                       "k : HeapOrNone = none\n",
                       "check(m[k] == H(2)) $ yes"),
              ElementsAre("yes"));
}

TEST(HrgLowering, PlacesFollowEveryEdge) {
  const ir::Game game = game_of(std::string(kTypes) + "graph rules() { player = solo $ a player = keeper end() }\n");
  for (ir::EdgeId edge : game.graph.edges()) EXPECT_TRUE(game.graph.where(edge).known());
  for (const ir::Variable& variable : game.variables()) {
    EXPECT_EQ(variable.where.known(), game.symbols.text(variable.name) == "heap");
  }
}

}  // namespace
}  // namespace rgtrans::hrg
