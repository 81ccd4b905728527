// The command line can set every limit. An input that exceeds it gets a message with the place, the size that grew, and
// the option that allows more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <vector>

#include "frontends/registry/registry.hpp"
#include "tests/cli/run.hpp"

namespace rgtrans::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kRg =
    "type Player = { p };\ntype Score = { 0 };\ntype T = { a, b };\ntype M = T -> T -> T;\nvar m: M = { :{ :a } };\n"
    "var x: T = a;\nbegin, s: player = p;\ns, t: m[x][m[x][a]] == b;\ns, t: m[x][x] = b;\nt, end: player = keeper;\n";
constexpr const char* kHrg =
    "domain Player = p\ndomain Score = 0 | 1\ndomain N = 0 | 1 | 2 | 3 | 4\ndomain C = S(X, Y) where X in 0..4, Y in "
    "0..4\n"
    "inc : N -> N\ninc(X) = if (X + 1) % 2 == 0 then down(X + 0) else 0\n"
    "down : N -> N\ndown(X) = if X == 0 then 0 else down(X - 1)\n"
    "c : C\nn : N\ngraph a() { repeat 10 { n = inc[n] } }\ngraph b() { a() a() }\n"
    "graph rules() { loop { player = p $ t b() player = keeper if n == 0 { end() } } }\n";
constexpr const char* kRbg =
    "#players = a(9)\n#pieces = e, x\n#variables = v(50)\n#two(f) = f f\n#four(f) = two(f) two(two(f))\n"
    "#board = rectangle(up,down,left,right, [e,x,e] [e,e,e])\n"
    "#rules = ->a four(right*) ({e} + ({x} ([x]))) [$ v = v + 3 * v] ->> {}\n";
constexpr const char* kGdl =
    "(role r) (init (f 1)) (succ 1 2) (succ 2 3)\n(<= (legal r (go ?y)) (true (f ?x)) (or (succ ?x ?y) (succ ?y ?x)))\n"
    "(<= (next (f ?y)) (does r (go ?y)))\n(<= terminal (true (f 3)))\n(goal r 100)\n(<= (next (g (h (h ?x)))) (true (f "
    "?x)))\n";
constexpr const char* kGrowing =
    "(role r) (init (f 1))\n(<= (legal r (go ?x)) (true (f ?x)))\n(<= (next (f (s ?x))) (true (f ?x)))\n"
    "(<= terminal (true (f 3)))\n(goal r 100)\n";
constexpr const char* kLines =
    R"({"board": {"kind": "grid", "width": 3, "height": 3}, "pieces": [{"player": "black", "rows": {"first": 1}},
        {"player": "white", "rows": {"last": 1}}]})";

constexpr const char* kLudax =
    "(game \"G\" (players 2) (equipment (board (square 3))) (rules (play (repeat (P1 P2) (place (destination "
    "empty))))\n"
    "(end (if (>= (count occupied) 8) (draw)) (if (full_board) (draw)))))\n";

constexpr const char* kLudii =
    "(define \"Drop\" (move Add (to (sites Empty))))\n(define \"Both\" (or \"Drop\" \"Drop\"))\n"
    "(game \"G\" (players 2) (equipment { (board (square 3)) (piece \"Disc\" Each) })\n"
    "(rules (play \"Both\") (end (if (is Line 3) (result Mover Win)))))\n";

struct Case {
  const char* limit;
  unsigned value;
  const char* language;
  const char* text;
  const char* grown;  // that the message must contain
  std::vector<std::string> arguments = {};
};

const std::vector<Case> kCases = {
    {"input-bytes", 100, "rg", kRg, "more than 100 bytes"},
    {"text-bytes", 100, "rg", kRg, "more than 100 bytes"},
    {"rg-nesting", 1, "rg", kRg, "nested more than 1"},
    {"rg-json-values", 5, "json", R"({"types": [1, 2, 3, 4, 5, 6, 7]})", "more than 5 JSON values"},
    {"rg-text-symbols", 3, "rg", kRg, "more than 3 symbols"},
    {"json-text-symbols", 3, "rg", kRg, "more than 3 symbols", {"--to", "json"}},
    {"hrg-nesting", 2, "hrg", kHrg, "nested too deeply"},
    {"hrg-operators", 2, "hrg",
     "domain Player = p\nf : Player -> Player\nf(X) = if X + 1 + 1 + 1 + 1 == 1 then p else p\n", "too long"},
    {"hrg-domain-elements", 20, "hrg", kHrg, "too many elements"},
    {"hrg-table-cells", 3, "hrg", kHrg, "too large"},
    {"hrg-call-depth", 2, "hrg", kHrg, "may be nested 2 deep"},
    {"hrg-expression-depth", 3, "hrg", kHrg, "nested too deeply"},
    {"hrg-evaluation-steps", 5, "hrg", kHrg, "too long to compute"},
    {"hrg-edges", 10, "hrg", kHrg, "automaton becomes too large"},
    {"hrg-statements", 10, "hrg", kHrg, "too large when its graphs are copied"},
    {"hrg-block-depth", 2, "hrg", kHrg, "nested too deeply"},
    {"rbg-nesting", 2, "rbg", kRbg, "nested more than 2"},
    {"rbg-actions", 3, "rbg", kRbg, "more than 3 actions"},
    {"rbg-board-edges", 5, "rbg", kRbg, "more than 5 edges"},
    {"rbg-tokens", 5, "rbg", kRbg, "grows beyond all measure"},
    {"rbg-expansion-steps", 5, "rbg", kRbg, "grows beyond all measure"},
    {"rbg-macro-calls", 2, "rbg", kRbg, "grows beyond all measure"},
    {"rbg-macro-depth", 1, "rbg", kRbg, "macros are nested more than 1"},
    {"rbg-integer", 20, "rbg", kRbg, "larger than 20"},
    {"rbg-table", 3, "rbg", kRbg, "tables that are too large"},
    {"gdl-nesting", 3, "gdl", kGdl, "nesting is deeper than 3"},
    {"gdl-alternatives", 1, "gdl", kGdl, "more than 1 alternatives"},
    {"gdl-rules", 3, "gdl", kGdl, "more than 3 rules"},
    {"gdl-term-depth", 5, "gdl", kGrowing, "ever larger terms"},
    {"gdl-edges", 5, "gdl", kGdl, "more than 5 edges"},
    {"linegames-points", 5, "linegames", kLines, "more than 5 points"},
    {"linegames-values", 5, "linegames", kLines, "more than 5 JSON values"},
    {"ludax-nesting", 3, "ludax", kLudax, "nested more than 3 deep"},
    {"ludax-cells", 5, "ludax", kLudax, "more than 5"},
    {"ludax-table", 5, "ludax", kLudax, "tables that are too large"},
    {"ludii-nesting", 3, "ludii", kLudii, "nested more than 3 deep"},
    {"ludii-expansions", 2, "ludii", kLudii, "too many uses of defines"},
    {"ludii-characters", 50, "ludii", kLudii, "make the text too long"},
    {"ludii-sites", 5, "ludii", kLudii, "the board is too large"},
    {"ludii-instances", 10, "ludii", kLudii, "automaton becomes too large"},
    {"cpp-cells", 3, "rg", kRg, "more than 3 cells", {"--to", "cpp"}},
};

Outcome run(const Case& c, const std::string& limit) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {"--from", c.language, "-O0", folder.file("input", c.text), "--limit", limit};
  arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
  if (!c.arguments.empty() && c.arguments.back() == "cpp") {
    arguments.insert(arguments.end(), {"-o", (folder.path() / "out").string()});
  }
  return run_rgtrans(arguments);
}

TEST(Limits, EachIsNamedInTheMessageOfWhatExceedsIt) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.limit);
    const Outcome outcome = run(c, std::string(c.limit) + "=" + std::to_string(c.value));
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(c.grown), HasSubstr(c.limit)));
  }
}

// The message comes before the text is read, and without memory for it.
TEST(Limits, ATextThatNobodyCanHaveWrittenIsRefusedAtOnce) {
  const TemporaryFolder folder;
  const std::string file = folder.file("large.hrg", "domain Player = p\n");
  std::filesystem::resize_file(file, 100U << 20U);
  const auto begin = std::chrono::steady_clock::now();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", file}, std::vector<std::string>{"perft", file, "1"},
        std::vector<std::string>{"format", file}, std::vector<std::string>{"moves", "--engine", "interpreter", file}}) {
    const Outcome outcome = run_rgtrans(command);
    EXPECT_EQ(outcome.code, 1) << command[0];
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("more than 33554432 bytes"), HasSubstr("--limit text-bytes=")))
        << command[0];
  }
  const Outcome batch = run_rgtrans({"batch", file, "-o", (folder.path() / "out").string()});
  EXPECT_EQ(batch.code, 3);
  EXPECT_THAT(batch.err, HasSubstr("more than 33554432 bytes"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(Limits, EachHasACase) {
  // Memory cannot be exceeded by a small game; more code than that is no error, nor is an effort that ends.
  std::set<std::string> without = {"gdl-memory", "cpp-code", "rbg-effort", "gdl-effort",
                                   // The folder of a test has few files (tests/frontends/ludii).
                                   "ludii-define-files"};
  for (const Case& c : kCases) without.insert(c.limit);
  for (const Limit* limit : all_limits()) {
    EXPECT_TRUE(without.contains(std::string(limit->name()))) << limit->name() << " is not tested";
    EXPECT_LE(limit->standard(), limit->most()) << limit->name();
    EXPECT_THAT(run_rgtrans({"limits"}).out, HasSubstr(std::string(limit->name())));
  }
}

TEST(Limits, WhatAnEffortLeftOutIsToldWithNotes) {
  std::string row = "[e";
  for (int i = 1; i < 60; ++i) row += ",e";
  std::string board;
  for (int i = 0; i < 60; ++i) board += row + "]\n";
  const TemporaryFolder folder;
  const std::string game = folder.file(
      "large.rbg",
      "#players = a(100), b(100)\n#pieces = e, x\n#variables =\n#board = rectangle(up,down,left,right,\n" + board +
          ")\n#any = (up* + down*)(left* + right*)\n#rules = (->a any {e} ->> [x] ->b any {e} ->> [x])*\n");
  EXPECT_THAT(run_rgtrans({"-O0", "--notes", "--limit", "rbg-effort=1", game}).err,
              HasSubstr("note: tables of successors on the board: the effort ended"));
  EXPECT_EQ(run_rgtrans({"-O0", "--notes", game}).err, "");
  EXPECT_EQ(run_rgtrans({"-O0", "--limit", "rbg-effort=1", game}).err, "");
}

TEST(Limits, MoreCodeThanAllowedBecomesTables) {
  for (const bool tables : {false, true}) {
    const TemporaryFolder folder;
    const std::string limit = tables ? "cpp-code=50" : "cpp-code=50000";
    const Outcome outcome = run_rgtrans(
        {"--limit", limit, "--to", "cpp", "-o", (folder.path() / "out").string(), folder.file("input.rg", kRg)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(std::filesystem::exists(folder.path() / "out/reasoner_tables.cpp"), tables);
  }
}

TEST(Limits, TheDefaultsAreWideEnoughForTheSameGames) {
  for (const Case& c : kCases) {
    if (c.text == kGrowing || std::string(c.limit) == "rg-json-values" || std::string(c.limit) == "hrg-operators")
      continue;
    const Outcome outcome = run(c, "rg-nesting=200");
    EXPECT_EQ(outcome.code, 0) << c.limit << "\n" << outcome.err;
  }
}

TEST(Limits, NonsenseIsRefused) {
  const TemporaryFolder folder;
  const std::string file = folder.file("game.rg", kRg);
  const auto say = [&](const std::string& what) { return run_rgtrans({file, "--limit", what}); };
  EXPECT_THAT(say("hrg-edgse=5").err, AllOf(HasSubstr("there is no limit"), HasSubstr("hrg-edges")));
  for (const char* value : {"hrg-edges", "hrg-edges=", "hrg-edges=0", "hrg-edges=-1", "hrg-edges=1e3",
                            "hrg-edges=99999999999999999999999", "hrg-nesting=100000"}) {
    const Outcome outcome = say(value);
    EXPECT_NE(outcome.code, 0) << value;
    EXPECT_THAT(outcome.err, HasSubstr("cannot be")) << value;
  }
}

}  // namespace
}  // namespace rgtrans::test
