// Claims that front ends make about small descriptions are recorded and hold in plays.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "backends/claims/claims.hpp"
#include "backends/interpreter/interpreter.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::claims {
namespace {

// The rewrites that rely on something; some plays evaluate it.
std::set<std::string> claimed(const std::string& name, const std::string& text, const std::string& option = "") {
  const Frontend& language = choose_frontend(name, text);
  Diagnostics diagnostics;
  FrontendOptions options;
  options.claims = true;
  if (!option.empty()) options.values.emplace(option, "");
  const ir::Game game = load_text(name, text, language, diagnostics, options);
  std::set<std::string> rewrites;
  for (const ir::Claim& claim : game.claims.list()) rewrites.insert(claim.rewrite);
  for (const auto& version : game.stages)
    for (const ir::Claim& claim : version->claims.list()) rewrites.insert(claim.rewrite);
  const auto play =
      assert_proofs(make_interpreter(game), game, rule_reader(language, *game.sources()->file_of(1), options));
  play->playouts({.count = 20, .seed = 1, .max_moves = 20});
  return rewrites;
}

// A line of three empty cells, two players a and b.
std::set<std::string> claimed_of_line(const std::string& rules) {
  return claimed("line.rbg",
                 "#players = a(1), b(1)\n#pieces = e, x, o\n#variables = t(2)\n"
                 "#board = rectangle(u,d,l,r,[e,e,e])\n#rules = " +
                     rules + "\n");
}

TEST(FrontendClaims, OfThePassesOfRbg) {
  EXPECT_TRUE(claimed_of_line("(->a (l*+r*) {e} ->> [x] ->b (l*+r*) {e} ->> [o])*").contains("add-ends"));
  EXPECT_TRUE(claimed_of_line("->a {? [x] r} [x] ->b").contains("drop-idle-steps"));
  EXPECT_TRUE(claimed_of_line("->a r* ({! {e}} + {e} r [x] + {$ t==1}) [o] ->b").contains("order-questions"));
}

TEST(FrontendClaims, OfAStepOfTheLiftedForm) {
  std::string text =
      "(role x) (role o) (init (control x)) (<= (next (control o)) (true (control x)))"
      "(<= (next (control x)) (true (control o))) (<= (legal ?r wait) (role ?r) (not (true (control ?r))))"
      "(<= (legal ?r (put ?c)) (true (control ?r)) (true (at ?c e)))"
      "(<= (legal ?r (take ?c)) (true (control ?r)) (true (at ?c ?s)) (role ?s) (distinct ?r ?s))"
      "(<= (next (at ?c ?k)) (true (at ?c ?k)) (does ?r (put ?d)) (distinct ?c ?d))"
      "(<= (next (at ?c ?k)) (true (at ?c ?k)) (does ?r (take ?d)) (distinct ?c ?d))"
      "(<= (next (at ?c ?r)) (does ?r (put ?c)))"
      "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (plus ?x ?y)) (<= terminal (true (step 12)))"
      "(<= terminal (line ?a ?b ?c) (true (at ?a ?r)) (true (at ?b ?r)) (true (at ?c ?r)) (role ?r))"
      "(<= (goal ?r 50) (role ?r))";
  for (int i = 1; i <= 16; ++i)
    text += fmt::format("(init (at {0} e)) (line {0} {1} {2}) (plus {0} {1}) ", i, i + 1, i + 2);
  const std::set<std::string> rewrites = claimed("game.kif", text, "lifted");
  EXPECT_TRUE(rewrites.contains("frames of a fact"));
  EXPECT_TRUE(rewrites.contains("the end after a step"));
  EXPECT_TRUE(rewrites.contains("lifted form"));
}

TEST(FrontendClaims, OfAlternativesOfHrg) {
  EXPECT_TRUE(claimed("game.hrg",
                      "domain Player = p | q\ndomain Score = 0 | 100\ndomain Num = 0 | 1 | 2\nn : Num = 0\n"
                      "graph rules() {\n  loop {\n    player = p\n    n = Num(*)\n    check(n == 0 || n == 1)\n"
                      "    $$ n\n    player = keeper\n    if n == 1 {\n      goals[p] = 100\n      end()\n    }\n"
                      "  }\n}\n")
                  .contains("parallel alternatives"));
}

}  // namespace
}  // namespace rgtrans::claims
