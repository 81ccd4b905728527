// The table of rewrites: its rules are GDL again, each rewrite keeps the game, and a wrong one is noticed.
#include <gmock/gmock.h>

#include <set>

#include "frontends/gdl/ground/rule_text.hpp"
#include "frontends/gdl/rewriting.hpp"
#include "tests/support/gdl_lift.hpp"
#include "tests/support/gdl_steps.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string our_game(std::string_view name) {
  return read_file(std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / "gdl" / name);
}

// The rules behind a rewrite.
std::string rules_behind(const std::string& text, std::string_view rewrite) {
  const auto sources = std::make_shared<Sources>();
  const Program program = read_rules(text, sources);
  std::string rules, why;
  lifted::LiftOptions options;
  options.watch = keep_rules(rules, rewrite);
  try {
    lifted::lift(program, sources, {}, options, why);
  } catch (const RewritingStopped&) {
  }
  return rules;
}

// What verification says about all rewrites, or "".
std::string verified(const std::string& text) {
  const auto sources = std::make_shared<Sources>();
  const Program program = read_rules(text, sources);
  std::string why;
  lifted::LiftOptions options;
  options.watch = verify_rewrites(program);
  try {
    lifted::lift(program, sources, {}, options, why);
  } catch (const Error& problem) {
    return problem.diagnostics().front().message;
  }
  return why;
}

constexpr const char* kNim = R"((role a) (role b)
(init (control a)) (init (heap 5))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?m)) (succ ?n ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?n)) (does ?p (take ?n)))
(<= (next (control a)) (true (control b)))
(<= (next (control b)) (true (control a)))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (control ?p))))";

TEST(Rewrites, HaveDifferentNamesAndADescription) {
  std::set<std::string_view> names;
  for (const NamedRewrite& rewrite : rewrites()) {
    EXPECT_TRUE(names.insert(rewrite.name).second) << rewrite.name;
    EXPECT_FALSE(rewrite.help.empty()) << rewrite.name;
  }
  EXPECT_GE(names.size(), 10U);
  const std::string page = read_file(std::filesystem::path(RGTRANS_SOURCE_DIR) / "docs" / "gdl-lifted.md");
  for (const std::string_view name : names) EXPECT_THAT(page, HasSubstr(fmt::format("`{}`", name)));
}

TEST(Rewrites, PrintRulesThatAreADescription) {
  const std::string again = rule_text(read_rules(kNim));
  Direct one(kNim), other(again);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) EXPECT_EQ(test::difference(one, other, seed, 20), "") << again;
}

TEST(Rewrites, PrintWhatTheyMade) {
  const std::string board = our_game("breakthrough-6x6.kif");
  EXPECT_THAT(rules_behind(board, "flatten-terms"), Not(HasSubstr("1_2")));
  EXPECT_THAT(rules_behind(board, "join-cells"), HasSubstr("(init (cell 1_2 "));
  EXPECT_EQ(rules_behind(board, ""), rules_behind(board, rewrites().back().name));
}

TEST(Rewrites, SplitARelationThatQueriesItselfWithOtherConstants) {
  const std::string game = R"((role a) (init (f 1)) (<= (legal a go) (true (f 1))) (<= (next (f 2)) (true (f 1)))
(<= terminal (true (f 2))) (<= (goal ?r ?v) (score ?r ?v)) (<= (score ?r 100) (role ?r) (true (f 2))))";
  const std::string split =
      rules_behind(game + "(<= (score ?r 0) (role ?r) (not (score ?r 100)))", "separate-constants");
  EXPECT_THAT(split, HasSubstr("(<= (score_0 ?r)\n    (role ?r)\n    (not (score_100 ?r)))"));
  EXPECT_THAT(split, HasSubstr("(<= (score ?1 100)\n    (score_100 ?1))"));
  // A variable in the query may be any constant.
  const std::string whole =
      rules_behind(game + "(<= (score ?r 0) (role ?r) (not (score ?r ?r)))", "separate-constants");
  EXPECT_THAT(whole, HasSubstr("(not (score ?r ?r))"));
}

TEST(Rewrites, KeepOurGames) {
  for (const char* name : {"auction.kif", "blocker.kif", "tic-tac-toe.kif", "goofspiel.kif", "connect-four.kif"})
    EXPECT_EQ(verified(our_game(name)), "") << name;
}

TEST(Rewrites, KeepAllOurGames) {
  if (!corpus::full()) GTEST_SKIP();
  const std::filesystem::path games = std::filesystem::path(RGTRANS_SOURCE_DIR) / "games" / "gdl";
  for (const auto& entry : std::filesystem::directory_iterator(games)) {
    if (entry.path().extension() != ".kif") continue;
    EXPECT_THAT(verified(read_file(entry.path())), Not(HasSubstr("rewrite"))) << entry.path();
  }
}

// Each rule is left out once, and the first difference is named.
TEST(Rewrites, AreWrongIfTheyChangeTheGame) {
  const std::string text = kNim;
  const auto problem = [&](std::string_view from, std::string_view to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    const RewriteWatch watch = verify_rewrites(read_rules(text));
    try {
      watch({"drop-trails", [&] { return rule_text(read_rules(changed)); }});
    } catch (const Error& error) {
      return error.diagnostics().front().message;
    }
    return std::string();
  };
  EXPECT_EQ(problem("(succ 4 5)", "(succ 4 5)"), "");
  EXPECT_EQ(problem("(succ 4 5)", ""),
            "rewrite drop-trails changed the game: a no longer has the move (take 4) in the initial state");
  EXPECT_EQ(problem("(succ 4 5)", "(succ 4 5) (succ 1 5)"),
            "rewrite drop-trails changed the game: a has the new move (take 1) in the initial state");
  EXPECT_THAT(problem("(heap 0)", "(heap 1)"), HasSubstr("the play ends after (take 4)"));
  EXPECT_THAT(problem("?p 100", "?p 50"), HasSubstr("the goal of a is 50 instead of 100"));
}

TEST(Rewrites, AreNotPlayedIfTheEvaluatorRefusesTheRules) {
  const std::string unstratified = std::string(kNim) + "(<= p (not q)) (<= q (not p)) (<= terminal p)";
  const RewriteWatch watch = verify_rewrites(read_rules(unstratified));
  EXPECT_NO_THROW(watch({"drop-trails", [] { return rule_text(read_rules(kNim)); }}));
}

TEST(Rewrites, SayWhichRulesAreNoDescription) {
  const RewriteWatch watch = verify_rewrites(read_rules(kNim));
  EXPECT_THROW(watch({"drop-trails", [] { return std::string("(role"); }}), Error);
}

// --- Plans. ---

std::string plans_of(const std::string& text) {
  std::string plans, why;
  lifted::LiftOptions options;
  options.plans = &plans;
  EXPECT_TRUE(lifted::lift(read_rules(text), std::make_shared<Sources>(), {}, options, why)) << why;
  return plans;
}

TEST(Plans, TestBeforeTheyLookUpAndLookUpBeforeTheyChoose) {
  const std::string plans = plans_of(kNim);
  EXPECT_THAT(plans, HasSubstr("(legal ?p (take ?n))  \n"
                               "  test        (true (control ?p))\n"
                               "  key lookup  (true (heap ?m))\n"
                               "  key lookup  (succ ?n ?m)\n"));
  EXPECT_THAT(plans, HasSubstr("terminal  \n  test        (true (heap 0))\n"));
}

TEST(Plans, ChooseOnlyWhatNothingDetermines) {
  const std::string plans = plans_of(our_game("breakthrough-6x6.kif"));
  EXPECT_THAT(plans, HasSubstr("  choose "));
  EXPECT_THAT(plans, HasSubstr("(wins ?p)  \n  key lookup  (opponent ?p ?q)\n  not exists  (alive ?q)\n"));
}

// --- Places in the description. ---

std::string place_problem(const std::string& text, const char* form) {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.values[form];
  const Sources::File& file = diagnostics.sources()->add("game.kif", text);
  const ir::Game made = frontend().load(file, diagnostics, options);
  diagnostics.throw_if_errors();
  for (const ir::EdgeId e : made.graph.edges()) {
    const Range where = made.graph.where(e);
    if (!where.known() || diagnostics.sources()->file_of(where.begin) != &file) return "an edge without a place";
    const std::string_view rule = diagnostics.sources()->text(where);
    if (!std::holds_alternative<ir::Tag>(made.graph.label(e))) continue;
    const bool shown = rule.find("legal") != std::string_view::npos || rule.find("sees") != std::string_view::npos;
    if (!shown) return "a tag at " + std::string(rule);
  }
  for (const ir::NodeId n : made.graph.nodes())
    if (!made.graph.where(n).known()) return "a node without a place";
  return {};
}

TEST(Places, AreThoseOfTheRules) {
  EXPECT_EQ(place_problem(kNim, "lifted"), "");
  EXPECT_EQ(place_problem(kNim, "ground"), "");
  for (const char* name : {"breakthrough-6x6.kif", "connect-four.kif", "goofspiel.kif", "reversi.kif"})
    EXPECT_EQ(place_problem(our_game(name), "lifted"), "") << name;
  for (const char* name : {"tic-tac-toe.kif", "blocker.kif", "pancakes.kif", "eight-puzzle.kif", "monty-hall.kif"})
    EXPECT_EQ(place_problem(our_game(name), "ground"), "") << name;
}

}  // namespace
}  // namespace rgtrans::gdl
