// The runs of scripts/differential: engines agree on random games of every language, and a difference is made smaller.
#include "tests/differential/driver/contest.hpp"

#include <gmock/gmock.h>

#include "tests/differential/driver/shrink.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::differential {
namespace {

using testing::HasSubstr;

TEST(Contest, EnginesAgreeOnRandomGames) {
  const std::uint64_t count = test::random_count(20);
  for (const Generator& generator : generators()) {
    const bool description = generator.extension == ".kif";
    const auto engines = engines_named(description ? "rules,network,ground-O0,ground-O2"
                                                   : "game-O0-naive,game-O0,game-O1,game-O2,game-O2-env");
    Tally tally;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
      const Outcome outcome = compare(generate(generator, seed), engines, Bounds(), tally);
      EXPECT_EQ(outcome.difference, "") << generator.name << " " << seed;
    }
    EXPECT_GT(tally.games, count / 3) << generator.name;
    EXPECT_GT(tally.states, 0U) << generator.name;
  }
}

// Also as tables, as if they were too large for code.
TEST(Contest, CompiledEnginesAgreeOnRandomGamesOfRg) {
  const auto engines = engines_named("game-O0-naive,game-O0-cpp,game-O2-cpp/2,game-O0-tables/3,game-O2-tables/5");
  const Generator& generator = *find_generator("rg");
  const std::uint64_t count = test::random_count(20);
  constexpr std::uint64_t kTogether = 40;
  Tally tally;
  for (std::uint64_t seed = 1; seed <= count;) {
    test::Batch batch;
    std::vector<Contest> contests;
    for (; seed <= count && contests.size() < kTogether; ++seed)
      contests.emplace_back(generate(generator, seed), engines, Bounds(), batch, tally);
    batch.build();
    for (Contest& contest : contests)
      EXPECT_EQ(contest.run(batch, Bounds(), tally).difference, "") << contest.sample().text;
  }
  EXPECT_GT(tally.states, count);
}

// In RG these roles have other names, because the words have a meaning of their own there.
TEST(Contest, KnowsRolesByTheirNamesInTheDescription) {
  const Sample sample{"roles.kif", 1,
                      "(role player) (role goals) (init (turn player)) (n begin) (n keeper) (n random)"
                      "(<= (legal ?r (go ?x)) (true (turn ?r)) (n ?x))"
                      "(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))"
                      "(<= (next (turn goals)) (does player (go ?x)))"
                      "(<= (next done) (does goals (go ?x)))"
                      "(<= terminal (true done)) (goal player 100) (goal goals 0)\n"};
  Tally tally;
  const auto engines = engines_named("rules,network,ground-O0-naive,ground-O2-env");
  EXPECT_EQ(compare(sample, engines, Bounds(), tally).difference, "");
  EXPECT_EQ(tally.complete, 1U);
}

// Those that cannot tell percepts are not asked.
TEST(Contest, ComparesPerceptsOfThoseThatTellThem) {
  const Sample sample{"percepts.kif", 1,
                      "(role a) (role random) (init (at 1)) (<= (legal ?r (go 1)) (role ?r) (true (at 1)))"
                      "(<= (legal random (go 2)) (true (at 1))) (<= (next done) (true (at 1)))"
                      "(<= (sees a (came ?x)) (does random (go ?x))) (<= terminal (true done)) (goal a 100)\n"};
  for (const char* others : {"ground-O0-naive,ground-O0-env", "ground-O0,ground-O0-naive,lifted-O0-env"}) {
    Tally tally;
    EXPECT_EQ(compare(sample, engines_named(std::string("rules,") + others), Bounds(), tally).difference, "") << others;
    EXPECT_EQ(tally.complete, std::string_view(others).starts_with("ground-O0,") ? 1U : 0U) << others;
  }
}

// One walk shows the tag to q, another one with the same result hides it.
TEST(Contest, LeavesMovesThatAreShownInTwoWays) {
  const std::string before =
      "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2 }; var x: T = 1;\n"
      "begin, n: player = p; n, n1: x = T(*); n1, n2: $$ x; ";
  const std::string after = "h, k: $ t; k, l: visible[q] = 1; l, end: player = keeper;\n";
  const auto difference = [&](const std::string& ways) {
    Tally tally;
    const Sample sample{"game.rg", 1, before + ways + after};
    return compare(sample, engines_named("game-O0-naive,game-O0,game-O1"), Bounds(), tally).difference;
  };
  EXPECT_EQ(difference("n2, a: x == 1; a, h: ; n2, b: x != 1; b, h: ; n2, h: visible[q] = 0; "), "");
}

TEST(Contest, ExploresWholeGames) {
  const Sample sample{
      "game.rg", 1,
      "type Player = { p }; type Score = { 0, 9 }; type T = { 1, 2 }; var x: T = 1;\nbegin, s: player = "
      "p; s, a: x = T(*); a, b: $$ x; b, end: player = keeper;\n"};
  Tally tally;
  EXPECT_EQ(compare(sample, engines_named("game-O0-naive,game-O2"), Bounds(), tally).difference, "");
  EXPECT_EQ(tally.states, 3U);
  EXPECT_EQ(tally.complete, 1U);
}

TEST(Contest, KnowsEnginesByName) {
  const auto engines = engines_named("rules,lifted-O2/8,game-O1-cpp");
  ASSERT_EQ(engines.size(), 3U);
  EXPECT_EQ(engines[0].player, Player::rules);
  EXPECT_EQ(engines[1].form, Form::lifted);
  EXPECT_EQ(engines[1].level, 2);
  EXPECT_EQ(engines[1].each, 8U);
  EXPECT_EQ(engines[2].player, Player::cpp);
  for (const char* wrong : {"rule", "lifted-O3", "game-cpp-O2", "game-O2-cpp-naive", "-"})
    EXPECT_THROW(engines_named(wrong), Error) << wrong;
}

TEST(Contest, CountsWhatWasReached) {
  Coverage coverage;
  Tally tally;
  tally.coverage = &coverage;
  compare(generate(*find_generator("rbg-boards"), 1), engines_named("game-O0,game-O2"), Bounds(), tally);
  testing::internal::CaptureStdout();
  coverage.print();
  const std::string told = testing::internal::GetCapturedStdout();
  EXPECT_THAT(told, HasSubstr("rbg pass: clean-up"));
  EXPECT_THAT(told, HasSubstr("rbg pass: commit-keeper"));  // also those that did nothing
  EXPECT_THAT(told, HasSubstr("pass: merge-nodes"));
}

TEST(Shrink, LeavesWhatShowsTheDifference) {
  const std::string text =
      "(role w) (role b)\n; a comment\n(<= (legal ?r (m ?x)) (role ?r) (or (true (f ?x ?x)) (p ?x)) (not (q ?x)))\n(p "
      "1)\n";
  const auto shows = [](const std::string& smaller) { return smaller.find("(true (f ?x ?x))") != std::string::npos; };
  EXPECT_EQ(shrink_lists(text, shows, 10), "(<= legal (true (f ?x ?x)))\n");
  EXPECT_EQ(shrink_lists(
                text, [](const std::string&) { return false; }, 10),
            "");
  const auto line = [](const std::string& smaller) { return smaller.find("b\n") != std::string::npos; };
  EXPECT_EQ(shrink_lines("a\nb\nc\nd\n", line, 10), "b\n");
}

// A minimal text has nothing that can be left out.
TEST(Shrink, TriesEveryPart) {
  const auto shows = [](const std::string& text) {
    return text.find("(p 1)") != std::string::npos && text.find("(q 2)") != std::string::npos;
  };
  EXPECT_EQ(shrink_lists("(a) (p 1) (b) (c) (q 2) (d)", shows, 10), "(p 1)\n(q 2)\n");
}

}  // namespace
}  // namespace rgtrans::differential
