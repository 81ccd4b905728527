// Each static rule: a small description that violates it, and the message for the user.
#include "core/ir/verifier.hpp"

#include <gmock/gmock.h>

#include "frontends/rg/rg.hpp"

namespace rgtrans::ir {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::string_view kFrame =
    "type Player = { p };\n"
    "type Score = { 0, 9 };\n"
    "type T = { 1, 2, 3 };\n"
    "type Map = T -> T;\n";

struct Outcome {
  std::vector<std::string> errors;  // "line:column: message (hint)"
  std::vector<std::string> warnings;
};

Outcome check(std::string_view body, VerifyOptions options = {}) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("t.rg", std::string(kFrame) + std::string(body));
  Game game = rg::frontend().load(file, diagnostics, {});
  if (!diagnostics.has_errors()) verify(game, diagnostics, options);
  Outcome outcome;
  for (const Diagnostic& d : diagnostics.all()) {
    const LineColumn p = diagnostics.sources()->position(d.where.begin);
    std::string text = d.where.known() ? std::to_string(p.line) + ":" + std::to_string(p.column) + ": " : "";
    text += d.message;
    if (!d.hint.empty()) text += " (" + d.hint + ")";
    if (d.message == "the type Map is not used") continue;  // the frame causes this warning, not the body
    (d.severity == Severity::error ? outcome.errors : outcome.warnings).push_back(text);
  }
  return outcome;
}

std::vector<std::string> errors(std::string_view body) { return check(body).errors; }
std::vector<std::string> warnings(std::string_view body) { return check(body).warnings; }

TEST(Verifier, AcceptsASoundGameWithoutWarnings) {
  const Outcome outcome = check(
      "var x: T = 1;\n"
      "begin, s: player = p;\n"
      "s, a: x = T(*);\n"
      "a, b: x != 1;\n"
      "b, e: $$ x;\n"
      "e, end: player = keeper;\n");
  EXPECT_THAT(outcome.errors, IsEmpty());
  EXPECT_THAT(outcome.warnings, IsEmpty());
}

TEST(Verifier, DefinitionsAreUnique) {
  EXPECT_THAT(errors("type T = { a };\nbegin, end: player = keeper;\n"),
              ElementsAre(StartsWith("5:6: type T is defined twice")));
  EXPECT_THAT(errors("var x: T = 1;\nvar x: T = 2;\nbegin, end: player = keeper;\n"),
              ElementsAre(StartsWith("6:5: variable x is defined twice")));
  EXPECT_THAT(errors("const c: T = 1;\nconst c: T = 1;\nbegin, end: player = keeper;\n"),
              ElementsAre(StartsWith("6:7: constant c is defined twice")));
}

TEST(Verifier, TypesAreKnownAndFinite) {
  EXPECT_THAT(errors("type Bord = T -> Mapp;\nbegin, end: player = keeper;\n"),
              ElementsAre(AllOf(StartsWith("5:18:"), HasSubstr("Mapp"), HasSubstr("did you mean Map?"))));
  EXPECT_THAT(errors("type A = B;\ntype B = A;\nbegin, end: player = keeper;\n"),
              ElementsAre(AllOf(HasSubstr("is defined by itself"), HasSubstr("types are finite"))));
  EXPECT_THAT(errors("type A = T -> A;\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("type A is defined by itself")));
  EXPECT_THAT(errors("type A = Map -> T;\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("Map cannot be the source of a map")));
}

TEST(Verifier, ValuesFitTheirTypes) {
  EXPECT_THAT(errors("var x: T = 4;\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("variable x: 4 is not a member of { 1, 2, 3 }")));
  EXPECT_THAT(errors("var x: Map = 1;\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("1 is a symbol, but a map")));
  EXPECT_THAT(errors("var x: T = { :1 };\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("a map where a member of")));
  EXPECT_THAT(errors("const c: Map = { 7: 1, :2 };\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("the key 7 is not a member of { 1, 2, 3 }")));
}

TEST(Verifier, ComparisonsAndAssignmentsAreTyped) {
  EXPECT_THAT(errors("var x: T = 1;\nbegin, a: x == keeper;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("x == keeper: T and { keeper } cannot be compared")));
  EXPECT_THAT(errors("var x: T = 1;\nvar other: T = 2;\nbegin, a: x == othr;\na, end: player = keeper;\n"),
              ElementsAre(AllOf(HasSubstr("cannot be compared"), HasSubstr("did you mean other?"))));
  EXPECT_THAT(errors("var m: Map = { :1 };\nbegin, a: m[p] = 1;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("p cannot index m")));
  EXPECT_THAT(errors("var x: T = 1;\nbegin, a: x[1] = 1;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("x is of type T and cannot be indexed")));
  EXPECT_THAT(errors("const c: T = 1;\nbegin, a: c = 2;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("c is a constant and cannot be assigned")));
  EXPECT_THAT(errors("var count: T = 1;\nbegin, a: cuont = 2;\na, end: player = keeper;\n"),
              ElementsAre(AllOf(HasSubstr("cuont is not a variable"), HasSubstr("did you mean count?"))));
  EXPECT_THAT(errors("var x: T = 1;\nbegin, a: T(p) == x;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("cannot be cast")));
  EXPECT_THAT(errors("var m: Map = { :1 };\nvar k: Map = { :1 };\nbegin, a: m[k] = 1;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("k is a map and cannot be an index")));
}

TEST(Verifier, AnyAssignmentsNeedASubsetAndNeverDecideThePlayer) {
  EXPECT_THAT(errors("var x: { 1, 2 } = 1;\nbegin, a: x = T(*);\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("not every member of T")));
  EXPECT_THAT(errors("var x: Map = { :1 };\nbegin, a: x = Map(*);\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("only the members of a set can be enumerated")));
  for (const char* target : {"player", "PlayerOrSystem(player)"}) {
    EXPECT_THAT(errors(std::string("begin, a: ") + target + " = Player(*);\na, end: player = keeper;\n"),
                ElementsAre(HasSubstr("player cannot be assigned with (*)")));
  }
}

TEST(Verifier, TagVariablesAreOfSetTypes) {
  EXPECT_THAT(errors("var m: Map = { :1 };\nbegin, a: $$ m;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("$$ m: only a variable of a set type can be a tag")));
}

TEST(Verifier, EndIsReachable) {
  EXPECT_THAT(errors("begin, a: player = keeper;\nb, end: player = keeper;\n"),
              ElementsAre(HasSubstr("the node end cannot be reached from begin")));
  EXPECT_THAT(errors("a, end: player = keeper;\n"), ElementsAre(HasSubstr("no edge leaves the node begin")));
}

TEST(Verifier, TagsOnSelfLoopsAreErrorsAndOnLongerCyclesWarnings) {
  EXPECT_THAT(errors("begin, a: ;\na, a: $ t;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("a tag on an edge from a to itself")));
  EXPECT_THAT(warnings("begin, a: ;\na, b: $ t;\nb, a: ;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("a cycle with a tag and without an assignment")));
}

TEST(Verifier, CertainRecursionIsAnErrorPossibleRecursionAWarning) {
  EXPECT_THAT(errors("begin, a: ? s -> t;\ns, u: ? a -> a;\nu, t: ? s -> t;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("is met again while it evaluates")));
  EXPECT_THAT(errors("begin, a: ? s -> t;\ns, t: ? s -> t;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("is met again while it evaluates")));
  // One of two checks that evaluate each other needs itself in every state.
  EXPECT_THAT(errors("var x: T = 1;\nbegin, a: ? s -> t;\ns, u: x = 2;\nu, t: ? v -> w;\nv, w: ? v -> w;\n"
                     "v, y: ? s -> t;\ny, w: ;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("the check v -> w is met again while it evaluates")));
  // A check behind a condition may never be evaluated.
  const Outcome behind = check(
      "var x: T = 1;\nbegin, b: x == 2;\nb, a: ? s -> t;\ns, t: ? s -> t;\nbegin, a: ;\n"
      "a, end: player = keeper;\n");
  EXPECT_THAT(behind.errors, IsEmpty());
  EXPECT_THAT(behind.warnings, ElementsAre(HasSubstr("is met again while it evaluates")));
  const Outcome maybe = check(
      "var x: T = 1;\nbegin, a: ? s -> t;\ns, u: x == 2;\nu, t: ? s -> t;\ns, t: x == 1;\na, end: player = keeper;\n");
  EXPECT_THAT(maybe.errors, IsEmpty());
  EXPECT_THAT(maybe.warnings, ElementsAre(HasSubstr("is met again while it evaluates")));
  EXPECT_THAT(warnings("var x: T = 1;\nbegin, a: ? s -> t;\ns, t: ? u -> v;\nu, w: x == 1;\nw, v: ? s -> t;\n"
                       "a, end: player = keeper;\n"),
              ElementsAre(HasSubstr("leads back to itself")));
}

TEST(Verifier, WarnsOfWhatIsSuspicious) {
  EXPECT_THAT(warnings("begin, a: ? s -> q;\ns, sq: ;\na, end: player = keeper;\n"),
              AllOf(Contains(HasSubstr("the node q occurs on no edge (did you mean sq?)")),
                    Contains(HasSubstr("q cannot be reached from s: the check never holds"))));
  EXPECT_THAT(warnings("var x: T = 1;\nconst c: Map = { :3 };\ntype U = { u };\nbegin, end: player = keeper;\n"),
              ElementsAre(HasSubstr("the constant c is not used"), HasSubstr("the variable x is never read"),
                          HasSubstr("the type U is not used")));
  EXPECT_THAT(warnings("var m: Map = { :1 };\nbegin, a: 1 == 2;\nbegin, a: m[1] != m[1];\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("the comparison never"), HasSubstr("the comparison never")));
  EXPECT_THAT(warnings("var m: Map = { :1 };\nbegin, a: m[1] == 2;\nbegin, a: m[1] == 2;\na, end: player = keeper;\n"),
              ElementsAre(HasSubstr("this edge is written twice")));
  EXPECT_THAT(warnings("var m: Map = { :1 };\nbegin, a: m[1] == 2;\na, d: ;\nz, a: ;\na, end: player = p;\n"),
              ElementsAre(HasSubstr("end is entered by something else"), HasSubstr("no edge leaves the node d"),
                          HasSubstr("the node z cannot be reached")));
}

TEST(Verifier, AMisspeltNodeIsToldOnceWithTheNodeThatWasMeant) {
  EXPECT_THAT(warnings("var x: T = 1;\nbegin, moove: player = p;\nmove, a: x = T(*);\na, b: $$ x;\n"
                       "b, c: player = keeper;\nbegin, c: x == 2;\nc, end: player = keeper;\n"),
              ElementsAre(AllOf(HasSubstr("no edge leaves the node moove"), HasSubstr("did you mean move?")),
                          HasSubstr("the node move cannot be reached")));
  EXPECT_THAT(warnings("begin, end: player = keeper;\nr, s: ;\ns, r: ;\ns, t: ;\nt, end: ;\n"),
              ElementsAre(HasSubstr("end is entered by something else"), HasSubstr("the node r cannot be reached")));
}

TEST(Verifier, ScoresThatAreNoNumbersAreTold) {
  const auto told = [](const std::string& scores) {
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add(
        "t.rg", "type Player = { p };\ntype Score = { " + scores + " };\nbegin, end: player = keeper;\n");
    rg::frontend().load(file, diagnostics, {});
    std::vector<std::string> out;
    for (const Diagnostic& d : diagnostics.all()) out.push_back(d.message);
    return out;
  };
  EXPECT_THAT(told("0, won"), ElementsAre(HasSubstr("the score won is no number")));
  EXPECT_THAT(told("0, S__3"), IsEmpty());
  EXPECT_THAT(told("nothing"), IsEmpty()) << "nobody compares it";
}

TEST(Verifier, CanRejectSecondEdgesBetweenTwoNodes) {
  const std::string text =
      "var m: Map = { :1 };\nbegin, a: m[1] == 2;\nbegin, a: m[1] == 1;\na, end: player = keeper;\n";
  EXPECT_THAT(check(text).errors, IsEmpty());
  EXPECT_THAT(check(text, {.warnings = true, .single_edges = true}).errors,
              ElementsAre(HasSubstr("a second edge from begin to a")));
}

TEST(Verifier, ReportsSeveralMistakesAtOnce) {
  EXPECT_THAT(
      errors("var x: T = 1;\nbegin, a: x == p;\nbegin, b: y = 1;\nb, a: x[1] == 1;\na, end: player = keeper;\n"),
      ElementsAre(StartsWith("6:"), StartsWith("7:"), StartsWith("8:")));
}

}  // namespace
}  // namespace rgtrans::ir
