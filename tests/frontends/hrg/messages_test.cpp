// Messages for wrong descriptions: each mistake with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/hrg/hrg.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::hrg {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSlipsHead =
    "domain Player = x | o\n"
    "domain Score = 0 | 1\n"
    "domain N = I(X) where X in 0..3\n"
    "n : N\n";
constexpr std::size_t kHeadLines = 4;

// "line:column message" of every diagnostic. Lines are counted in `text`, after the head.
std::vector<std::string> messages(std::string text, Severity severity = Severity::error) {
  if (text.find("graph rules") == std::string::npos) text += "\ngraph rules() { player = x end() }\n";
  Diagnostics diagnostics;
  load("test.hrg", std::string(kSlipsHead) + text, diagnostics);
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity != severity) continue;
    const LineColumn at = diagnostics.sources()->position(d.where.begin);
    EXPECT_TRUE(!d.where.known() || at.line > kHeadLines) << d.message;
    out.push_back(
        (d.where.known() ? std::to_string(at.line - kHeadLines) + ":" + std::to_string(at.column) + " " : "") +
        d.message);
  }
  return out;
}

struct Mistake {
  const char* text;
  const char* message;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.message; }

std::string name_of(const testing::TestParamInfo<Mistake>& info) {
  return corpus::test_name(info.param.message) + "_" + std::to_string(info.index);
}

class HrgMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(HrgMistakes, IsReportedOnceAtItsPlace) {
  EXPECT_THAT(messages(GetParam().text), testing::ElementsAre(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Syntax, HrgMistakes,
    testing::Values(Mistake{"v : N = ", "2:1 expected an expression, found 'graph'"},
                    Mistake{"domain A = a | ♔", "1:16 expected an element of the domain, found '♔'"},
                    Mistake{"graph rules() { $ a·b }", "1:20 expected a statement or '}', found '·b'"},
                    Mistake{"domain A = B(X) where X in 0.3", "1:29 expected '..', found '.'"},
                    Mistake{"m : N -> N = { I(0) = I(1), I(1) = I(2) }", "1:27 expected '}', found ','"},
                    Mistake{"graph rules() { n = I(1) * I(2) }", "1:26 expected a statement or '}', found '*'"},
                    Mistake{"graph rules() { if n == I(0) { } or { } }",
                            "1:34 expected a statement or '}', found 'or'"},
                    Mistake{"loop : N", "1:1 expected a declaration, found 'loop'"},
                    Mistake{"domain A = P(X) where X in 0..1234567890123456789", "1:31 this number is too large"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Domains, HrgMistakes,
                         testing::Values(Mistake{"domain N = a", "1:8 the domain N is declared twice"},
                                         Mistake{"domain A = B\ndomain B = A", "1:8 the domain A contains itself"},
                                         Mistake{"domain A = P(X, Y) where X in 0..1", "1:17 Y has no range"},
                                         Mistake{"domain A = P(X) where X in 0..1, X in 2..3", "1:34 X has two ranges"},
                                         Mistake{"domain A = P(X) where X in 3..2", "1:23 the range 3..2 is empty"},
                                         Mistake{"domain A = P(X) where X in {}", "1:23 the range of X is empty"},
                                         Mistake{"domain A = P(X, Y) where X in 0..9999, Y in 0..9999",
                                                 "1:12 P has too many elements"},
                                         Mistake{"domain A = P(1_2) | P(1, 2)",
                                                 "1:21 P(1, 2) and P(1_2) would both be written P__1_2 in RG"},
                                         Mistake{"v : A", "1:5 there is no domain A"},
                                         Mistake{"domain A = I\nv : A -> I", "2:10 there is no domain I"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Functions, HrgMistakes,
    testing::Values(
        Mistake{"f : N -> N\nf(I(X)) = I(Y)", "2:13 nothing binds Y"},
        Mistake{"f : N -> N\nf(I(X)) = I(X + 1)", "2:11 f(I(3)) is I(4), which is no element of N"},
        Mistake{"f : N -> N\nf(I(0)) = I(0)", "1:1 no case of f covers f(I(1))"},
        Mistake{"f : N -> N\nf(I(X)) = g(X)", "2:11 there is no function g"},
        Mistake{"f : N -> N\nf(X) = f(X)", "2:8 the value of f(I(0)) depends on itself"},
        Mistake{"f : N -> N\nf(I(X)) = I(0)\nf(X, Y) = X", "3:1 this case of f has 2 patterns, the first one has 1"},
        Mistake{"f : N -> N\nf(X, Y) = X", "2:1 f has 2 patterns, but its type takes 1"},
        Mistake{"f : N\nf(X) = X", "1:1 the type of the function f has no arrow"},
        Mistake{"f : N -> N\nf(X) = X\ng : N -> N\ng(X) = f(X, X)", "4:8 f takes 1 argument, here are 2"},
        Mistake{"f : N -> N\nf(I(X)) = I(X + x)", "2:17 x is no number"},
        Mistake{"f : N -> N\nf(I(X)) = I(X % 0)", "2:13 0 % 0 has no value"},
        Mistake{"f : N -> N\nf(I(X)) = I(99999999999999999 + 99999999999999999)",
                "2:13 the result of this arithmetic with 99999999999999999 and 99999999999999999 is too large"},
        Mistake{"f : N -> N\nf(I(X)) = if X then I(0) else I(1)", "2:14 this is no condition"},
        Mistake{"f : N -> N\nf(I(X)) = if X in M then I(0) else I(1)", "2:19 there is no domain M"},
        Mistake{"f : N -> N\nf(I(X)) = if I(X) < x then I(0) else I(1)", "2:14 I(0) and x have no order"},
        Mistake{"f : N -> N\nf(X) = n", "2:8 n is a variable, this expression must be constant"},
        Mistake{"F : N -> N\nF(X) = X", "1:1 the function F begins with an upper-case letter"},
        Mistake{"f : N -> N\nf() = f", "1:1 the function f contains itself"},
        Mistake{"f : N -> N\nf(X) = { : I(0) }", "2:8 a map literal can only be an initial value"},
        Mistake{"f : N -> N\nf(P(X, X)) = I(0)\nf(_) = I(0)", "2:8 X occurs twice in the patterns of this case"},
        Mistake{"n : N\n", "1:1 n is declared twice"}, Mistake{"o : N\n", "1:1 o is already an element of a domain"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Maps, HrgMistakes,
    testing::Values(Mistake{"m : N -> N = { I(X) = I(0) where X in 0..3; I(2) = I(1) }",
                            "1:45 the key I(2) occurs twice in this map literal"},
                    Mistake{"m : N -> N = {}", "1:14 a map literal cannot be empty"},
                    Mistake{"m : N -> N = { : I(0); _ = I(0) }", "1:24 the map literal has two defaults"},
                    Mistake{"m : N -> N = { : I(0); I(X) = I(1) }", "1:26 nothing binds X"},
                    Mistake{"m : N -> N = { : I(0); I(7) = I(1) }", "1:24 the key I(7) is no element of N"},
                    Mistake{"m : N -> N = { : I(0); I(_) = I(1) }", "1:26 _ cannot be a part of a key"},
                    Mistake{"m : N -> N = I(0)", "1:14 this value is I(0), where a map of type N -> N is expected"},
                    Mistake{"m : N = { : I(0) }", "1:9 a map literal, where an element of N is expected"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Graphs, HrgMistakes,
    testing::Values(
        Mistake{"graph g() { }\ngraph g() { }", "2:7 the graph g is declared twice"},
        Mistake{"graph check() { }", "1:7 check is built in and cannot be the name of a graph"},
        Mistake{"graph rules(a : N) { end() }", "1:7 the graph rules has parameters"},
        Mistake{"graph rules() { g() }", "1:17 there is no graph g"},
        Mistake{"graph g(a : N) { }\ngraph rules() { g() end() }", "2:17 g takes 1 argument, here are 0"},
        Mistake{"graph g(a : N) { }\ngraph rules() { g(x) end() }",
                "2:19 the parameter a of g has the type N, this argument {x}"},
        Mistake{"graph a() { b() }\ngraph b() { check(reachable(a())) }", "1:7 the graph a calls itself: a -> b -> a"},
        Mistake{"graph g() { break() }", "1:13 break() outside of a loop"},
        Mistake{"graph g() { loop { end() n = I(0) } }",
                "1:26 this statement is never reached, because end() is in front of it"},
        Mistake{"graph g(a : N) { a = I(0) }", "1:18 a cannot be assigned, it is a parameter"},
        Mistake{"graph g() { branch a in N { a = I(0) } }", "1:29 a cannot be assigned, it is the name of a loop"},
        Mistake{"graph g() { branch a in N { $$ a } }", "1:32 a is the name of a loop, not a variable"},
        Mistake{"graph g() { m = I(0) }", "1:13 there is no variable m"},
        Mistake{"graph g() { n = m }", "1:17 there is no variable, function or element m"},
        Mistake{"graph g() { n = I(7) }", "1:17 I(7) is no element of any domain"},
        Mistake{"graph g(a : N) { n = I(a) }",
                "1:24 a is a parameter, but an argument of a constructor must be constant"},
        Mistake{"graph g() { n = n + n }", "1:17 there is no arithmetic on values that change during play"},
        Mistake{"graph g() { check(n < I(2)) }", "1:19 graphs compare with == and != only"},
        Mistake{"graph g() { check(n) }", "1:19 this is no condition"},
        Mistake{"graph g() { check(rules()) }", "1:19 rules is a graph, not a condition"},
        Mistake{"graph g() { check(reachable(n)) }", "1:29 reachable(…) asks about the call of a graph"},
        Mistake{"graph g() { check() }", "1:13 check takes one condition"},
        Mistake{"graph g() { n = x }", "1:17 x cannot be assigned to a value of type N"},
        Mistake{"graph g() { check(n == x) }", "1:19 x cannot be compared with a value of type N"},
        Mistake{"graph g() { n = goals[n] }", "1:23 a value of type N is no key for a map from Player"},
        Mistake{"graph g() { n = n[x] }", "1:17 this is no map, its type is N"},
        Mistake{"graph g() { n = Player(*) }", "1:17 not every element of Player is one of N"},
        Mistake{"graph g() { player = Player(*) }", "1:13 player cannot be chosen with (*)"},
        Mistake{"graph g() { $$ goals }", "1:16 goals is a map and cannot be shown"},
        Mistake{"v : A\ngraph rules() { v = x end() }", "1:5 there is no domain A"},
        Mistake{"graph g(a : N, a : N) { }", "1:16 g has two parameters a"}),
    name_of);

// The first error with its hint.
std::string hint(std::string text) {
  if (text.find("graph rules") == std::string::npos) text += "\ngraph rules() { player = x end() }\n";
  Diagnostics diagnostics;
  load("test.hrg", std::string(kSlipsHead) + text, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::error) return d.hint;
  }
  return "";
}

TEST(HrgMessages, HintsSayWhatWasMeant) {
  const auto rules = [](const std::string& statement) {
    return hint("graph rules() { player = x " + statement + " end() }");
  };
  EXPECT_THAT(hint("domain Sum = 0..25"), HasSubstr("N(X) where X in 0..9"));
  EXPECT_THAT(hint("domain Sum = S(0..25)"), HasSubstr("N(X) where X in 0..9"));
  EXPECT_EQ(rules("n = 0"), "did you mean I(0)?");
  EXPECT_EQ(rules("n = 2"), "did you mean I(2)?");
  EXPECT_EQ(rules("check(n == 2)"), "did you mean I(2)?");
  EXPECT_EQ(hint("m : N = 2"), "did you mean I(2)?");
  EXPECT_THAT(hint("f : N -> N\nf(X) = X + 1"), HasSubstr("f(I(X)) = I(X + 1)"));
  EXPECT_THAT(rules("$$ goals[x]"), HasSubstr("copy the entry into a variable first"));
  EXPECT_THAT(rules("check(n = I(0))"), HasSubstr("== compares"));
  EXPECT_THAT(rules("if n = I(0) { }"), HasSubstr("== compares"));
  EXPECT_THAT(rules("goals[x] = 50"), HasSubstr("the elements of Score are 0, 1; add 50 to the domain"));
  EXPECT_THAT(rules("visible[o] = false"), HasSubstr("truth is written with numbers: 0"));
  EXPECT_THAT(rules("branch { $ a } { $ b }"), HasSubstr("joined by or"));
  EXPECT_THAT(hint("f : N -> N\nf(k) = k"), HasSubstr("begins with an upper-case letter"));
  EXPECT_THAT(hint("f : N -> N\nf(I(k)) = I(0)"), HasSubstr("begins with an upper-case letter"));
  EXPECT_EQ(rules("n = playr"), "did you mean player?");
  EXPECT_THAT(rules("if n == I(0) { } elseif n == I(1) { }"), HasSubstr("two words"));
  EXPECT_THAT(rules("if not reachable(rules()) { }"), HasSubstr("not(reachable(move()))"));
  EXPECT_THAT(rules("check(n == I(0) and n == I(1))"), HasSubstr("'and' is written &&"));
  EXPECT_THAT(rules("check(n == I(0) or n == I(1))"), HasSubstr("'or' is written ||"));
  EXPECT_THAT(rules("forall m in N { }"), HasSubstr("forall x : Domain"));
  EXPECT_THAT(rules("for m in N { }"), HasSubstr("repeat x in"));
  EXPECT_EQ(hint("graph a() {\n  loop {  // {\n  }\ngraph rules() { end() }"), "the '{' in line 5 is not closed");
  EXPECT_EQ(hint("graph rules() {\n  loop {\n  }\n"), "the '{' in line 5 is not closed");
}

TEST(HrgMessages, AGameWithoutEndHasAPlace) {
  EXPECT_THAT(messages("graph rules() { loop { player = x $ a player = keeper } }"),
              testing::ElementsAre("1:7 no play of this game ends"));
  // An end behind an endless loop.
  EXPECT_THAT(messages("graph rules() { loop { player = x $ a player = keeper } end() }"),
              testing::Contains("1:7 no play of this game ends"));
}

TEST(HrgMessages, OneWrongDomainHidesNoBuiltInOne) {
  EXPECT_THAT(messages("domain P = A(X) where Y in 0..1\nf : Player -> Bool\nf(_) = 1\ng : PlayerOrSystem"),
              testing::ElementsAre("1:14 X has no range"));
}

TEST(HrgMessages, MissingDeclarationsHaveNoPlace) {
  Diagnostics diagnostics;
  load("test.hrg", "", diagnostics);
  std::vector<std::string> found;
  for (const Diagnostic& d : diagnostics.all()) found.push_back(d.message);
  EXPECT_THAT(found,
              testing::ElementsAre("there is no domain Player", "there is no domain Score", "there is no graph rules"));
}

TEST(HrgMessages, SeveralMistakesAreReportedTogether) {
  const auto found = messages(
      "domain A = P(X where X in 0..1\n"
      "f : N -> N\n"
      "f(X) = *\n"
      "graph g( { }\n"
      "v : N\n");
  EXPECT_EQ(found.size(), 3U);
  EXPECT_THAT(found, testing::Each(HasSubstr("expected")));
}

TEST(HrgMessages, WarnsAboutWhatIsLegalButSuspicious) {
  EXPECT_THAT(messages("m : N -> N = { I(0) = I(1) }", Severity::warning),
              testing::ElementsAre("1:14 the map literal leaves out 3 of the 4 elements of N"));
  EXPECT_THAT(messages("graph g() { loop { n = I(0) } n = I(1) }", Severity::warning),
              testing::ElementsAre("1:31 this statement is never reached", "1:7 the graph g is never used"));
  EXPECT_THAT(messages("f : N -> N\nf(k) = I(0)\nf(_) = I(1)\nm : N -> N = f", Severity::warning),
              testing::ElementsAre("2:3 no domain has the element k"));
  EXPECT_THAT(messages("f : N -> N\nf(X) = g(X)\ng : N -> N\ng(X) = X", Severity::warning),
              testing::ElementsAre("1:1 the function f is never used"));
}

}  // namespace
}  // namespace rgtrans::hrg
