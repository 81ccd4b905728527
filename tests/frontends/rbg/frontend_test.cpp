// The RBG reader: tokens, macros, boards, rules; the low-level text; messages for mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "frontends/rbg/limits.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/rbg/text/parser.hpp"
#include "frontends/rbg/text/print.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::rbg {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Result {
  std::optional<Description> description;
  std::string messages;
};

Result read(const std::string& text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("t.rbg", text);
  Result result;
  result.description = parse(file, diagnostics);
  std::vector<Diagnostic> errors;
  for (const Diagnostic& item : diagnostics.all()) {
    if (item.severity == Severity::error) errors.push_back(item);
  }
  result.messages = render(errors, *diagnostics.sources());
  EXPECT_EQ(result.description.has_value(), errors.empty());
  return result;
}

std::string with_rules(const std::string& rules, const std::string& macros = "") {
  return "#players = w(100), b(100)\n#pieces = e, p, q\n#variables = v(9), v7(9)\n"
         "#board = rectangle(north, south, west, east, [e,e] [e,e])\n" +
         macros + "\n#rules = ->w " + rules + " ->>\n";
}

// The printed rules between "->w" and "->>".
std::string expansion(const std::string& rules, const std::string& macros = "") {
  const Result result = read(with_rules(rules, macros));
  if (!result.description) return result.messages;
  std::string text = print(*result.description);
  text = text.substr(text.find("->w") + 3);
  text = text.substr(0, text.rfind("->>"));
  while (!text.empty() && text.front() == ' ') text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

TEST(Macros, AreStringsOfTokens) {
  EXPECT_EQ(expansion("go", "#go = north"), "north");
  EXPECT_EQ(expansion("go(north east)", "#go(d) = d {e}"), "north east {e}");
  EXPECT_EQ(expansion("south go()", "#go(d) = d"), "south");
  EXPECT_EQ(expansion("go(north {e})", "#go(d) = (d)*"), "(north {e})*");
  EXPECT_EQ(expansion("(any west)", "#any = north + south"), "(north + south west)");
  EXPECT_EQ(expansion("f({;})", "#f(o;c) = o e c"), "{e}");
  EXPECT_EQ(expansion("h(west) k(west)", "#h(d) = d d\n#k(d) = h(d) d"), "west west west west west");
  EXPECT_EQ(expansion("go(west;east) go(north)", "#go(a;b) = a b\n#go(a) = a a"), "west east north north");
  EXPECT_EQ(expansion("m((north + south) west)", "#m(a) = a a"), "(north + south) west (north + south) west");
}

TEST(Macros, GlueTokens) {
  EXPECT_EQ(expansion("g(no;rth)", "#g(p;q) = p~q"), "north");
  EXPECT_EQ(expansion("g(south no;rth west)", "#g(p;q) = p~q"), "south north west");
  EXPECT_EQ(expansion("g(no;;rth)", "#g(p;q;r) = p~q~r"), "north");
  EXPECT_EQ(expansion("g(no)", "#no = sou\n#g(p) = p~th"), "south");
  EXPECT_EQ(expansion("k(007)", "#k(a) = [$ v~a = 1]"), "[$ v7 = 1]");
  EXPECT_EQ(expansion("k(1;2)", "#k(a;b) = {$ v < a~b}"), "{$ v < 12}");
  EXPECT_EQ(expansion("k({;?)", "#k(a;b) = a~b north}"), "{? north}");
  EXPECT_EQ(expansion("south k(-)", "#k(a) = a~>~> ->w"), "south ->> ->w");
}

TEST(Macros, AreVisibleInLaterDirectivesOnly) {
  EXPECT_THAT(read("#rules = ->w go ->>\n#go = north\n#players = w(1)\n#pieces = e\n#variables =\n"
                   "#board = rectangle(north, south, west, east, [e,e])")
                  .messages,
              HasSubstr("unknown name go"));
  // A name can be a variable before a later macro defines it.
  EXPECT_EQ(expansion("v(north)", "#set = [$ v = 1]\n#v(x) = x set"), "north [$ v = 1]");
}

TEST(Macros, NamesThatAreNotExpandedAreExplained) {
  const std::string start = "#players = w(1)\n#pieces = e\n#variables =\n#board = rectangle(u,d,l,r,[e,e])\n";
  auto messages = [&](const std::string& rest) { return read(start + rest).messages; };
  EXPECT_THAT(messages("#rules = ->w go ->>\n#go = l\n"),
              HasSubstr("macro go is defined further down, at line 6; a macro can be used after its definition only"));
  EXPECT_THAT(messages("#rules = ->w go(l;r) ->>\n#go(a;b) = a b\n"), HasSubstr("macro go is defined further down"));
  EXPECT_THAT(messages("#go = l go\n#rules = ->w go ->>\n"), HasSubstr("macro go cannot use itself"));
  EXPECT_THAT(messages("#go(a) = a go(a)\n#rules = ->w go(l) ->>\n"), HasSubstr("macro go cannot use itself"));
  EXPECT_THAT(messages("#a = l b\n#b = a\n#rules = ->w a ->>\n"), HasSubstr("macro b is defined further down"));
  EXPECT_THAT(messages("#go = l\n#m(x) = x~o\n#rules = ->w m(g) ->>\n"),
              HasSubstr("what ~ has glued is not expanded again"));
}

TEST(Macros, MistakesAreExplained) {
  EXPECT_THAT(expansion("~ north"), HasSubstr("'~'"));
  EXPECT_THAT(expansion("g(1;north)", "#g(p;q) = p~q"), HasSubstr("'1' and 'north' cannot be glued"));
  EXPECT_THAT(expansion("g(north)", "#g(p;q) = p q"), HasSubstr("macro g takes 2 arguments, not 1"));
  EXPECT_THAT(expansion("g(north,south)", "#g(p;q) = p q"), HasSubstr("arguments are separated by ';'"));
  EXPECT_THAT(expansion("g({e,w})", "#g(p;q) = p q"), Not(HasSubstr("separated")));
  EXPECT_THAT(expansion("g north", "#g(p) = p"), HasSubstr("macro g needs its arguments in brackets"));
  EXPECT_THAT(expansion("g(north", "#g(p) = p"), HasSubstr("not closed by ')'"));
  EXPECT_THAT(expansion("north", "#g = west\n#g = east"), HasSubstr("macro g is defined twice"));
  EXPECT_THAT(expansion("north", "#g = west\n#g(a) = east"), HasSubstr("with and without parameters"));
  EXPECT_THAT(expansion("north", "#g(a;a) = a"), HasSubstr("parameter a occurs twice"));
  EXPECT_THAT(expansion("north", "#g(a,b) = a"), HasSubstr("parameters are separated by ';'"));
  EXPECT_THAT(expansion("north", "#g() = a"), HasSubstr("expected a parameter name"));
  EXPECT_THAT(expansion("north", "#rectangle = a"), HasSubstr("reserved"));
}

TEST(Macros, AMistakeInsideIsToldOnce) {
  const std::string messages = read(
                                   "#players = w(1)\n#pieces = e\n#variables =\n"
                                   "#board = rectangle(up, down, left, right, [e,e])\n"
                                   "#step(d) = d {unknown}\n"
                                   "#rules =\n  ->w (step(up) + step(down) + step(left)) ->>\n")
                                   .messages;
  EXPECT_EQ(messages.find("unknown name unknown"), messages.rfind("unknown name unknown"));
  EXPECT_THAT(messages, HasSubstr("unknown name unknown"));
}

TEST(Macros, PlacesLeadThroughExpansions) {
  const std::string messages = read(
                                   "#players = w(1)\n#pieces = e\n#variables =\n"
                                   "#board = rectangle(up, down, left, right, [e,e])\n"
                                   "#step(d) = d {unknown}\n"
                                   "#turn(me) = ->me step(up)\n"
                                   "#rules =\n  turn(w) ->>\n")
                                   .messages;
  EXPECT_THAT(messages, HasSubstr("t.rbg:5:15: error: unknown name unknown; a piece is expected"));
  EXPECT_THAT(messages, HasSubstr("in expansion of step at line 5, from line 6"));
  EXPECT_THAT(messages, HasSubstr("in expansion of turn at line 6, from line 8"));
}

TEST(Macros, BombsAreDefused) {
  const ScaledLimit actions(limits::actions), tokens(limits::tokens), steps(limits::expansion_steps);
  const auto begin = std::chrono::steady_clock::now();
  std::string macros = "#m0 = north\n", empty = "#n0(x) = x\n";
  for (int i = 1; i < 60; ++i) {
    macros += "#m" + std::to_string(i) + " = m" + std::to_string(i - 1) + " m" + std::to_string(i - 1) + "\n";
    empty += "#n" + std::to_string(i) + "(x) = n" + std::to_string(i - 1) + "(x) n" + std::to_string(i - 1) + "(x)\n";
  }
  EXPECT_THAT(expansion("m59", macros), HasSubstr("grows beyond all measure"));
  EXPECT_THAT(expansion("n59()", empty), HasSubstr("grows beyond all measure"));
  EXPECT_THAT(expansion("(((north^9999)^9999)^9999)^9999"), HasSubstr("actions after expansion"));
  std::string chain = "#c0 = north\n";
  for (int i = 1; i < 3000; ++i) chain += "#c" + std::to_string(i) + " = c" + std::to_string(i - 1) + "\n";
  EXPECT_THAT(expansion("c2999", chain), HasSubstr("nested more than"));
  EXPECT_THAT(expansion(std::string(100'000, '(') + "north" + std::string(100'000, ')')),
              HasSubstr("nested more than"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20) * kPatience);
}

TEST(Rules, AbbreviationsAreRemoved) {
  EXPECT_EQ(expansion("north^3"), "north north north");
  EXPECT_EQ(expansion("[e,p]"), "([e] + [p])");
  EXPECT_EQ(expansion("[$ v=1, v7=v+2]"), "[$ v = 1] [$ v7 = v + 2]");
  EXPECT_EQ(expansion("(north + (south + west))"), "(north + south + west)");
  EXPECT_EQ(expansion("(north (south west))"), "north south west");
  EXPECT_EQ(expansion("{e,p,e}"), "{e, p}");
  EXPECT_EQ(expansion("north**"), "(north*)*");
  EXPECT_EQ(expansion("((north))*"), "north*");
  EXPECT_EQ(expansion("(north*)^2"), "north* north*");
}

TEST(Rules, ArithmeticBindsAsUsual) {
  EXPECT_EQ(expansion("{$ v - v7 - 1 < 2 * 3}"), "{$ v - v7 - 1 < 2 * 3}");
  EXPECT_EQ(expansion("{$ v - (v7 - 1) == (v + 1) * 2}"), "{$ v - (v7 - 1) == (v + 1) * 2}");
  EXPECT_EQ(expansion("{$ v * 2 / 3 != v / (2 * 3)}"), "{$ v * 2 / 3 != v / (2 * 3)}");
  EXPECT_EQ(expansion("[$ v = +1]"), "[$ v = 1]");
}

TEST(Rules, MistakesAreExplained) {
  EXPECT_THAT(expansion("{e}*"), HasSubstr("round brackets"));
  EXPECT_THAT(expansion("north^0"), HasSubstr("exponent must be at least 1"));
  EXPECT_THAT(expansion("()"), HasSubstr("expected an action"));
  EXPECT_THAT(expansion("(north + )"), HasSubstr("expected an action, found ')'"));
  EXPECT_THAT(expansion("{? }"), HasSubstr("expected an action"));
  EXPECT_THAT(expansion("[]"), HasSubstr("expected a piece to put"));
  EXPECT_THAT(expansion("{$ v = 1}"), HasSubstr("expected one of == != < <= > >="));
  EXPECT_THAT(expansion("{$ v = 1}"), HasSubstr("== compares, = assigns"));
  EXPECT_THAT(expansion("{ $ v == 1}"), HasSubstr("without a space"));
  EXPECT_THAT(expansion("[$ v = -1]"), HasSubstr("0 - 1"));
  EXPECT_THAT(expansion("[$ e = 1]"), HasSubstr("e is a piece, but a variable or player is expected"));
  EXPECT_THAT(expansion("nort"), HasSubstr("did you mean north?"));
  EXPECT_THAT(expansion("e"), HasSubstr("{e} tests for the piece"));
  EXPECT_THAT(expansion("->x"), HasSubstr("unknown name x; a player is expected"));
  EXPECT_THAT(expansion("{? ->>}"), HasSubstr("a switch cannot stand inside a pattern"));
  EXPECT_THAT(expansion("{? {! up} ->>}"), HasSubstr("the pattern begins here"));
  EXPECT_THAT(expansion("north | south"), HasSubstr("alternatives are written with +"));
  EXPECT_THAT(expansion("north )"), HasSubstr("expected the end of the section"));
  EXPECT_THAT(expansion("[$ v = 99999999999]"), HasSubstr("number too large"));
  EXPECT_THAT(expansion("north /* never closed"), HasSubstr("the comment does not end"));
}

TEST(Rules, SeveralMistakesAreReportedTogether) {
  const std::string messages = expansion("nort sout {x} [y] ->z");
  for (const char* name : {"nort", "sout", "name x", "name y", "name z"}) EXPECT_THAT(messages, HasSubstr(name));
}

std::string board(const std::string& text) {
  const Result result =
      read("#players = w(1)\n#pieces = e, p\n#variables =\n#board = " + text + "\n#rules = ->w ->>\n");
  if (!result.description) return result.messages;
  std::string printed = print(*result.description);
  printed = printed.substr(printed.find('\n') + 1);
  return printed.substr(0, printed.find("#players"));
}

TEST(Boards, Rectangle) {
  EXPECT_EQ(board("rectangle(u,d,l,r,[e,p][e,e])"),
            "  rx0y0[e]{d:rx0y1,r:rx1y0}\n  rx1y0[p]{d:rx1y1,l:rx0y0}\n"
            "  rx0y1[e]{r:rx1y1,u:rx0y0}\n  rx1y1[e]{l:rx0y1,u:rx1y0}\n");
  EXPECT_EQ(board("rectangle(u,d,l,r,[,][e,])"), "  rx0y1[e]{}\n");
  EXPECT_EQ(board("rectangle(u,d,l,r,[e])"), "  rx0y0[e]{}\n");
  EXPECT_THAT(board("rectangle(u,d,l,r,[e,e][e])"), HasSubstr("this row has 1 cells, the first one has 2"));
  EXPECT_THAT(board("rectangle(u,d,l,r,[][])"), HasSubstr("the board has no vertex"));
  EXPECT_THAT(board("rectangle(u,d,l,r,[e p])"), HasSubstr("expected ',' or ']' in the row"));
  EXPECT_THAT(board("rectangle(u,d,l,l,[e])"), HasSubstr("l is declared twice"));
  EXPECT_THAT(board("rectangle(u,d,l,e,[e])"), HasSubstr("e is already a piece"));
  EXPECT_THAT(board("rectangle(u,d,l,[e])"), HasSubstr("expected a name for a direction"));
  EXPECT_THAT(board("rectangle(u,d,l,r,[x])"), HasSubstr("unknown name x; a piece is expected"));
}

TEST(Boards, Hexagon) {
  const std::string text = board("hexagon(nw,ne,e1,se,sw,w1,[e,e][e,e,e][e,e])");
  EXPECT_THAT(text, HasSubstr("hx1y1[e]{e1:hx2y1,ne:hx1y0,nw:hx0y0,se:hx1y2,sw:hx0y2,w1:hx0y1}"));
  EXPECT_THAT(text, HasSubstr("hx0y0[e]{e1:hx1y0,se:hx1y1,sw:hx0y1}"));
  EXPECT_THAT(text, HasSubstr("hx1y2[e]{ne:hx2y1,nw:hx1y1,w1:hx0y2}"));
  EXPECT_THAT(board("hexagon(nw,ne,e1,se,sw,w1,[e,e][e,e])"), HasSubstr("rows of a hexagon"));
  EXPECT_THAT(board("hexagon(nw,ne,e1,se,sw,w1,[e,e][e][e,e])"), HasSubstr("rows of a hexagon"));
}

TEST(Boards, Cuboid) {
  const std::string text = board("cuboid(u,d,l,r,f,b,[[e,e]][[p,]])");
  EXPECT_EQ(text, "  cx0y0z0[e]{f:cx0y0z1,r:cx1y0z0}\n  cx1y0z0[e]{l:cx0y0z0}\n  cx0y0z1[p]{b:cx0y0z0}\n");
  EXPECT_THAT(board("cuboid(u,d,l,r,f,b,[[e][e]][[e]])"), HasSubstr("this layer has 1 rows"));
}

TEST(Boards, Graph) {
  EXPECT_EQ(board("a[e]{x:b,y:a} b[p]{} "), "  a[e]{x:b,y:a}\n  b[p]{}\n");
  EXPECT_THAT(board("a[e]{x:c}"), HasSubstr("unknown vertex c"));
  EXPECT_THAT(board("a[e]{x:a,x:a}"), HasSubstr("vertex a has two edges x"));
  EXPECT_THAT(board("a[e]{} a[e]{}"), HasSubstr("vertex a is defined twice"));
  EXPECT_THAT(board("a{e}"), HasSubstr("expected '[' and the piece of the vertex"));
  EXPECT_THAT(board(""), HasSubstr("expected rectangle, hexagon, cuboid or a vertex"));
}

TEST(Sections, AreAllNeededOnce) {
  const std::string messages = read("#pieces = e\n#pieces = x\n#rules = ->w\n").messages;
  EXPECT_THAT(messages, HasSubstr("section players is missing"));
  EXPECT_THAT(messages, HasSubstr("section variables is missing"));
  EXPECT_THAT(messages, HasSubstr("section board is missing"));
  EXPECT_THAT(messages, HasSubstr("section pieces is given twice"));
  EXPECT_THAT(read("").messages, HasSubstr("section rules is missing"));
  EXPECT_THAT(read("players = w(1)").messages, HasSubstr("expected '#'"));
}

TEST(Sections, NamesAreDeclaredOnce) {
  const std::string text =
      "#players = w(1), w(2)\n#pieces = e, w\n#variables = x(1), x(3), e(1)\n#board = a[e]{}\n#rules = ->w";
  const std::string messages = read(text).messages;
  EXPECT_THAT(messages, HasSubstr("w is declared twice"));
  EXPECT_THAT(messages, HasSubstr("w is already a player"));
  EXPECT_THAT(messages, HasSubstr("x is declared twice"));
  EXPECT_THAT(messages, HasSubstr("e is already a piece"));
}

TEST(LowLevel, DirectionsWithoutEdgesAreImpossibleActions) {
  Diagnostics diagnostics;
  const std::string text =
      "#players = w(1)\n#pieces = e\n#variables =\n#board = rectangle(u,d,l,r,[e,e])\n#rules = ->w (u* l + r)";
  const std::string printed = to_low_level(diagnostics.sources()->add("a", text), diagnostics);
  EXPECT_THAT(printed, HasSubstr("->w (({})* l + r)"));
  EXPECT_EQ(to_low_level(diagnostics.sources()->add("b", printed), diagnostics), printed);
}

TEST(LowLevel, ReadsBackToTheSameText) {
  const std::string text = with_rules("(north* + {? east {e,p}} [$ v=v+1]) ({! [p] north} + .)* {$ v == 2} [e,q]");
  Diagnostics diagnostics;
  const std::string first = to_low_level(diagnostics.sources()->add("a", text), diagnostics);
  const std::string second = to_low_level(diagnostics.sources()->add("b", first), diagnostics);
  EXPECT_EQ(first, second);
  EXPECT_FALSE(first.empty());
}

TEST(Straightness, FollowsTheRecurrences) {
  auto of = [](const std::string& rules) {
    Diagnostics diagnostics;
    const auto result = straightness(diagnostics.sources()->add("a", with_rules(rules)), diagnostics);
    return to_string(result->applicational) + " " + to_string(result->main) + " " + to_string(result->move) + " " +
           to_string(result->semimove);
  };
  EXPECT_EQ(of("north"), "0 0 0 0");
  EXPECT_EQ(of("[e] north [p]"), "2 2 2 2");
  EXPECT_EQ(of("[e] . [p] [q]"), "3 3 3 2");
  EXPECT_EQ(of("[e] {? [p] [q] north}"), "3 1 1 1");
  EXPECT_EQ(of("([e] + [p] [q])"), "2 2 2 2");
  EXPECT_EQ(of("([e] north)*"), "infinite infinite infinite infinite");
  EXPECT_EQ(of("[e] ->> [p] [q] [e]"), "3 3 1 1");
}

TEST(Format, KeepsTokensAndComments) {
  const std::string text =
      "// head\n#players=w(1) ,b(2)\n#pieces = e\n#variables =\n#m( a ;b )= a~b\n"
      "#board = rectangle(u,d,l,r,\n     [e , e]\n     [e , e])\n\n\n"
      "#rules=->w(\nm( u;p )   // why\n+ {$v+1==2}[$ v=1]up *\n)\n/* end */\n";
  Diagnostics diagnostics;
  const std::string once = frontend().format(diagnostics.sources()->add("a", text), diagnostics);
  EXPECT_EQ(once,
            "// head\n#players = w(1), b(2)\n#pieces = e\n#variables =\n#m(a; b) = a~b\n"
            "#board = rectangle(u,d,l,r,\n     [e , e]\n     [e , e])\n\n"
            "#rules = ->w (\n    m(u; p) // why\n    + {$ v + 1 == 2} [$ v = 1] up*\n  )\n/* end */\n");
  EXPECT_EQ(frontend().format(diagnostics.sources()->add("b", once), diagnostics), once);
}

TEST(Format, SeparatesTokensThatWouldBecomeAnother) {
  for (const std::string text : {"#rules = [ $ a\n", "#rules = a / / b\n", "#rules = { ? x\n", "#rules = a - > b\n"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(frontend().format(diagnostics.sources()->add("a", text), diagnostics), text);
  }
}

TEST(Limits, LargeBoardsAndBounds) {
  constexpr int kSize = kSanitized ? 30 : 300;
  std::string row = "[e", rows;
  for (int i = 1; i < kSize; ++i) row += ",e";
  row += "]";
  for (int i = 0; i < kSize; ++i) rows += row;
  Diagnostics diagnostics;
  const std::string text = "#players = w(1)\n#pieces = e, p\n#variables =\n#board = rectangle(u,d,l,r," + rows +
                           ")\n#rules = (->w (u* + d*)(l* + r*) {e} [p] ->>)*\n";
  const ir::Game game = frontend().load(diagnostics.sources()->add("a", text), diagnostics, {});
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_GT(game.graph.edge_count(), 5U);

  Diagnostics other;
  frontend().load(other.sources()->add(
                      "b", with_rules("[$ v=v+1]").replace(with_rules("[$ v=v+1]").find("v(9)"), 4, "v(2000000000)")),
                  other, {});
  EXPECT_THAT(render(other.all(), *other.sources()), HasSubstr("the bound of v is larger than 1000000"));
}

// Runs in a separate process with 2 GiB of memory (a sanitizer would need terabytes). Its exit status is the number of
// errors.
int errors_within_limits(const std::string& text) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{2UL << 30U, 2UL << 30U};
    if (!kSanitized) setrlimit(RLIMIT_AS, &limit);
    Diagnostics diagnostics;
    frontend().load(diagnostics.sources()->add("a", text), diagnostics, {});
    _exit(static_cast<int>(diagnostics.error_count()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  return WEXITSTATUS(status);
}

TEST(Limits, HugeDescriptionsFitIntoTwoGigabytes) {
  const bool full = corpus::full();
  const int size = full ? 1'000 : kSanitized ? 50 : 250;
  std::string row = "[e";
  for (int i = 1; i < size; ++i) row += ",e";
  row += "]\n";
  std::string text = "#players = w(1)\n#pieces = e, p\n#variables =\n#board = rectangle(u,d,l,r,";
  for (int i = 0; i < size; ++i) text += row;
  EXPECT_EQ(errors_within_limits(text + ")\n#rules = (->w (u* + d*)(l* + r*) {e} [p] (u + d) {e} ->>)*\n"), 0);

  // Expansions within the limit, and one beyond it.
  const std::string start = "#players = w(1)\n#pieces = e, p\n#variables =\n#board = rectangle(u,d,l,r,[e,e][e,p])\n";
  auto bomb = [&](const std::string& seed, const std::string& body, int times) {
    std::string bomb = start + "#m0 = " + seed + "\n";
    for (int i = 1; i <= times; ++i) {
      std::string doubled = body;
      const std::string before = "m" + std::to_string(i - 1);
      for (std::size_t at = 0; (at = doubled.find('M', at)) != std::string::npos;) doubled.replace(at, 1, before);
      bomb += "#m" + std::to_string(i) + " = " + doubled + "\n";
    }
    return bomb + "#rules = ->w m" + std::to_string(times) + " [p] ->> {}\n";
  };
  const auto times = [&](int few) { return full ? 17 : kSanitized ? few - 4 : few; };
  EXPECT_EQ(errors_within_limits(bomb("({e} u + {e} d)", "(M M)", times(11))), 0);
  EXPECT_EQ(errors_within_limits(bomb("u", "(M + M [e])*", times(10))), 0);
  EXPECT_EQ(errors_within_limits(bomb("[e]", "(M + M)", times(12))), 0);
  const ScaledLimit tokens(limits::tokens), steps(limits::expansion_steps);
  EXPECT_GT(errors_within_limits(bomb("u", "M M", 100)), 0);
}

TEST(Bounds, AnAssignmentThatNeverFitsIsTold) {
  const auto warnings = [](const std::string& rules) {
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add("t.rbg", with_rules(rules));
    frontend().load(file, diagnostics, {});
    return render(diagnostics.all(), *diagnostics.sources());
  };
  EXPECT_THAT(warnings("{e} [$ v = 10]"), HasSubstr("warning: v cannot be 10: its values are 0 to 9"));
  EXPECT_THAT(warnings("{e} [$ w = v + 101]"), HasSubstr("w cannot be 101: its values are 0 to 100"));
  EXPECT_EQ(warnings("{e} [$ v = v + 1]"), "");
}

}  // namespace
}  // namespace rgtrans::rbg
