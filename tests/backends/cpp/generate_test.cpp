// The generator on small games: names stay inside strings and comments, the files are complete.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "backends/cpp/cpp.hpp"
#include "backends/cpp/interface.h"
#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/lock_step.hpp"
#include "tests/support/quick_reasoner.hpp"
#include "tests/support/same_playouts.hpp"

namespace rgtrans::cpp {
namespace {

ir::Game parse(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("test.rg", text, *find_frontend("rg"), diagnostics);
}

std::string file(const std::vector<GeneratedFile>& files, std::string_view name) {
  for (const GeneratedFile& f : files) {
    if (f.name == name) return f.text;
  }
  return {};
}

std::string without_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string code;
  for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find("//")) + "\n";
  return code;
}

void expect_counts_of_interpreter(const ir::Game& game) {
  const auto reasoner = test::quick_reasoner(game);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 3; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
}

TEST(GenerateCpp, WritesASelfContainedProject) {
  const auto files = generate(parse("type Player = {p}; type Score = {0};\nbegin, end: player = keeper;"));
  for (const char* name :
       {"reasoner.hpp", "reasoner.cpp", "support.hpp", "driver.cpp", "library.cpp", "CMakeLists.txt"}) {
    EXPECT_FALSE(file(files, name).empty()) << name;
  }
}

// The threshold is a matter of the code that there would be, or must be.
TEST(GenerateCpp, LargeAutomataBecomeTables) {
  std::string text = "type Player = {p}; type Score = {0};\ntype X = {a, b}; var x: X = a;\nbegin, n0: player = p;\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("n{}, n{}: x = X(*);\n", i, i + 1);
  const ir::Game game = parse(text + "n50, end: player = keeper;");
  for (const std::uint64_t limit : {100, 2500, 1'000'000}) {
    limits::cpp_code.set(limit);
    const auto files = generate(game);
    EXPECT_EQ(file(files, "reasoner_tables.cpp").empty(), limit == 1'000'000);
    EXPECT_EQ(file(files, "machine.hpp").empty(), limit == 1'000'000);
    for (const GeneratedFile& f : files) {
      EXPECT_THAT(f.text, testing::Not(testing::HasSubstr("rgtrans::"))) << f.name;
      EXPECT_THAT(f.text, testing::Not(testing::HasSubstr("backends/"))) << f.name;
    }
  }
  limits::cpp_code.set(limits::cpp_code.standard());
}

// Plays that are over where they begin.
TEST(GenerateCpp, PlaysWithoutAMoveAreCounted) {
  const ir::Game game =
      parse("type Player = {p}; type Score = {0, 7};\nbegin, n: goals[p] = 7;\nn, end: player = keeper;");
  for (const bool compiled : {false, true}) {
    const auto reasoner = compiled ? test::quick_reasoner(game) : make_interpreter(game);
    const PlayoutStats stats = reasoner->playouts({.count = 1'000'001});
    EXPECT_EQ(stats.playouts, 1'000'001U);
    EXPECT_EQ(stats.moves, 0U);
    EXPECT_EQ(stats.min_length, 0U);
    EXPECT_EQ(stats.max_length, 0U);
    EXPECT_EQ(stats.goal_sum[0], 7'000'007);
  }
}

// A turn puts one piece, or takes away any number: most moves are short, and are sets although no number has room for
// all.
TEST(GenerateCpp, ShortMovesAreSetsWhereOthersAreLong) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type Piece = {none, here, gone};\n"
      "type Pos = {c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11};\n"
      "var board: Pos -> Piece = {:none}; var pos: Pos = c0;\n"
      "begin, turn: player = p;\nturn, put: pos = Pos(*);\nput, put1: board[pos] == none;\nput1, put2: $$ pos;\n"
      "put2, put3: $ put;\nput3, put4: board[pos] = here;\nput4, next: player = keeper;\n"
      "turn, take: $ take;\ntake, take1: pos = Pos(*);\ntake1, take2: board[pos] == here;\ntake2, take3: $$ pos;\n"
      "take3, take4: board[pos] = gone;\ntake4, take: ;\ntake4, taken: ;\ntaken, next: player = keeper;\n"
      "next, begin: board[c11] == none;\nnext, end: board[c11] != none;");
  const auto files = generate(game);
  EXPECT_THAT(file(files, "state.hpp"), testing::HasSubstr("#define REASONER_PACKED_MOVES 0"));
  EXPECT_THAT(file(files, "state.hpp"), testing::HasSubstr("#define REASONER_DRAWS 1"));
  EXPECT_THAT(file(files, "reasoner.cpp"), testing::HasSubstr("out = add_set<"));
  expect_counts_of_interpreter(game);
  // A reasoner that lists moves part by part has none.
  EXPECT_THAT(file(generate(game, {.env = true}), "reasoner.cpp"), testing::Not(testing::HasSubstr("out = add_set<")));
}

// All numbers of a game are one universe, by which maps of few of them are indexed, too.
TEST(GenerateCpp, MapsOfFewSymbolsAreSmallWhereThereAreManyOthers) {
  std::string many = "0";
  for (int i = 1; i < 2500; ++i) many += fmt::format(", {}", i);
  const auto files =
      generate(parse("type Player = {p}; type Score = {0}; type Many = {" + many +
                     "}; type Few = {0, 1, 2};\n"
                     "const sum: Few -> Few -> Few = { 0: { 1: 1, 2: 2, :0 }, 1: { 0: 1, :2 }, :{ :2 } };\n"
                     "var x: Few = 0; var y: Few = 0; var z: Many = 7;\n"
                     "begin, s: player = p; s, t: x = Few(*); t, u: $$ x; u, v: y = Few(*); v, w: $$ y;\n"
                     "w, k: player = keeper; k, l: z = sum[x][y]; l, m: z != 0; m, end: player = keeper;\n"
                     "l, n: z == 0; n, s: player = p;"),
               {});
  EXPECT_TRUE(file(files, "reasoner_tables.cpp").empty());
  EXPECT_LT(file(files, "reasoner.cpp").size(), 100'000U);
}

TEST(GenerateCpp, KeywordsAndDigitsAreNoIdentifiers) {
  const auto files =
      generate(parse("type Player = {int, new}; type Score = {0, 1}; var while: Score = 0;\n"
                     "begin, a: player = int; a, b: while = Score(*); b, c: $$ while;\n"
                     "c, d: goals[new] = while; d, end: player = keeper;"));
  EXPECT_THAT(file(files, "state.hpp"), testing::HasSubstr("int_"));
  EXPECT_THAT(file(files, "state.hpp"), testing::HasSubstr("new_"));
  EXPECT_THAT(without_comments(file(files, "reasoner.cpp")), testing::Not(testing::HasSubstr(" while =")));
}

TEST(GenerateCpp, CommentsNameTheEdgeAndTheLine) {
  const auto files =
      generate(parse("type Player = {p}; type Score = {0};\ntype X = {a, b}; var x: X = a;\n"
                     "begin, c: player = p;\nc, d: x = X(*);\nd, f: $$ x;\nf, end: player = keeper;"));
  EXPECT_THAT(file(files, "reasoner.cpp"), testing::HasSubstr("// d, f: $$ x; - test.rg:5"));
}

// A ray is one loop, and a function of one variable is a table, so no visits are recorded.
TEST(GenerateCpp, CyclesThatEndNeedNoVisits) {
  const std::string head =
      "type Player = {p}; type Score = {0}; type X = {a, b, c, n}; type C = {e, w};\n"
      "const up: X -> X = {a: b, b: c, :n}; const turn: X -> X = {a: b, b: c, :a};\n"
      "var x: X = a; var board: X -> C = {n: w, :e};\nbegin, l: player = p;\n";
  const std::string tail =
      "l, t: ; t, u: $$ x; u, v: board[x] = w; v, begin: player = keeper; l, q: board[x] == w; "
      "q, end: player = keeper;";
  const auto ray = generate(parse(head + "l, m: board[up[x]] == e; m, l: x = up[x];\n" + tail));
  EXPECT_THAT(file(ray, "state.hpp"), testing::Not(testing::HasSubstr(" seen[")));
  EXPECT_THAT(file(ray, "reasoner.cpp"), testing::HasSubstr("for (;;) {"));
  const auto around = generate(parse(head + "l, l: x = turn[x];\n" + tail));
  EXPECT_THAT(file(around, "state.hpp"), testing::Not(testing::HasSubstr(" seen[")));
  EXPECT_THAT(file(around, "reasoner.cpp"), testing::HasSubstr("kWhere"));
  // Going around as long as cells are empty has no such end.
  const auto neither = generate(parse(head + "l, m: board[turn[x]] == e; m, l: x = turn[x];\n" + tail));
  EXPECT_THAT(file(neither, "state.hpp"), testing::HasSubstr(" seen["));
}

// If a variable counts down in a loop with tags, it bounds the number of tags of a move. A loop that it does not end,
// or that sets it back, gives moves of any length.
TEST(GenerateCpp, RoundCountersBoundTheTagsOfAMove) {
  const auto header = [](const std::string& loop) {
    return std::string(
        file(generate(parse("type Player = {p}; type Score = {0}; type N = {0, 1, 2, 3};\n"
                            "const less: N -> N = {3: 2, 2: 1, :0}; var n: N = 0; var m: N = 0;\n"
                            "begin, s: player = p; s, t: n = 3; t, v: $ stop; v, end: player = keeper;\n" +
                            loop)),
             "state.hpp"));
  };
  const auto tags = [&](const std::string& loop) {
    const std::string text = header(loop), name = "kMostTags = ";
    return std::stoi(text.substr(text.find(name) + name.size()));
  };
  EXPECT_EQ(tags("t, a: n != 0; a, b: n = less[n]; b, c: $ x; c, t: $$ n;"), 3 * 2 + 1);
  EXPECT_EQ(tags("t, a: n == 3; a, b: n = less[n]; b, c: $ x; c, t: $$ n;"), 2 + 1);
  EXPECT_GT(tags("t, a: n = less[n]; a, t: $ x;"), 100);
  EXPECT_GT(tags("t, a: n != 0; a, b: n = less[n]; b, t: $ x; b, d: $ y; d, t: n = 3;"), 100);
  EXPECT_GT(tags("t, a: m != 3; a, b: n = less[n]; b, t: $ x;"), 100);
}

// Values of variables distinguish two walks from one walk found twice: no set of known moves is needed.
TEST(GenerateCpp, BranchesOnValuesAreNoDuplicates) {
  const std::string head =
      "type Player = {p}; type Score = {0}; type N = {0, 1, 2, 3}; var n: N = 0; var m: N = 0;\n"
      "begin, r: n = N(*); r, s: player = p; d, v: $ x; v, end: player = keeper;\n";
  const std::string twice = "= add_once(c, ";
  const auto code = [&](const std::string& moves) {
    return std::string(file(generate(parse(head + moves)), "reasoner.cpp"));
  };
  EXPECT_THAT(code("s, d: n == 1; s, c: m == 0; c, d: n == 0; c, d: n == 2;"), testing::Not(testing::HasSubstr(twice)));
  EXPECT_THAT(code("s, d: n == 1; s, c: m == 0; c, d: n == 0; c, d: n == 1;"), testing::HasSubstr(twice));
}

// Two dice, played in either order, make two moves where they differ.
TEST(GenerateCpp, OrdersOfDifferentValuesAreNoDuplicates) {
  const auto code = [&](const std::string& comparison) {
    return std::string(
        file(generate(parse("type Player = {p}; type Score = {0}; type N = {0, 1, 2, 3};\n"
                            "var n: N = 0; var m: N = 0; var x: N = 0;\n"
                            "begin, o: n = N(*); o, r: m = N(*); r, s: player = p; s, t: " +
                            comparison +
                            "; t, a: x = n; a, b: $$ x; b, d: x = m; t, e: x = m; e, f: $$ x; f, d: x = n;\n"
                            "d, v: $$ x; v, end: player = keeper;")),
             "reasoner.cpp"));
  };
  const std::string twice = "= add_once(c, ";
  EXPECT_THAT(code("n != m"), testing::Not(testing::HasSubstr(twice)));
  EXPECT_THAT(code(""), testing::HasSubstr(twice));
  EXPECT_THAT(code("n != m; t, u: ; u, t: m = N(*)"), testing::HasSubstr(twice));
}

// Whether three cells in a row hold what one of them holds is a question about sets of cells, whatever the way asks.
TEST(GenerateCpp, ChecksOfCellsBecomeSets) {
  const std::string code = file(
      generate(parse("type Player = {p, q}; type Score = {0}; type C = {e, p, q};\n"
                     "type X = {a, b, c, d, f, g, h, i, j, k, l, n};\n"
                     "const right: X -> X = {a: b, b: c, c: d, d: f, f: g, g: h, h: i, i: j, j: k, k: l, :n};\n"
                     "const left: X -> X = {b: a, c: b, d: c, f: d, g: f, h: g, i: h, j: i, k: j, l: k, :n};\n"
                     "var x: X = a; var me: Player = p; var board: X -> C = {:e};\n"
                     "begin, s: player = me; s, t: x = X(*); t, u: x != n; u, v: board[x] == e; v, y: $$ x;\n"
                     "y, z: player = keeper; z, o: board[x] = C(me); o, r: ? w -> won; o, q: ! w -> won;\n"
                     "r, end: player = keeper; q, m: me == p; q, o1: me == q; m, begin: me = q; o1, begin: me = p;\n"
                     "w, w1: board[right[x]] == C(me); w1, won: board[right[right[x]]] == C(me);\n"
                     "w, w2: board[left[x]] == C(me); w2, won: board[left[left[x]]] == C(me);\n"
                     "w1, won: board[left[x]] == C(me);\n")),
      "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr("contained(kSets[x], "));
  EXPECT_THAT(code, testing::Not(testing::HasSubstr("board[right")));
}

// The start of a walk and the tag that it shows determine which way it took.
TEST(GenerateCpp, WaysThatTagsTellApartForEachValueAreLookedUp) {
  const std::string head =
      "type Player = {p}; type Score = {0}; type X = {a, b, c, d};\n"
      "const f: X -> X = {a: b, b: c, c: d, :a}; const g: X -> X = {a: c, b: d, c: a, :b};\n"
      "const h: X -> X = {a: d, b: a, c: b, :c}; const k: X -> X = {a: d, b: a, :b}; var x: X = a; var m: X -> X = "
      "{:a};\n"
      "begin, s: player = p; s, t: m[a] = b; s, u: m[b] = c; s, v: m[c] = d; t, w: x = f[x]; u, w: x = g[x];\n"
      "w, y: $$ x; y, q: player = keeper; q, begin: m[a] == m[b]; q, end: player = keeper; v, w: x = ";
  const std::string lookup = "switch (kWays[s.x][tag_at(rest, 0)]) {";
  EXPECT_THAT(file(generate(parse(head + "h[x];")), "reasoner.cpp"), testing::HasSubstr(lookup));
  EXPECT_THAT(file(generate(parse(head + "k[x];")), "reasoner.cpp"), testing::Not(testing::HasSubstr(lookup)));
}

// Where all ways show the same variable next and nothing else of them matters, none is looked for.
TEST(GenerateCpp, WaysThatLeadToOneTagAreNotGone) {
  const auto code = [&](const std::string& second, const std::string& asked) {
    return std::string(
        file(generate(parse("type Player = {p}; type Score = {0, 1}; type X = {a, b, c, d};\n"
                            "const f: X -> X = {a: b, b: c, c: d, :a}; const g: X -> X = {a: c, b: d, c: a, :b};\n"
                            "var x: X = b; var y: X = a;\n"
                            "begin, s: player = p; s, t: x != d; t, w: x = f[x]; s, u: y = x; u, w: " +
                            second + "; w, z: $$ x; z, q: player = keeper; q, r: " + asked +
                            " != a; r, m: goals[p] = 1; q, m: " + asked + " == a; m, end: player = keeper;")),
             "reasoner.cpp"));
  };
  const std::string told = "the tag tells";
  EXPECT_TRUE(code("x = g[x]", "x").find(told) != std::string::npos);
  EXPECT_TRUE(code("x = g[x]", "y").find(told) == std::string::npos) << "y is asked later";
  EXPECT_TRUE(code("$ b", "x").find(told) == std::string::npos) << "another tag may be next";
}

// A leap is chosen, and the move shows where it starts and ends.
TEST(GenerateCpp, TagsInARowTellWhichWayWasGone) {
  const auto code = [&](const std::string& shown, const std::string& asked) {
    return std::string(
        file(generate(parse("type Player = {p}; type Score = {0, 1}; type X = {a, b, c, d}; type W = {e, f};\n"
                            "const leap: W -> X -> X = {e: {a: b, b: c, c: d, :a}, :{a: c, b: d, c: a, :b}};\n"
                            "var x: X = b; var y: X = a; var w: W = e;\n"
                            "begin, s: player = p; s, t: x = X(*); t, u: w = W(*); u, v: y = leap[w][x];\n"
                            "v, v2: y != a;\n" +
                            shown + "z, q: player = keeper; q, r: " + asked + " != " + (asked == "w" ? "e" : "a") +
                            "; r, m: goals[p] = 1; q, m: " + asked + " == " + (asked == "w" ? "e" : "a") +
                            "; m, end: player = keeper;")),
             "reasoner.cpp"));
  };
  const std::string told = "the tags tell";
  const std::string both = "v2, v3: $$ x; v3, z: $$ y; ";
  EXPECT_TRUE(code(both, "y").find(told) != std::string::npos);
  EXPECT_TRUE(code(both, "w").find(told) == std::string::npos) << "no tag shows w, which is read later";
  EXPECT_TRUE(code("v2, v3: $$ x; v3, v4: y = leap[w][y]; v4, z: $$ x; ", "y").find(told) == std::string::npos)
      << "y changes behind the tag that shows it";
  EXPECT_TRUE(code("v2, v3: $$ y; v3, v4: y = leap[w][y]; v4, z: $$ y; ", "y").find(told) != std::string::npos)
      << "the last tag shows the last value";
}

TEST(GenerateCpp, ACheckThatDependsOnItselfIsAnError) {
  EXPECT_THROW(
      generate(parse("type Player = {p}; type Score = {0};\nbegin, a: ? begin -> a; a, end: player = keeper;")), Error);
}

// The code of the start was once written into itself for ever.
TEST(GenerateCpp, AMoveMayStartOnACycleThroughTags) {
  const auto files = generate(
      parse("type Player = {p}; type Score = {0}; type X = {a, b}; var x: X = a;\n"
            "begin, s: player = p; s, t: $$ x; t, s: x = X(*); t, e: x == a; t, e: x = b; e, end: player = keeper;"));
  EXPECT_FALSE(file(files, "reasoner.cpp").empty());
}

// Copies of constants were once folded into wrong vectors by the compiler: many equal cells, then only first symbols.
TEST(CompiledCpp, LargeMapsStartAsTheyAreWritten) {
  std::string cells, first;
  for (int i = 0; i < 145; ++i) {
    const std::string name = fmt::format("c{}", i);
    cells += (i == 0 ? "" : ", ") + name;
    if (i < 24) first += name + ": b, ";
  }
  const auto reasoner = test::quick_reasoner(
      parse("type Player = {p}; type Score = {0}; type Cell = {" + cells + "}; type Piece = {e, b};\n" +
            "var board: Cell -> Piece = {" + first + ":e}; var at: Cell = c0;\n" +
            "begin, a: player = p; a, c: at = Cell(*); c, d: board[at] == b; d, f: $$ at; f, g: player = keeper;\n" +
            "g, h: board[at] = e; h, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 24U);
}

// Of a map with many cells equal parts are stored once.
TEST(CompiledCpp, PartsOfLargeMapsAreStoredOnce) {
  std::string places;
  for (int i = 0; i < 60; ++i) places += fmt::format("{}p{}", i == 0 ? "" : ", ", i);
  const ir::Game game = parse(
      "type Player = {one}; type Score = {0};\n"
      "type P = {" +
      places +
      "};\n"
      "const third: P -> P -> P -> P = {p1: {p2: {p3: p4, p4: p1, :p0}, p9: {p3: p7, :p0}, :{:p0}}, "
      "p4: {:{p5: p59, :p2}}, :{:{:p0}}};\n"
      "var a: P = p1; var b: P = p2; var c: P = p3; var d: P = p0;\n"
      "begin, choose: player = one;\n"
      "choose, ask: a = P(*);\nask, show: d = third[a][b][c];\nshow, told: d != p0;\n"
      "told, done: $$ a;\ndone, more: $$ d;\nmore, next: b = c;\nnext, choose_again: c = d;\n"
      "choose_again, choose: player = one;\nask, end: player = keeper;\n");
  const std::string text = file(generate(game), "reasoner.cpp");
  EXPECT_NE(text.find("[kBlock_of_third["), std::string::npos);
  EXPECT_LT(text.size(), 100'000U);
  expect_counts_of_interpreter(game);
}

// Ways behind a choice that part by conditions are loops of their own, but a check is not decided for many values.
TEST(CompiledCpp, AChoiceMayBeFollowedByChecksAndComparisons) {
  const auto reasoner = test::quick_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a; var y: X = b;\n"
            "begin, s: player = p; s, t: x = X(*); t, u: ? v -> w; t, u: x == a; t, k: x == c; v, w: x == y;\n"
            "u, e: $$ x; k, l: $ k; l, e: $$ x; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 3U);
}

// As the interpreter does: a play that cannot go on is a mistake of the game, not one that takes long.
TEST(CompiledCpp, PlayoutsTellOfAPlayThatIsStuck) {
  const auto reasoner = test::quick_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {a, b}; var x: X = a;\n"
            "begin, s: player = p; s, t: x = X(*); t, u: $$ x; u, v: player = keeper; v, w: player = p;\n"
            "w, y: x == a; y, end: player = keeper;"));
  EXPECT_THROW((void)reasoner->playouts({.count = 100}), Error);
  EXPECT_THROW((void)reasoner->playouts({.seconds = 0.05}), Error);
}

// The random numbers of compiled playouts.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(mixed(seed + kStep)) {}
  std::size_t below(std::size_t n) {
    state_ += kStep;
    __extension__ typedef unsigned __int128 Product;
    const Product product = static_cast<Product>(state_) * (state_ ^ 0xe7037ed1a0b428dbU);
    const std::uint64_t halves = static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
    return ((halves >> 32U) * n) >> 32U;
  }

 private:
  static constexpr std::uint64_t kStep = 0xa0761d6478bd642fU;
  static std::uint64_t mixed(std::uint64_t x) {
    for (int i = 0; i < 2; ++i) x = (x ^ x >> 32U) * 0xd6e8feb86659fd93U;
    return x ^ x >> 32U;
  }
  std::uint64_t state_;
};

// Playouts as move after move makes them.
PlayoutStats played(Reasoner& reasoner, std::uint64_t plays, std::uint64_t seed, std::uint64_t most_moves) {
  const std::size_t players = reasoner.info().players.size();
  PlayoutStats stats;
  stats.goal_sum.assign(players, 0);
  stats.goal_squares.assign(players, 0);
  stats.wins.assign(players, 0);
  for (Numbers numbers(seed); stats.playouts < plays; ++stats.playouts) {
    reasoner.reset();
    const std::uint64_t moves_before = stats.moves;
    for (std::uint64_t made = 0;;) {
      while (!reasoner.terminal() && reasoner.mover() == reasoner.info().keeper()) reasoner.apply(0);
      if (reasoner.terminal() || made == most_moves) break;
      ++made;
      const std::size_t moves = reasoner.move_count();
      if (reasoner.mover() < players) {
        ++stats.moves;
        stats.branching_sum += moves;
        stats.branching_max = std::max<std::uint64_t>(stats.branching_max, moves);
      }
      reasoner.apply(numbers.below(moves));
    }
    const std::uint64_t length = stats.moves - moves_before;
    stats.max_length = std::max(stats.max_length, length);
    stats.min_length = std::min(stats.min_length, length);
    stats.length_squares += static_cast<double>(length * length);
    stats.stopped += reasoner.terminal() ? 0 : 1;
    std::vector<double> goals;
    for (std::size_t p = 0; reasoner.terminal() && p < players; ++p) goals.push_back(std::stod(reasoner.goal(p)));
    for (std::size_t p = 0; p < goals.size(); ++p) {
      stats.goal_sum[p] += goals[p];
      stats.goal_squares[p] += goals[p] * goals[p];
      const bool best = std::ranges::max(goals) == goals[p] && std::ranges::count(goals, goals[p]) == 1;
      stats.wins[p] += best && (players > 1 || goals[p] > 0) ? 1 : 0;
    }
  }
  return stats;
}

// Two players walk to and fro at random's command: a few states, which recur. Only the keeper's last result is cached.
// One of the variants has more states than the cache has places.
std::string to_and_fro(std::size_t places) {
  std::string type = "type At = {", next, back;
  for (std::size_t i = 0; i < places; ++i) {
    type += fmt::format("{}{}", i > 0 ? ", " : "", i);
    next += fmt::format("{}: {}, ", i, std::min(i + 1, places - 1));
    back += fmt::format("{}: {}, ", i, i > 0 ? i - 1 : 0);
  }
  return type + "};\n" +
         fmt::format(
             "type Player = {{p, q}}; type Score = {{0, 50, 100}}; type Way = {{to, fro, stay}};\n"
             "const next: At -> At = {{ {}:0 }}; const back: At -> At = {{ {}:0 }};\n"
             "const other: Player -> Player = {{ p: q, :p }};\n"
             "var at: Player -> At = {{ :0 }}; var said: Way = stay; var me: Player = p; var luck: Way = to;\n",
             next, back) +
         "begin, r: player = random; r, r1: luck = Way(*); r1, r2: $$ luck; r2, turn: player = PlayerOrSystem(me);\n"
         "turn, s: said = Way(*); s, s1: said != luck; s1, s2: $$ said; s2, k: player = keeper;\n"
         "k, to: said == to; k, fro: said == fro; k, done: said == stay;\n"
         "to, done: at[me] = next[at[me]]; fro, done: at[me] = back[at[me]];\n" +
         fmt::format("done, won: at[me] == {0}; done, on: at[me] != {0};\n", places - 1) +
         "on, begin: me = other[me]; won, score: goals[me] = 100; score, end: player = keeper;";
}

TEST(CompiledCpp, PlayoutsThatRememberStatesAreThoseThatMakeEachMove) {
  for (const std::size_t places : {3U, 60U}) {
    const auto reasoner = test::quick_reasoner(parse(to_and_fro(places)));
    constexpr std::uint64_t kMost = 60;
    const PlayoutStats stats = reasoner->playouts({.count = 4000, .seed = 9, .max_moves = kMost});
    const PlayoutStats wanted = played(*reasoner, 4000, 9, kMost);
    test::expect_same(stats, wanted);
    EXPECT_EQ(stats.stopped == stats.playouts, places == 60) << stats.stopped;
  }
}

// Moves of many tags are no number.
TEST(CompiledCpp, PlayoutsRememberMovesOfAnyLength) {
  std::string text =
      "type Player = {p}; type Score = {0, 10}; type Way = {a, b}; var way: Way = a;\nbegin, n0: player = p;\n";
  for (int i = 0; i < 150; ++i) text += fmt::format("n{}, n{}: $ t{};\n", i, i + 1, i);
  const auto reasoner = test::quick_reasoner(
      parse(text +
            "n150, w: way = Way(*); w, x: $$ way; x, k: player = keeper; k, l: way == a; l, end: player = keeper;\n"
            "k, m: way == b; m, o: goals[p] = 10; o, end: player = keeper;"));
  const PlayoutStats stats = reasoner->playouts({.count = 2000, .seed = 4});
  const PlayoutStats wanted = played(*reasoner, 2000, 4, 10);
  test::expect_same(stats, wanted);
}

// A variable that only a later choice of the mover reads is part of the state.
TEST(CompiledCpp, WhoMovesNextIsPartOfTheState) {
  const auto reasoner =
      test::quick_reasoner(parse("type Player = {p, q}; type Score = {0}; var next: Player = p;\n"
                                 "begin, s: player = p; s, t: next = Player(*); t, u: $$ next; u, v: player = p;\n"
                                 "v, w: $ wait; w, x: player = next; x, y: $ done; y, end: player = keeper;"));
  reasoner->apply(0);
  ASSERT_EQ(reasoner->move_count(), 2U);
  std::set<std::vector<std::byte>> states;
  for (std::size_t i = 0; i < 2; ++i) {
    const bool second = reasoner->move_text(i) == "q";
    reasoner->apply(i);
    states.insert(reasoner->state_bytes());
    reasoner->apply(0);
    EXPECT_EQ(reasoner->mover(), second ? 1U : 0U);
    ASSERT_TRUE(reasoner->undo() && reasoner->undo());
  }
  EXPECT_EQ(states.size(), 2U);
}

TEST(CompiledCpp, EqualConditionsDoNotExcludeEachOther) {
  const auto reasoner = test::quick_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a; var y: X = a;\n"
            "begin, q: player = p; q, r: y = X(*); r, r2: $$ y; r2, s: player = p;\n"
            "s, t: x == y; s, u: x == y; t, e: $ one; u, e: $ two; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(2), 2U);
}

// Walks that differ in artificial tags only are one move; the value that `$$` shows is no such tag.
TEST(CompiledCpp, ArtificialTagsAreNoPartOfAMove) {
  const auto reasoner = test::quick_reasoner(
      parse("@artificialTag up a;\ntype Player = {p, q}; type Score = {0}; type X = {a, b}; var x: X = a;\n"
            "begin, s: player = p; s, t: $ up; s, u: $ down; s, t: $ a; t, v: $ go; u, v: $ go; v, w: x = X(*);\n"
            "w, o: $$ x; o, end: player = keeper;"));
  reasoner->apply(0);
  std::vector<std::string> moves;
  for (std::size_t i = 0; i < reasoner->move_count(); ++i) {
    moves.push_back(reasoner->move_text(i));
    EXPECT_EQ(reasoner->observed_move_text(i, 1), moves.back());
  }
  EXPECT_THAT(moves, testing::UnorderedElementsAre("go a", "go b", "down go a", "down go b"));
  EXPECT_EQ(reasoner->perft(1), 4U);
}

// Round and round with an artificial tag each time, and a board that changes with it.
TEST(CompiledCpp, ArtificialTagsMayStandOnACycle) {
  const auto reasoner = test::quick_reasoner(
      parse("@artificialTag on;\ntype Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a;\n"
            "var m: X -> X = {:a}; begin, s: player = p; s, t: $ on; t, r: x = X(*); r, s: m[x] = x;\n"
            "s, u: $$ x; u, v: m[b] == b; v, e: $ full; u, w: m[b] != b; w, e: $ empty; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 5U);
}

// Code numbers symbols and tags in 16 bits, tables do not.
TEST(CompiledCpp, TagsMayBeMoreThanSixteenBitsCount) {
  constexpr int kMany = 66'000;
  std::string names;
  for (int i = 0; i < kMany; ++i) names += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
  const auto reasoner = test::quick_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {" + names + "}; var x: X = x0;\n" +
            "begin, s: player = p; s, t: x = X(*); t, u: $ go; u, v: $$ x; v, w: player = p; w, a: $$ x;\n" +
            "a, end: player = keeper;"));
  reasoner->apply(0);
  ASSERT_EQ(reasoner->move_count(), kMany);
  const std::string move = reasoner->move_text(kMany - 1);
  reasoner->apply(kMany - 1);
  ASSERT_EQ(reasoner->move_count(), 1U);
  EXPECT_EQ("go " + reasoner->move_text(0), move);
  EXPECT_EQ(reasoner->perft(1), 1U);
}

// A hundred ways that are distinguished by the next tag, by the move that was made, or by the value of a variable: one
// switch each time.
TEST(CompiledCpp, ManyWaysAreToldApartAtOnce) {
  constexpr int kWays = 100;
  std::string names;
  for (int i = 0; i < kWays; ++i) names += fmt::format("{}m{}", i == 0 ? "" : ", ", i);
  std::string text = "type Player = {p}; type Score = {0}; type M = {" + names +
                     "}; var did: M = m0; var last: M = m0;\nbegin, s: player = p; e, k: player = keeper;\n";
  for (int i = 0; i < kWays; ++i) {
    text += fmt::format("s, a{0}: did = m{0}; a{0}, e: $ m{0};\n", i);
    text += fmt::format("k, r{0}: did == m{0}; r{0}, q: last = m{1};\n", i, (i + 1) % kWays);
    text += fmt::format("l, x{0}: last == m{0}; x{0}, y: $ m{1};\n", i, i * 7 % kWays);
  }
  const ir::Game game = parse(text + "q, l: player = p; y, end: player = keeper;");
  const std::string code = without_comments(file(generate(game), "reasoner.cpp"));
  for (const char* what : {"switch (tag)", "switch (s.did)", "switch (last)"})
    EXPECT_THAT(code, testing::HasSubstr(what));
  const auto reasoner = test::quick_reasoner(game);
  EXPECT_EQ(reasoner->perft(2), kWays);
  for (std::size_t i = 0; i < kWays; i += 9) {
    reasoner->reset();
    reasoner->apply(0);
    ASSERT_EQ(reasoner->move_count(), kWays);
    EXPECT_EQ(reasoner->move_text(i), fmt::format("m{}", i));
    reasoner->apply(i);
    reasoner->apply(0);  // the keeper's
    ASSERT_EQ(reasoner->move_count(), 1U);
    EXPECT_EQ(reasoner->move_text(0), fmt::format("m{}", (i + 1) % kWays * 7 % kWays));
  }
}

// Tags of the keeper after it has changed which players see tags, by code and by tables.
TEST(CompiledCpp, TheKeeperHidesAndShowsDuringItsMove) {
  const ir::Game game = parse(
      "type Player = {p, q}; type Score = {0}; type X = {a, b}; var x: X = a;\n"
      "begin, s: player = p; s, t: x = X(*); t, u: $$ x; u, k: player = keeper;\n"
      "k, l: $ all; l, m: visible[q] = 0; m, n: $$ x; n, o: visible[q] = 1; o, r: $ again; r, end: player = keeper;");
  const auto interpreter = make_interpreter(game);
  for (int i = 0; i < 2; ++i) interpreter->apply(0);
  for (const bool tables : {false, true}) {
    limits::cpp_code.set(tables ? 1 : limits::cpp_code.standard());
    const auto reasoner = test::quick_reasoner(game);
    limits::cpp_code.set(limits::cpp_code.standard());
    for (int i = 0; i < 2; ++i) reasoner->apply(0);
    for (std::size_t player = 0; player < 2; ++player)
      EXPECT_EQ(reasoner->observed_move_text(0, player), interpreter->observed_move_text(0, player)) << tables;
    EXPECT_EQ(reasoner->observed_move_text(0, 1), "all again") << tables;
  }
}

// A piece jumps over others around a ring, as often as it likes.
std::string jumps(const std::string& over) {
  return "type Player = {p}; type Score = {0}; type C = {free, piece};\n"
         "type X = {a, b, c, d, e, f, g, h, i, j, k, l};\n"
         "const right: X -> X = {a: b, b: c, c: d, d: e, e: f, f: g, g: h, h: i, i: j, j: k, k: l, :a};\n"
         "const left: X -> X = {b: a, c: b, d: c, e: d, f: e, g: f, h: g, i: h, j: i, k: j, l: k, :l};\n"
         "const across: X -> X = {a: g, b: e, c: h, d: l, e: k, f: i, g: c, h: j, i: a, j: d, k: f, :b};\n"
         "var x: X = a; var board: X -> C = {a: piece, b: piece, e: piece, f: piece, h: piece, :free}; var n: C = "
         "free;\n"
         "begin, s: player = p; s, t: x = X(*); t, u: board[x] == piece; u, v: $$ x; v, w: board[x] = free;\n" +
         over +
         "w, o: x = right[x]; o, q: board[x] == piece; q, r: x = right[x]; r, w: board[x] == free;\n"
         "w, o1: board[left[x]] == piece; o1, q1: board[left[left[x]]] == free; q1, w: x = left[left[x]];\n"
         "w, y: $$ x; y, z: player = keeper; z, z1: board[x] = piece; z1, begin: n == free; z1, end: player = keeper;";
}

// A cycle finds all new values, eight ways of a value or all values at once. It finds no move twice, though many ways
// end in one cell.
TEST(CompiledCpp, CyclesWithOneVariableAreGoneRoundByRound) {
  for (const char* over : {"", "w, a0: board[across[x]] == free; a0, w: x = across[x];"}) {
    const ir::Game game = parse(jumps(over));
    const std::string code = file(generate(game), "reasoner.cpp");
    EXPECT_THAT(code, testing::HasSubstr("} while (at.any());"));
    EXPECT_THAT(code, testing::Not(testing::HasSubstr("= add_once(c, ")));
    EXPECT_EQ(code.find("possible_targets(kNeeds") == std::string::npos, *over == '\0');
    SCOPED_TRACE(over);
    expect_counts_of_interpreter(game);
  }
}

// A fact that a choice implies for the first step along a ray does not hold for the next step.
TEST(CompiledCpp, RaysAskAtEachStepWhetherTheyGoOn) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type X = {a, b, c, d}; type Y = {a, b, c, d, out}; type D = {l, r};\n"
      "type C = {free, full}; var x: X = a; var d: D = l; var board: X -> C = {:free};\n"
      "const step: D -> X -> Y = {l: {b: a, c: b, d: c, :out}, :{a: b, b: c, c: d, :out}};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: $$ x; u, v: board[x] = full; v, w: d = D(*);\n"
      "w, w1: step[d][x] != out; w1, w2: board[step[d][x]] == free; w2, w3: x = step[d][x]; w3, w: ;\n"
      "w3, y: $$ x; y, y1: board[x] = full; y1, z: player = keeper; z, begin: board[a] == free; z, end: board[a] == "
      "full;");
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("for (;;) {"));
  expect_counts_of_interpreter(game);
}

TEST(CompiledCpp, TypesMayBeCalledAsPartsOfTheReasoner) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type Line = {a, b}; type Cells = {a, b, c}; var Output: Line = a;\n"
      "var Images: Cells = a; begin, s: player = p; s, t: Output = Line(*); t, u: $$ Output; u, v: Images = Cells(*);\n"
      "v, w: $$ Images; w, end: player = keeper;");
  EXPECT_EQ(test::quick_reasoner(game)->perft(1), 6U);
}

TEST(CompiledCpp, TypesMayBeCalledAsFunctionsOfTheReasoner) {
  expect_counts_of_interpreter(parse(
      "type Player = {p}; type Score = {0}; type describe = {a, b, c}; type valid = {d, e, f};\n"
      "type apply_move = {g, h, i}; var x: describe = a; var m: describe -> valid = {:d}; var y: apply_move = g;\n"
      "var n: apply_move -> describe = {:a}; begin, s: player = p; s, t: x = describe(*); t, t1: m[x] != e;\n"
      "t1, u: $$ x; u, u1: m[x] = e; u1, u2: y = apply_move(*); u2, u3: n[y] != b; u3, u4: $$ y; u4, u5: n[y] = b;\n"
      "u5, u6: x != c; u6, s: player = p; u5, u7: x == c; u7, u8: y = h; u8, u9: n[y] == c; u9, u6: $ yes;\n"
      "u8, u10: n[y] != c; u10, u6: $ no; s, z: $ stop; z, end: player = keeper;"));
}

TEST(CompiledCpp, VariablesMayBeCalledAsFunctionsAndLocalsOfTheReasoner) {
  for (const char* const name : {"drop", "out", "tag_at", "lowest_bit", "next_player"}) {
    expect_counts_of_interpreter(parse(fmt::format(
        "type Player = {{p, q, r}}; type Score = {{0}}; type BUFSIZ = {{INT_MAX, EDOM, wchar_t}};\n"
        "const after: Player -> Player = {{p: q, q: r, :p}}; var errno: BUFSIZ = EDOM; var {0}: Player = p;\n"
        "begin, s: player = p; s, s1: {0} = Player(*); s1, s2: {0} != r; s2, s3: $$ {0};\n"
        "s3, h: errno = BUFSIZ(*); h, m: errno != wchar_t; m, t: $$ errno; t, t1: {0} = after[{0}];\n"
        "t1, t2: {0} == q; t1, t2: {0} != p; t2, e: player = {0}; e, f: player == q; f, f1: $ go;\n"
        "f1, s: player = p; e, g: player == r; g, g1: $ stop; g1, end: player = keeper;",
        name)));
  }
}

// The matches of a part of an expression in the lines of files, with their counts.
std::map<std::string, int> found_in(const std::vector<GeneratedFile>& files, const std::regex& expression,
                                    std::size_t part) {
  std::map<std::string, int> result;
  for (const GeneratedFile& f : files) {
    std::istringstream lines(f.text);
    std::smatch found;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_search(line, found, expression)) ++result[found[part]];
    }
  }
  return result;
}

// Types that files define for all their functions.
std::map<std::string, int> types_of(const std::vector<GeneratedFile>& files) {
  static const std::regex kDefinition(
      R"(^(?:template <[^>]*>\s*)?(?:struct|class|enum class|enum|using)\s+(?:alignas\(\d+\)\s+)?([A-Z]\w*)\b)");
  return found_in(files, kDefinition, 1);
}

// Constants of such kind.
std::map<std::string, int> constants_of(const std::vector<GeneratedFile>& files) {
  static const std::regex kDefinition(
      R"(^(inline constexpr|constexpr|static constexpr|REASONER_TABLE)[^=;({]*\bk([A-Z]\w*)\b *[\[={;])");
  return found_in(files, kDefinition, 2);
}

// No type of a game is called as one of the code that is the same for all games, on whatever it is compiled for.
TEST(GenerateCpp, TypesHaveNamesOfTheirOwn) {
  const std::string head = "type Player = {p}; type Score = {0};\n", tail = "begin, s: player = p; s, t0: $ go;\n";
  for (const bool device : {false, true}) {
    GenerateOptions options;
    options.device = device;
    const auto names = types_of(generate(parse(head + tail + "t0, end: player = keeper;"), options));
    EXPECT_GT(names.size(), 10U);
    std::string types, ways = tail;
    std::size_t n = 0;
    for (const auto& [name, count] : names) {
      types += fmt::format("type {0} = {{a{1}, b{1}}}; var v{1}: {0} = a{1};\n", name, n);
      ways += fmt::format("t{0}, u{0}: v{0} = {1}(*); u{0}, t{2}: $$ v{0};\n", n, name, n + 1);
      ++n;
    }
    const ir::Game game = parse(head + types + ways + fmt::format("t{}, end: player = keeper;", n));
    for (const GeneratedFile& f : generate(game, options)) {
      for (const auto& [name, count] : names)
        EXPECT_THAT(f.text, testing::Not(testing::HasSubstr("namespace " + name + " {")));
    }
  }
}

// A check with one way round that may come back to where it was: its rounds are counted.
TEST(CompiledCpp, RoundsWithoutEndAreCounted) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type X = {a, b, c, d}; type C = {free, full};\n"
      "const turn: X -> X = {a: b, b: c, c: a, :d}; var x: X = a; var y: X = a; var board: X -> C = {:free};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: ? k -> hit; u, w: $ hit; w, w1: $$ x; w1, z: player = keeper;\n"
      "t, v: ! k -> hit; v, v1: $ none; v1, v2: $$ x; v2, v3: board[x] = full; v3, z: player = keeper;\n"
      "z, s: player = p; z, end: board[d] == full;\n"
      "k, l: y = turn[x]; l, m: board[y] == free; m, l: y = turn[y]; l, hit: board[y] == full;");
  const std::string code = file(generate(game), "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr("< 4; ++round"));
  EXPECT_THAT(code, testing::Not(testing::HasSubstr("c.seen")));
  expect_counts_of_interpreter(game);
}

// Maps of a game may be called as constants of every reasoner are.
TEST(GenerateCpp, TablesHaveNamesOfTheirOwn) {
  const std::set<std::string> kNotMaps = {"Some", "Goals", "Visible", "Keeper", "Random"};
  for (const bool device : {false, true}) {
    const auto generated = [&](const std::vector<std::string>& names) {
      std::string maps, steps;
      for (std::size_t i = 0; i < names.size(); ++i) {
        maps += fmt::format("const {}: M = {{ {}: b, :a }};\n", names[i], i % 2 == 0 ? "a" : "b");
        steps += fmt::format("n{}, n{}: x = {}[x];\n", i, i + 1, names[i]);
      }
      const ir::Game game =
          parse("type Player = {p}; type Score = {0}; type T = {a, b}; type M = T -> T; var x: T = a;\n" + maps +
                "begin, s: player = p; s, n0: x = T(*);\n" + steps +
                fmt::format("n{}, t: $$ x; t, end: player = keeper;", names.size()));
      return generate(game, {.device = device});
    };
    std::vector<std::string> names;
    for (const auto& [name, times] : constants_of(generated({"some"}))) {
      if (kNotMaps.contains(name) || name.starts_with("NamesOf") || name.starts_with("Initial_")) continue;
      names.push_back(std::string(1, static_cast<char>(std::tolower(name[0]))) + name.substr(1));
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"players", "tagCount"}));
    for (const auto& [name, times] : constants_of(generated(names))) EXPECT_EQ(times, 1) << name;
  }
}

// More kinds of cells than one byte shuffle distinguishes.
TEST(CompiledCpp, ManyContentsOfCellsAreToldApartAtOnce) {
  std::string contents, cells, kinds;
  for (int i = 0; i < 20; ++i) {
    contents += fmt::format("{}k{}", i > 0 ? ", " : "", i);
    cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    kinds += fmt::format("x{0}: k{0}, ", i);
  }
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type B = {no, yes}; type C = {" + contents + "}; type X = {" + cells +
      "};\nconst good: C -> B = {k0: yes, k3: yes, k14: yes, k15: yes, k16: yes, k19: yes, :no};\n"
      "var x: X = x0; var board: X -> C = {" +
      kinds +
      ":k0};\nbegin, s: player = p; s, t: x = X(*); t, u: good[board[x]] == yes; u, v: $$ x; v, w: board[x] = k1;\n"
      "w, begin: board[x0] != k1; w, end: player = keeper;");
  EXPECT_THAT(std::string(file(generate(game), "reasoner.cpp")), testing::ContainsRegex("match_cells|cells_matching"));
  expect_counts_of_interpreter(game);
}

// A check follows sets of cells where no moves are listed as sets.
TEST(CompiledCpp, ChecksFollowCells) {
  const std::string text =
      "(game \"G\" (players 2) (equipment (board (rectangle 2 4))) (rules (play (once-through (P1 P2) (place opponent\n"
      "(destination (and empty (adjacent (adjacent occupied))))) (force_pass)) (once-through (P1) (place (destination\n"
      "empty) (effects (increment_score opponent (count empty)))) (force_pass)) (repeat (P1 P2) (place (destination "
      "(and\n"
      "empty (adjacent (adjacent (occupied opponent)) direction:down_right))) (effects (capture (custodial 3\n"
      "orientation:back_diagonal) increment_score:true) (flip (custodial 1)))))) (end (if (not (>= (add 2 (connected\n"
      "(occupied empty))) (count empty))) (mover win)) (if (full_board) (mover lose)))))";
  Diagnostics diagnostics;
  ir::Game game = load_text("test.ldx", text, *find_frontend("ludax"), diagnostics);
  passes::optimize(game, {.level = 1});
  const std::string code = file(generate(game), "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr("cells_of<1>(kNext["));
  expect_counts_of_interpreter(game);
}

// Is there a place where the move is possible? This goes on as the question whether it is possible at a given place.
TEST(CompiledCpp, ACheckAsksAnotherThatGoesOnAlike) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0, 1}; type X = {a, b, c, d}; type C = {e, w};\n"
      "const f: X -> X = {a: b, b: c, c: d, :a}; var board: X -> C = {a: w, c: w, :e}; var x: X = a;\n"
      "begin, s: player = p; s, t: x = X(*); t, u: $$ x; u, v: ? m -> good; v, w: board[x] = e; w, w2: board[f[x]] = "
      "w; w2, z: player = keeper; z, y: ? k -> good;\n"
      "y, begin: player = keeper; z, q: ! k -> good; q, end: player = keeper;\n"
      "k, k2: x = X(*); k2, m: board[x] == w; m, m2: board[x] == w; m2, good: board[f[x]] == e;");
  const std::string code = file(generate(game), "reasoner.cpp");
  const std::size_t asks = code.find("bool check_k(State& s, Cache& c) {");
  ASSERT_NE(asks, std::string::npos);
  EXPECT_NE(code.find("check_m(s, c, x", asks), std::string::npos);
  expect_counts_of_interpreter(game);
}

// A cell holds one of five contents, and another board there what belongs to it: one comparison of both boards.
TEST(CompiledCpp, ContentsThatBelongTogetherAreComparedTogether) {
  std::string cells, places, walks;
  for (int i = 0; i < 16; ++i) {
    cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    places += fmt::format("x{}: x{}, ", i, (i * 7 + 3) % 16);
  }
  for (int i = 1; i < 6; ++i)
    walks += fmt::format("w, w{0}: board[y] == k{0}; w{0}, same: other[y] == k{1};\n", i, i * 2 % 5 + 1);
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type C = {k0, k1, k2, k3, k4, k5}; type X = {" + cells +
      "};\nconst f: X -> X = {" + places +
      ":x3};\nvar x: X = x0; var y: X = x0; var c: C = k0; var board: X -> C = {:k0}; var other: X -> C = {:k0};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: c = C(*); u, u1: c != k0; u1, u2: $$ x; u2, v: $$ c;\n"
      "v, v1: board[x] = c; v1, v2: other[f[x]] = c; v2, z: player = keeper; z, a: ? ask -> same;\n"
      "z, begin: ! ask -> same; a, end: player = keeper; ask, w: y = X(*);\n" +
      walks);
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("cells_paired<"));
  expect_counts_of_interpreter(game);
  EXPECT_LT(make_interpreter(game)->perft(3), 80U * 80U * 80U);  // some plays have ended
}

// A move fills one of twelve cells and asks for rows of the board, some of which lack one cell or another, or one that
// cannot be filled.
// The last of 256 contents belongs to nothing. It does not go together with cells that have no partner either.
TEST(CompiledCpp, TheLastOfManyContentsBelongsToNothing) {
  for (const int contents : {255, 256}) {
    std::string places, values, ways;
    for (int i = 0; i < 16; ++i) places += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    for (int i = 0; i < contents; ++i) values += fmt::format("{}q{}", i == 0 ? "" : ", ", i);
    for (int i = 1; i <= 5; ++i) {
      ways += fmt::format("d1, f{0}: $ k{0}; f{0}, b: m[y] = k{0}; ", i);
      ways += fmt::format("w0, v{0}: m[x] == k{0}; v{0}, g: n[x] == q{0};\n", i);
    }
    const ir::Game game =
        parse("type Player = {p}; type Score = {0}; type C = {" + places + "}; type Q = {" + values + "};\n" +
              fmt::format("type Y = {{c0, c15}}; type Z = {{q0, q1, q2, q3, q4, q5, q{}}};\n", contents - 1) +
              "type P = {e, k1, k2, k3, k4, k5}; var x: C = c0; var y: Y = c0; var z: Z = q0; var m: C -> P = {:e};\n"
              "var n: C -> Q = {:q0}; begin, s: player = p; s, a: y = Y(*); a, a1: $$ y; a1, a2: z = Z(*);\n"
              "a2, a3: $$ z; a3, b: n[y] = z; s, d: y = Y(*); d, d1: $$ y;\n" +
              ways +
              "b, b1: ? w -> g; b1, r: player = p; b, b2: ! w -> g; b2, o: player = p; r, r1: $ row;\n"
              "r1, end: player = keeper; o, o1: $ none; o1, s: player = p; s, h: $ stop; h, end: player = keeper;\n"
              "w, w0: x = C(*);");
    EXPECT_EQ(file(generate(game), "reasoner.cpp").find("cells_paired<") == std::string::npos, contents == 256);
    const auto reasoner = test::quick_reasoner(game);
    const auto interpreter = make_interpreter(game);
    for (unsigned depth = 1; depth <= 4; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
  }
}

TEST(CompiledCpp, RowsThatLackOneCellAreAskedForAllCellsTogether) {
  std::string cells, some;
  for (int i = 0; i < 16; ++i) {
    cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    if (i < 12) some += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  }
  std::string rows;
  const std::vector<std::array<int, 3>> all = {{0, 1, 2}, {3, 4, 5}, {6, 7, 12}, {8, 9, 13}, {0, 5, 10}, {11, 1, 15}};
  for (std::size_t i = 0; i < all.size(); ++i)
    rows += fmt::format("q, r{0}: board[x{1}] == p; r{0}, t{0}: board[x{2}] == p; t{0}, row: board[x{3}] == p;\n", i,
                        all[i][0], all[i][1], all[i][2]);
  const ir::Game game =
      parse("type Player = {p}; type Score = {0}; type C = {e, p, o}; type X = {" + cells + "};\ntype Cell = {" + some +
            "}; var x: X = x0; var board: X -> C = {x4: p, x7: o, x12: p, x13: o, :e};\n"
            "begin, s: player = p; s, t: x = Cell(*); t, u: board[x] == e; u, v: board[x] = p;\n"
            "v, w: $$ x; w, a: ? q -> row; a, z: $ row; w, b: ! q -> row; b, z: $ none;\n"
            "z, y: player = keeper; y, begin: board[x11] != p; y, end: board[x11] == p;\n" +
            rows);
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("nearly_full(kSets"));
  const auto reasoner = test::quick_reasoner(game);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 5; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
}

// The board is too small for vectors; a cell is compared with its neighbours on both sides.
TEST(CompiledCpp, ACheckOfFewComparisonsIsOneExpression) {
  const ir::Game game = parse(
      "type Player = {p, q}; type Score = {0}; type C = {e, p, q}; type X = {a, b, c, d, f, g};\n"
      "const right: X -> X = {a: b, b: c, c: d, d: f, f: g, :a}; const left: X -> X = {a: g, b: a, c: b, d: c, "
      "f: d, :f};\n"
      "var x: X = a; var me: Player = p; var board: X -> C = {c: q, :e};\n"
      "begin, s: player = me; s, t: x = X(*); t, v: board[x] == e; v, y: $$ x; y, z: player = keeper;\n"
      "z, o: board[x] = C(me); o, r: ? w -> won; o, q: ! w -> won; r, end: player = keeper;\n"
      "q, m: me == p; q, o1: me == q; m, begin: me = q; o1, begin: me = p;\n"
      "w, w1: board[x] == board[right[x]]; w1, won: board[x] == board[right[right[x]]];\n"
      "w, w2: board[x] == board[left[x]]; w2, won: board[x] == board[left[left[x]]];\n");
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("without branches"));
  const auto reasoner = test::quick_reasoner(game);
  const auto interpreter = make_interpreter(game);
  for (unsigned depth = 1; depth <= 6; ++depth) EXPECT_EQ(reasoner->perft(depth), interpreter->perft(depth));
}

// Two choices pass the test, then they are the same.
TEST(CompiledCpp, ChoicesThatAreForgottenMakeOneMove) {
  const auto reasoner = test::quick_reasoner(
      parse("type Player = {p}; type Score = {0}; type X = {a, b, c}; var x: X = a;\n"
            "begin, s: player = p; s, t: x = X(*); t, u: x != c; u, v: x = a; v, e: $$ x; e, end: player = keeper;"));
  EXPECT_EQ(reasoner->perft(1), 1U);
}

// The mover writes its own piece, tests for a row and takes a piece. The cells that make a row are a set, though the
// written cell is known only during the play.
TEST(CompiledCpp, WhatWasSetBeforeIsWrittenByWalksThatGoOnAlone) {
  std::string cells;
  std::string right;
  for (int i = 0; i < 18; ++i) {
    cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    if (i > 0) right += fmt::format("x{}: x{}, ", i - 1, i);
  }
  const ir::Game game =
      parse("type Player = {p}; type Score = {0}; type C = {e, white, black, out}; type X = {" + cells +
            ", n};\ntype Cell = {" + cells + "}; const right: X -> X = {" + right +
            ":n};\n"
            "var x: X = x0; var mine: C = white; var board: X -> C = {x3: white, x4: white, x6: black, n: out, :e};\n"
            "begin, s: player = p; s, t: x = Cell(*); t, u: board[x] == e; u, v: $$ x; v, w: board[x] = mine;\n"
            "w, take: ? ask -> row; w, z: ! ask -> row; take, o: x = Cell(*); o, o1: board[x] != e; o1, o2: $$ x;\n"
            "o2, z: board[x] = e; z, y: player = keeper; y, y1: mine == white; y1, begin: mine = black;\n"
            "y, y2: mine == black; y2, y3: mine = white; y3, begin: board[x0] == e; y3, end: board[x0] != e;\n"
            "ask, m: board[right[x]] == mine; m, row: board[right[right[x]]] == mine;");
  const std::string code = file(generate(game), "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr(", mine);"));
  EXPECT_THAT(code, testing::HasSubstr("Cells<1> holds;"));
  expect_counts_of_interpreter(game);
  EXPECT_EQ(test::quick_reasoner(game)->perft(1), 18U);  // 14 cells, and one of four pieces where there is a row
}

// A walk that goes on alone shows and writes a variable, and sets it then.
TEST(CompiledCpp, WhatWasSetBeforeIsReadBeforeAWalkSetsIt) {
  std::string cells, contents;
  for (int i = 0; i < 36; ++i) {
    cells += fmt::format("{}c{}", i > 0 ? ", " : "", i);
    if (i % 3 != 2) contents += fmt::format("c{}: {}, ", i, i % 3 == 0 ? "a" : "b");
  }
  for (const char* const set :
       {"i3, s: $$ kind; s, s1: kind = b; v, k: player = keeper;",
        "i3, s: $$ kind; s, s1: kind = f[x]; v, k: player = keeper;",
        "i3, s: $ s; s, s0: m[x] = kind; s0, s1: kind = b; v, w: m[x] != b; w, k: player = keeper;"}) {
    const ir::Game game =
        parse("type Player = {p}; type Score = {0}; type S = {" + cells +
              "}; type P = {e, a, b}; const f: S -> P = {c2: a, c8: a, :b}; const other: P -> P = {a: b, b: a, :e};\n"
              "var x: S = c0; var y: S = c0; var kind: P = a; var m: S -> P = {" +
              contents +
              ":e};\n"
              "begin, i: player = p; i, i1: x = S(*); i1, i2: m[x] == e; i2, i3: $$ x; i3, q: $ q; i3, r: $ r;\n"
              "q, k: player = keeper; r, k: player = keeper; " +
              set +
              " s1, t: y = S(*); t, u: m[y] == kind; u, v: $$ y; k, k1: m[x] = kind; k1, k2: m[y] = other[m[y]];\n"
              "k2, i: player = p; i, z: $ stop; z, end: player = keeper;");
    const auto reasoner = test::quick_reasoner(game), interpreter = make_interpreter(game);
    std::mt19937 random(1);
    EXPECT_EQ(corpus::play_both(*reasoner, *interpreter, random, {.longest = 6}).difference, "") << set;
  }
}

// A variable that nothing sets is no part of the state.
TEST(CompiledCpp, WhatNothingSetsIsShownByWalksOfAllValues) {
  for (const char* const steps : {"i, i1: x = S(*); i1, i2: $$ x; i2, i3: $$ n; i3, k: m[x] == e; ",
                                  "i, i1: $$ n; i1, i2: x = S(*); i2, i3: $$ x; i3, k: m[x] == e; "})
    expect_counts_of_interpreter(
        parse("type Player = {p}; type Score = {0}; type S = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; type P = {e, w};"
              "type N = {one, two}; var n: N = two; var x: S = 1; var m: S -> P = {3: w, :e}; begin, i: player = p; " +
              std::string(steps) +
              "k, k1: player = keeper; k1, k2: m[x] = w; k2, i: player = p; i, z: $ stop; z, end: player = keeper;"));
}

// The player that takes d takes the only mark, which is forbidden. The generated code tests this on the drawn move,
// with the cell that it writes; the tag that follows does not turn it into several moves.
constexpr const char* kMarked =
    "type Player = {p}; type Score = {0, 1, 2, 3, 4}; type X = {a, b, c, d}; type Piece = {free, mark, taken};\n"
    "const worth: X -> Score = {a: 1, b: 2, c: 3, d: 4, :0}; var x: X = a; var y: X = a;\n"
    "var board: X -> Piece = {d: mark, :free};\n"
    "begin, s: player = p; s, t: x = X(*); t, u: board[x] = taken; u, v: ? q -> r; v, w: $$ x; w, k: goals[p] = "
    "worth[x];\n"
    "k, end: player = keeper; q, m: y = X(*); m, r: board[y] == mark;";

// At first no walk writes to the last cell. Then one map lets another one change, which lets the write come there.
TEST(CompiledCpp, WhatHoldsBackAWriteMayChangeLater) {
  const ir::Game game = parse(
      "type Player = {p, q}; type Score = {0}; type X = {1, 2, 3}; type P = {w, e, v};\n"
      "type C = {c11, c12, c13, c21, c22, c23, c31, c32, c33}; const f: X -> X -> C =\n"
      "{1: {1: c11, 2: c12, :c13}, 2: {1: c21, 2: c22, :c23}, :{1: c31, 2: c32, :c33}};\n"
      "var x: X = 1; var y: X = 1; var m: C -> P = {c33: w, :e}; var b: C -> P = {:e}; var k: C -> P = {:w};\n"
      "begin, s: player = p; s, a1: x = X(*); a1, a2: $$ x; a2, a3: y = X(*); a3, a4: $$ y;\n"
      "a4, a5: m[f[x][y]] == e; a5, a6: b[f[x][y]] = v; a6, t: player = q; t, t0: k[c11] == v;\n"
      "t0, t1: m[c33] == w; t1, t2: $ open; t2, t3: m[c33] = e; t3, s: player = p;\n"
      "t, p1: k[c11] != v; p1, p2: $ prime; p2, p3: k[c11] = v; p3, s: player = p;\n"
      "t, u1: m[c33] != w; u1, u2: $ pass; u2, s: player = p;\n"
      "t, y1: b[c33] == v; y1, y2: $ yes; y2, end: player = keeper; s, z: $ stop; z, end: player = keeper;");
  EXPECT_EQ(make_interpreter(game)->perft(6), 640U);
  EXPECT_EQ(test::quick_reasoner(game)->perft(6), 640U);
}

// Of the two conditions before the board is written, the first one never holds.
TEST(CompiledCpp, ABoardIsWrittenBehindOneOfSeveralConditions) {
  expect_counts_of_interpreter(parse(
      "type Player = { p }; type Score = { 0, 1 }; type T = { 1, 2, 3, 4 }; type C = { 2, 3, 4 }; type P = { v, w, r };"
      "const f: T -> T -> T = { 1: { 1: 2, :3 }, 2: { 1: 4, :1 }, :{ :2 } };"
      "var x: T = 1; var y: T = 1; var c: T = 2; var z: T = 1;"
      "var m: T -> P = { 1: v, :w }; var b: T -> P = { :w };"
      "begin, i: player = p; i, i1: x = T(*); i1, i2: $$ x; i2, i3: y = T(*); i3, i4: $$ y; i4, i5: c = C(*);"
      "i5, g: $$ c; g, h: m[c] == v; g, h: m[c] == w; h, k: b[f[x][y]] = r; k, k1: m[1] = w; k1, s: player = p;"
      "s, s1: z = T(*); s1, s2: b[z] == r; s2, s3: $$ z; s3, o: player = p; o, o1: $ go; o1, end: player = keeper;"));
}

// A set is a number where there are 64 values at most, be it ever so small.
TEST(CompiledCpp, AValueIsOneOfTheFirstOfUpTo64) {
  for (const int values : {32, 33, 64, 65}) {
    std::string all;
    for (int i = 0; i < values; ++i) all += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    const auto reasoner = test::quick_reasoner(
        parse("type Player = {a, b}; type Score = {0}; type X = {" + all +
              "}; var x: X = c0;\n"
              "begin, s: player = a; s, t: x = X(*); t, t1: $$ x; t1, o: player = b; o, p: x == c1; o, p: x == c2;\n"
              "o, q: x != c3; p, p1: $ low; q, p1: $ other; p1, end: player = keeper;"));
    EXPECT_EQ(reasoner->perft(2), static_cast<std::uint64_t>(values + 1)) << values;
  }
}

// Each cell of a line may be one of two places instead of a stone, but not one cell the first and one the second.
TEST(CompiledCpp, TwoPlacesDoNotStandForStonesTogether) {
  std::string cells, lines;
  for (int i = 0; i < 64; ++i) cells += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
  for (int i = 0; i < 30; ++i) {
    lines += fmt::format("w1, l{0}: board[c{0}] == x; w1, l{0}: z == c{0}; ", i);
    lines += fmt::format("l{0}, w2: board[c{1}] == x; l{0}, w2: z == c{1};\n", i, (i * 5 + 3) % 64);
  }
  const ir::Game game =
      parse("type Player = {a, b}; type Score = {0, 1}; type V = {e, x}; type C = {" + cells +
            "}; var p: C = c0; var q: C = c0; var z: C = c0; var board: C -> V = {:e};\n"
            "begin, s: player = a; s, s1: p = C(*); s1, s2: $$ p; s2, t: player = b; t, t1: q = C(*); t1, t2: $$ q;\n"
            "t2, u: player = a; u, y: ? w -> w2; u, n: ! w -> w2; y, v: $ yes; y, v: $ also; n, v: $ no;\n"
            "v, o: player = b; o, o1: p = C(*); o1, o2: board[p] == e; o2, o3: $$ p; o3, o4: board[p] = x;\n"
            "o4, u: player = a; o, o5: $ stop; o5, end: player = keeper; w, w1: z = p; w, w1: z = q;\n" +
            lines);
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("as sets of cells"));
  expect_counts_of_interpreter(game);
}

// From each square one goes on until there is a stone. The stone is one of the ways out of a cycle, whose head asks
// something first. The board is too large for sets of squares.
TEST(CompiledCpp, WaysOutOfACycleAreTakenInEachRound) {
  constexpr int kSquares = 600;
  std::string squares, next;
  for (int i = 0; i < kSquares; ++i) {
    squares += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    next += fmt::format("c{}: c{}, ", i, std::min(i + 1, kSquares - 1));
  }
  for (const bool wall_first : {false, true}) {
    const std::string last = fmt::format("x != c{}", kSquares - 1);
    const std::string wall = "board[x] != w";
    const ir::Game game =
        parse("type Player = {a, b}; type Score = {0}; type V = {e, f, w}; type C = {" + squares +
              "}; const next: C -> C = {" + next + ":c0};\n" +
              "var board: C -> V = {c3: f, c6: f, c8: w, :e}; var x: C = c0; begin, s: player = a; s, t: x = C(*);\n"
              "t, h: $$ x; h, m: " +
              (wall_first ? wall : last) + "; m, q: board[x] == f; m, n: " + (wall_first ? last : wall) +
              "; n, h: x = next[x];\nq, q1: $$ x; q1, q2: board[x] = e; q2, r: player = b; r, r1: $ go;\n"
              "r1, s: player = a; r, r2: $ stop; r2, end: player = keeper;");
    expect_counts_of_interpreter(game);
    EXPECT_EQ(test::quick_reasoner(game)->perft(1), 11U);
  }
}

// A stone slides over empty squares, of which there are few. Each square is asked, though the first one is asked of all
// values of the choice before.
TEST(CompiledCpp, ACycleAsksAgainWhatHeldBeforeIt) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type S = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}; type N = {1, 2, "
      "3, "
      "4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, none};\n"
      "type P = {w, e, b}; const up: N -> N = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 9, 9: 10, 10: 11, 11: 12, "
      "12: 13, 13: 14, :none};\n"
      "var x: N = 1; var m: N -> P = {3: e, 4: e, 9: e, none: b, :w}; begin, i: player = p; i, i1: x = S(*);\n"
      "i1, h: $$ x; h, a: m[x] == e; a, a1: m[up[x]] != b; a1, b: $$ x; b, b1: m[x] = b; b1, i: player = p;\n"
      "a, c: up[x] != none; c, h: x = up[x]; i, z: $ stop; z, end: player = keeper;");
  expect_counts_of_interpreter(game);
  EXPECT_EQ(test::quick_reasoner(game)->perft(1), 5U);
}

// Which row is written depends on a cell of that row.
TEST(CompiledCpp, ARowMayBeFoundByACellOfItself) {
  const std::string start =
      "type Player = {p}; type Score = {0}; type A = {1, 2, 3}; type B = {1, 2, 3, 4}; var x: A = 1; var y: A = 1; "
      "var g: A -> A -> A = {1: {1: 1, 2: 3, 3: 3, :2}, 2: {1: 3, :2}, :{:2}}; "
      "const row: A -> A = {1: 2, 2: 3, 3: 1, :2}; const longer: B -> A = {1: 2, 2: 3, 3: 1, :2}; begin, i: player = "
      "p; i, i1: x = A(*); i1, i2: $$ x; ";
  const std::string end =
      "i3, i4: y = A(*); i4, i5: g[y][2] == 3; i5, i6: $$ y; i6, i: player = p; i, z: $ stop; z, end: player = keeper;";
  for (const char* const what : {"row", "longer"})
    expect_counts_of_interpreter(parse(start + "i2, i3: g[g[x][1]] = " + what + "; " + end));
}

// A square at the edge has no square before it, and the board holds its default there.
TEST(CompiledCpp, ABoardIsReadOutsideOfItsKeys) {
  expect_counts_of_interpreter(
      parse("type Player = { p }; type Score = { 0, 1 }; type S = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }; "
            "type N = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, none }; type P = { e, w, b }; "
            "const up: S -> N = { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 9, 9: 10, 10: 11, 11: 12, :none }; "
            "var x: S = 1; var m: S -> P = { 1: w, 3: w, 5: w, 12: w, 7: b, :e }; begin, i: player = p; "
            "i, i1: x = S(*); i1, i2: m[x] == w; i2, i3: m[up[x]] == e; i3, i4: $$ x; i4, i5: m[x] = e; "
            "i5, s: player = p; s, s1: x = S(*); s1, s2: m[x] != w; s2, s3: $$ x; s3, s4: m[x] = w; "
            "s4, i: player = p; i, z: $ stop; z, end: player = keeper;"));
}

// The place behind the last square is no key of the board, whose default is what the check looks for.
TEST(CompiledCpp, SomePlacesAreReachedWithoutACondition) {
  std::string squares, up, two;
  for (int i = 1; i <= 36; ++i) {
    squares += fmt::format("{}c{}", i == 1 ? "" : ", ", i);
    if (i < 36) up += fmt::format("c{}: c{}, ", i, i + 1);
    if (i < 35 && i % 2 == 1) two += fmt::format("c{}: c{}, ", i, i + 2);
  }
  for (const char* const goal : {"c30", "none"})
    expect_counts_of_interpreter(
        parse("type Player = {p}; type Score = {0}; type S = {" + squares + "}; type N = {" + squares +
              ", none}; type P = {e, w, b}; const up: N -> N = {" + up + ":none}; const two: N -> N = {" + two +
              ":none};\nvar x: N = c1; var y: N = c1; var m: S -> P = {c3: e, c6: b, c9: e, c31: e, :w};\n"
              "begin, i: player = p; i, i1: x = S(*); i1, i2: $$ x; i2, i3: m[x] == w; i3, i4: ? f -> t; "
              "i4, k: player = keeper; k, k1: m[x] = e; k1, i: player = p; i, z: $ stop; z, end: player = keeper;\n"
              "f, g: y = S(*); g, h: m[up[y]] == w; h, a: y = up[y]; h, a: y = two[y]; a, h: m[y] == w; h, t: y == " +
              goal + ";"));
}

// A write to a key that the map lacks changes nothing, so that the default is what it was.
TEST(CompiledCpp, AWriteOutsideOfItsKeysLeavesABoardAsItIs) {
  const std::string start =
      "type Player = { p }; type Score = { 0 }; type S = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }; "
      "type N = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, none }; type P = { e, w, b }; "
      "const up: N -> N = { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 9, 9: 10, 10: 11, 11: 12, :none }; "
      "var x: N = 1; var y: N = 12; var off: N = none; var m: S -> P = { 1: w, 3: w, 5: w, :e }; "
      "var o: S -> S -> P = { :{ :e } }; var row: S -> P = { :b }; begin, i: player = p; i, stop: $ stop; ";
  const std::string end = "stop, k: off = none; k, end: player = keeper;";
  // Behind the move, within it, and where all values are followed together.
  for (const char* const rest :
       {"i, i1: x = N(*); i1, i2: $$ x; i2, s: player = keeper; s, s1: m[up[x]] = w; s1, i3: player = p; "
        "i3, i4: m[off] == e; i4, i5: $ kept; i5, k: y = up[y]; i3, i6: m[off] != e; i6, k: $ changed; ",
        "i, i1: x = N(*); i1, i2: $$ x; i2, i3: m[x] = w; i3, i4: m[off] == e; i4, i5: y = N(*); i5, i6: m[y] == w; "
        "i6, i7: $$ y; i7, i: player = p; ",
        "i, i1: x = S(*); i1, i2: m[x] != w; i2, i3: $$ x; i3, i4: m[up[x]] = b; i4, i5: m[up[x]] == b; "
        "i5, i: player = p; ",
        "i, i1: x = N(*); i1, i2: $$ x; i2, i3: m[up[x]] = P(*); i3, i4: m[off] == e; i4, i5: m[up[x]] != e; "
        "i5, i: player = p; ",
        "i, i1: x = N(*); i1, i2: $$ x; i2, i3: o[up[x]] = row; i3, i4: o[up[x]][1] == b; i4, i: player = p; "})
    expect_counts_of_interpreter(parse(start + rest + end));
}

// The check fills cells until one of them is full. With a key that the map lacks it comes back to where it was.
TEST(CompiledCpp, AWriteOutsideOfItsKeysFillsNoCell) {
  const ir::Game game = parse(
      "type Player = { p }; type Score = { 0 }; type S = { 1, 2, 3 }; type N = { 1, 2, 3, none }; type P = { e, w }; "
      "var x: N = none; var m: S -> P = { :e }; begin, i: player = p; i, i1: x = N(*); i1, i2: $$ x; i2, k: ! f -> t; "
      "k, i: player = p; i, z: $ stop; z, end: player = keeper; f, a: m[x] == e; a, f: m[x] = w; f, t: m[3] == w;");
  expect_counts_of_interpreter(game);
  EXPECT_EQ(test::quick_reasoner(game)->perft(1), 4U);
}

// Maps of different keys: a key that one of them lacks gives its default.
TEST(CompiledCpp, MapsOfDifferentKeysAreComparedAndCopied) {
  expect_counts_of_interpreter(
      parse("type Player = { p }; type Score = { 0, 1 }; type A = { 1, 2 }; type B = { 1, 2, 3 }; type V = { v, w }; "
            "var a: A -> V = { :v }; var b: B -> V = { :v }; var x: B = 1; var y: V = v; begin, i: player = p; "
            "i, i1: x = B(*); i1, i2: $$ x; i2, i3: y = V(*); i3, i4: $$ y; i4, i5: b[x] = y; i5, s: player = p; "
            "s, s1: a == b; s1, s2: $ eq; s, t9: b == a; t9, s2: $ eq2; s, u1: a != b; u1, s2: $ ne; "
            "s, v1: a = b; v1, s2: $ copied; s2, t: player = p; t, t1: x = B(*); t1, t2: a[x] == w; "
            "t2, t3: $$ x; t, t3: $ more; t3, i: player = p; t, z: $ stop; z, end: player = keeper;"));
}

TEST(CompiledCpp, RefusesCopiesWhereTheDefaultWouldChange) {
  EXPECT_THROW(
      generate(parse(
          "type Player = { p }; type Score = { 0, 1 }; type A = { 1, 2 }; type B = { 1, 2, 3 }; type V = { v, w };"
          "var a: A -> V = { :v }; var b: B -> V = { :w }; var x: B = 1;"
          "begin, s: player = p; s, t: a = b; t, t1: x = B(*); t1, t2: a[x] == w; t2, t3: $$ x;"
          "t3, z: player = p; z, k: $ k; k, end: player = keeper;")),
      Error);
}

// A check explores, for which nothing is at hand where a move is guessed.
TEST(GenerateCpp, NoMoveIsGuessedBehindACheck) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type X = {a, b, c, d, e, f, g, h, i, j, k, l}; type C = {e, w};\n"
      "var board: X -> C = {c: w, :e}; var x: X = a; var y: X = a;\n"
      "begin, s: player = p; s, s1: x = X(*); s1, s2: ? t -> u; s2, s3: board[x] == e; s3, s4: $$ x;\n"
      "s4, s5: board[x] = w; s5, v: player = keeper; t, t1: y = X(*); t1, t2: board[y] == e; t2, u: y != a;\n"
      "v, v1: board[a] == e; v1, s: player = p; v, v2: board[a] != e; v2, end: player = keeper;");
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::Not(testing::HasSubstr("bool guess_move(const")));
}

TEST(GenerateCpp, AWalkThatIsOneMoveAtMostWaitsUntilItIsDrawn) {
  EXPECT_THAT(file(generate(parse(kMarked)), "reasoner.cpp"), testing::HasSubstr("add_waiting("));
}

// Of stored states moves are listed, so tests of drawing leave `memory` out. The walk will come to the question, so it
// waits before it writes. Where a condition lies between, it keeps what it has written.
TEST(GenerateCpp, AWalkThatWaitsDoesSoAsSoonAsItIsSure) {
  std::string text = kMarked;
  EXPECT_THAT(file(generate(parse(text)), "reasoner.cpp"), testing::Not(testing::HasSubstr("= note_write(")));
  text.replace(text.find("u, v: ?"), 7, "u, u1: x != c; u1, v: ?");
  EXPECT_THAT(file(generate(parse(text)), "reasoner.cpp"), testing::HasSubstr("= note_write("));
  const auto reasoner = test::quick_reasoner(parse(text), test::without("memory"));
  EXPECT_EQ(reasoner->perft(1), 2U);
  const PlayoutStats stats = reasoner->playouts({.count = 30'000, .sample = true});
  EXPECT_NEAR(stats.goal_sum[0], 45'000, 500);
  EXPECT_NEAR(stats.goal_squares[0], 75'000, 1'500);
}

TEST(CompiledCpp, OfWalksThatWaitThosePossibleAreDrawnEachAsOften) {
  const auto reasoner = test::quick_reasoner(parse(kMarked), test::without("memory"));
  EXPECT_EQ(reasoner->perft(1), 3U);
  const PlayoutStats stats = reasoner->playouts({.count = 30'000, .sample = true});
  EXPECT_NEAR(stats.goal_sum[0], 60'000, 600);
  EXPECT_NEAR(stats.goal_squares[0], 140'000, 2'500);
  EXPECT_NEAR(static_cast<double>(stats.branching_sum), 90'000, 1'000) << "right on average";
}

TEST(CompiledCpp, CountsScoresThatAreWrittenWithAConstructor) {
  const auto reasoner =
      test::quick_reasoner(parse("type Player = { p, q }; type Score = { S__0, S__4 }; begin, s: player = p; s, t: $ a;"
                                 "t, u: goals[q] = S__4; u, e: player = keeper; e, end: player = keeper;"));
  const PlayoutStats stats = reasoner->playouts({.count = 10});
  EXPECT_EQ(stats.goal_sum[1], 40);
  EXPECT_EQ(stats.wins[1], 10U);
  EXPECT_EQ(reasoner->info().most_goal, 4);
}

// Playouts for some time are partly played side by side; one that waits for the others is none that is left out.
// As in the interpreter.
TEST(CompiledCpp, WhoPlaysAloneWinsWithSomething) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0, 9}; type X = {a, b, c}; var x: X = a;\n"
      "begin, s: player = p; s, t: x = X(*); t, u: $$ x; u, v: x == b; v, w: goals[p] = 9; u, w: x != b;\n"
      "w, end: player = keeper;");
  const PlayoutStats stats = test::quick_reasoner(game)->playouts({.count = 300});
  EXPECT_EQ(static_cast<double>(stats.wins[0]) * 9, stats.goal_sum[0]);
  EXPECT_LT(stats.wins[0], 300U);
  const PlayoutStats interpreted = make_interpreter(game)->playouts({.count = 300});
  EXPECT_EQ(static_cast<double>(interpreted.wins[0]) * 9, interpreted.goal_sum[0]);
}

TEST(CompiledCpp, PlayoutsSideBySideAreLikeOthers) {
  const auto reasoner = test::quick_reasoner(parse(
      "type Player = {p}; type Score = {0, 1, 2}; type X = {a, b, c, d}; var x: X = a;\n"
      "begin, s: player = p; s, t: x = X(*); t, u: $$ x; u, v: x == a; v, begin: player = keeper;\n"
      "u, w: x != a; w, y: x == b; y, e: goals[p] = 1; w, z: x != b; z, e: goals[p] = 2; e, end: player = keeper;"));
  for (const bool sample : {false, true}) {
    const PlayoutStats stats = reasoner->playouts({.seconds = 0.05, .sample = sample});
    const auto plays = static_cast<double>(stats.playouts);
    ASSERT_GT(stats.playouts, 10'000U);
    EXPECT_NEAR(stats.goal_sum[0] / plays, 5.0 / 3, 0.02);
    EXPECT_NEAR(static_cast<double>(stats.moves) / plays, 4.0 / 3, 0.03);
    EXPECT_EQ(stats.branching_sum, 4 * stats.moves);
    EXPECT_EQ(stats.min_length, 1U);
    const PlayoutStats cut = reasoner->playouts({.seconds = 0.05, .max_moves = 1, .sample = sample});
    EXPECT_NEAR(static_cast<double>(cut.stopped) / static_cast<double>(cut.playouts), 0.25, 0.02);
    EXPECT_EQ(cut.max_length, 1U);
  }
}

// The condition before the second choice of x holds always, so no code reads the first value there.
TEST(CompiledCpp, AVariableIsChosenAgainBehindTwoChoicesThatWait) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0}; type T = {1, 2, 3}; type U = {1, 2}; type N = T -> U; const o: N = {:1};\n"
      "var x: T = 3; var z: U = 2; begin, a: player = random; a, b: x = T(*); b, c: $$ x; c, d: z = U(*); d, e: $$ z;\n"
      "e, f: o[x] != 2; f, g: x = T(*); g, h: $$ x; h, i: z = U(*); i, j: $$ z; j, end: player = keeper;");
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("add_waiting_set("));
  EXPECT_EQ(test::quick_reasoner(game)->perft(1), 6U) << "random's moves to equal states count once";
}

// The value a continues with two moves, b with one, c with two, and d with none, which the condition determines.
TEST(CompiledCpp, OfValuesThatWaitTogetherMovesAreDrawnEachAsOften) {
  const ir::Game game = parse(
      "type Player = {p}; type Score = {0, 1, 2, 3, 4, 5}; type X = {a, b, c, d}; type Y = {e, f};\n"
      "type Piece = {free, mark, taken}; const both: X -> Y = {b: e, :f};\n"
      "const worth: X -> Y -> Score = {a: {e: 1, :2}, b: {:3}, :{e: 4, :5}};\n"
      "var x: X = a; var y: Y = e; var z: X = a; var board: X -> Piece = {d: mark, :free};\n"
      "begin, s: player = p; s, t: x = X(*); t, u: board[x] = taken; u, v: ? q -> r; v, w: $$ x; w, h: y = Y(*);\n"
      "h, i: y == e; h, j: y == f; j, i: both[x] == f; i, l: $$ y; l, k: goals[p] = worth[x][y];\n"
      "k, end: player = keeper; q, m: z = X(*); m, r: board[z] == mark;");
  EXPECT_THAT(file(generate(game), "reasoner.cpp"), testing::HasSubstr("add_waiting_set("));
  const auto reasoner = test::quick_reasoner(game);
  EXPECT_EQ(reasoner->perft(1), 5U);
  const PlayoutStats stats = reasoner->playouts({.count = 30'000, .sample = true});
  EXPECT_NEAR(stats.goal_sum[0], 90'000, 1'000);
  EXPECT_NEAR(stats.goal_squares[0], 330'000, 6'500);
  EXPECT_NEAR(static_cast<double>(stats.branching_sum), 150'000, 2'500) << "right on average";
}

// Two pieces jump one to eight cells along a ring, to cells that are empty or have a piece to take: one target each. A
// draw takes both pieces as candidates at once. One of sixteen jumps ends on a piece of the mover.
TEST(CompiledCpp, PiecesOfAKindAreDrawnBeforeTheyAreLookedAt) {
  std::string cells;
  std::string maps;
  std::string ways;
  for (int i = 0; i < 16; ++i) cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  for (int far = 1; far <= 8; ++far) {
    std::string map;
    for (int i = 0; i < 16; ++i) map += fmt::format("{}x{}: x{}", i > 0 ? ", " : "", i, (i * 5 + far) % 16);
    maps += fmt::format("const go{}: X -> X = {{{}, :x0}};\n", far, map);
    ways += fmt::format("u, w{0}: x = go{0}[x]; w{0}, v: $$ x;\n", far);
  }
  const ir::Game game =
      parse("type Player = {p}; type Score = {0, 1}; type C = {e, mine, other}; type X = {" + cells + "};\n" + maps +
            "var x: X = x0; var taken: C = e; var board: X -> C = {x0: mine, x1: mine, x2: other, x3: other, :e};\n"
            "begin, s: player = p; s, t: x = X(*); t, t1: board[x] == mine; t1, t2: $$ x;\n"
            "t2, u: board[x] = e;\n" +
            ways +
            "v, f: board[x] == e; v, o: board[x] == other; f, y: ; o, y: taken = other; y, y1: board[x] = mine;\n"
            "y1, y2: player = keeper; y2, g: board[x2] == mine; g, k: goals[p] = 1; y2, k: board[x2] != mine;\n"
            "k, end: player = keeper;");
  const std::string code = file(generate(game), "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr("out = add_pairs(c, out"));
  const auto reasoner = test::quick_reasoner(game);
  EXPECT_EQ(reasoner->perft(1), 15U);
  EXPECT_EQ(make_interpreter(game)->perft(1), 15U);
  const PlayoutStats stats = reasoner->playouts({.count = 30'000, .sample = true});
  EXPECT_NEAR(stats.goal_sum[0], 2'000, 250);
  EXPECT_NEAR(static_cast<double>(stats.branching_sum), 450'000, 6'000) << "right on average";
}

// Two pieces jump over stones and may continue: one reaches one cell, the other three, and each may stay. The first
// move shows so many more tags.
ir::Game jumps_over_stones(int more_tags) {
  std::string cells;
  std::string right;
  std::string left;
  for (int i = 0; i < 16; ++i) cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  for (int i = 0; i + 1 < 16; ++i) right += fmt::format("x{}: x{}, ", i, i + 1);
  for (int i = 1; i < 16; ++i) left += fmt::format("x{}: x{}, ", i, i - 1);
  std::string shown;
  for (int i = 0; i < more_tags; ++i) shown += fmt::format("m{}, m{}: $ x{}; ", i, i + 1, i % 16);
  return parse(
      "type Player = {p}; type Score = {0, 1, 2, 3, 4, 5}; type C = {e, mine, other, out}; type Cell = {" + cells +
      "}; type X = {" + cells + ", n};\nconst right: X -> X = {" + right + ":n}; const left: X -> X = {" + left +
      ":n};\nconst worth: X -> Score = {x0: 1, x2: 2, x4: 3, x6: 4, x8: 5, :0}; var x: X = x0; var y: X = x0;\n"
      "var board: X -> C = {x0: mine, x4: mine, x1: other, x3: other, x5: other, n: out, :e};\n"
      "begin, b: player = p; b, b1: y = Cell(*); b1, m0: $$ y; " +
      shown + fmt::format("m{}, b3", more_tags) +
      ": board[y] = other; b3, s: player = keeper;\n"
      "s, s1: player = p; s1, t: x = Cell(*); t, u: board[x] == mine; u, v: $$ x; v, j: board[x] = e;\n"
      "j, r1: board[right[x]] == other; r1, r2: board[right[right[x]]] == e; r2, j: x = right[right[x]];\n"
      "j, l1: board[left[x]] == other; l1, l2: board[left[left[x]]] == e; l2, j: x = left[left[x]];\n"
      "j, f: ; f, g: $$ x; g, h: board[x] = mine; h, k: goals[p] = worth[x]; k, end: player = keeper;");
}

// Moves that are no numbers have room for each tag in bytes of its own, and no candidates are drawn of them.
TEST(CompiledCpp, LongMovesAreDrawn) {
  constexpr int kMore = 30;
  EXPECT_THAT(file(generate(jumps_over_stones(kMore)), "reasoner.cpp"),
              testing::Not(testing::HasSubstr("constexpr SecondTargets")));
  std::string cells;
  std::string shown;
  for (int i = 0; i < 16; ++i) cells += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  for (int i = 0; i < kMore; ++i) shown += fmt::format("m{}, m{}: $ x{}; ", i, i + 1, i % 16);
  const ir::Game game =
      parse("type Player = {p, q}; type Score = {0, 1}; type C = {e, w}; type X = {" + cells +
            "}; var board: X -> C = {x3: w, :e}; var x: X = x0; var y: X = x0;\n"
            "begin, a: player = p; a, a1: $ put; a1, a2: x = X(*); a2, a3: board[x] == e; a3, a4: $$ x;\n"
            "a4, a5: board[x] = w; a5, b: player = q; b, b1: y = X(*); b1, m0: $$ y;" +
            shown + fmt::format("m{}, k", kMore) +
            ": player = keeper; k, k1: board[x0] == e; k1, a: player = p;\n"
            "k, k2: board[x0] != e; k2, k3: goals[p] = 1; k3, end: player = keeper;");
  const std::string code = file(generate(game), "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr("guess_move("));
  const PlayoutStats stats = test::quick_reasoner(game)->playouts({.count = 3'000, .sample = true});
  EXPECT_EQ(stats.goal_sum[0], 3'000) << "no play is stuck";
  EXPECT_NEAR(static_cast<double>(stats.moves), 48'000, 1'900);
}

// A draw takes all cells that each could ever reach as candidates, and tests whether the drawn one is reached.
TEST(CompiledCpp, WhatIsReachedIsAskedOfTheMoveThatIsDrawn) {
  const ir::Game game = jumps_over_stones(0);
  const std::string code = file(generate(game), "reasoner.cpp");
  EXPECT_THAT(code, testing::HasSubstr("is_reached<"));
  EXPECT_THAT(code, testing::HasSubstr("constexpr SecondTargets"));
  expect_counts_of_interpreter(game);
  const Built built = build(game);
  void* const library = dlopen(built.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const rgtrans_reasoner& f = *reinterpret_cast<decltype(&rgtrans_get_reasoner)>(
      dlsym(library, "rgtrans_get_reasoner"))(RGTRANS_REASONER_VERSION);
  void* const cache = f.new_cache();
  std::uint64_t random = 1;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int>
      times;  // by the stone that was added, and the place of a piece
  std::map<std::uint32_t, std::size_t> listed;
  constexpr int kDraws = 64'000;
  for (int i = 0; i < kDraws; ++i) {
    alignas(64) std::array<unsigned char, 4096> state{};
    ASSERT_LT(f.state_size, state.size());
    f.initial(state.data());
    std::array<std::uint32_t, 3> tags{};
    const auto keeper = [&] {
      while (f.terminal(state.data()) == 0 && f.mover(state.data()) == f.players)
        ASSERT_EQ(f.apply_tags(state.data(), cache, nullptr, 0), 1);
    };
    keeper();
    ASSERT_EQ(f.random_move(state.data(), cache, &random, tags.data()), 1);
    const std::uint32_t stone = tags[0];
    keeper();
    const std::size_t count = f.list_moves(state.data(), cache);
    ASSERT_EQ(f.random_move(state.data(), cache, &random, tags.data()), count > 0 ? 2 : -1);
    if (count == 0) continue;
    ++times[{stone, tags[0] * 100 + tags[1]}];
    listed[stone] = count;
  }
  f.delete_cache(cache);
  dlclose(library);
  std::size_t all = 0;
  for (const auto& [stone, count] : listed) all += count;
  EXPECT_EQ(times.size(), all);
  for (const auto& [move, count] : times)
    EXPECT_NEAR(count, kDraws / 16.0 / static_cast<double>(listed[move.first]), 260) << move.first;
}

}  // namespace
}  // namespace rgtrans::cpp
