// Random descriptions: the automaton plays like the ground program, whatever the lowering found out about its facts.
#include <gtest/gtest.h>

#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/lower/updates.hpp"
#include "tests/support/equal.hpp"
#include "tests/support/gdl_lifted.hpp"
#include "tests/support/gdl_lock_step.hpp"
#include "tests/support/gdl_steps.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::gdl {
namespace {

// The first difference of a few random playouts, or "".
std::string play(const std::string& text, std::uint64_t seed, LoweredNames& names, GroundProgram* program = nullptr,
                 const LowerOptions& lowering = {}) {
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  const Sources::File& file = sources->add("random.kif", text);
  GroundOptions options;
  const GroundProgram plain = ground(file, diagnostics, options);
  options.cone = true;
  const GroundProgram small = ground(file, diagnostics, options);
  if (diagnostics.has_errors()) return "no game";
  const ir::Game game = lower(small, sources, lowering, diagnostics, &names);
  if (diagnostics.has_errors()) return "no game";
  if (program != nullptr) *program = small;
  if (const std::string lost = test::lost_in_text(game); !lost.empty())
    return fmt::format("seed {}: {}\n{}", seed, lost, text);
  LockStep lock(plain, small, names, game);
  for (std::uint64_t play = 1; play <= 6; ++play) {
    const std::string difference = lock.play(seed * 100 + play, 30);
    if (difference.ends_with("stuck")) break;
    if (!difference.empty()) return fmt::format("seed {}: {}\n{}", seed, difference, text);
  }
  return "";
}

// The same for the lifted form; "no game" where there is none.
std::string play_lifted(const std::string& text, std::uint64_t seed) {
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics(sources);
  const Sources::File& file = sources->add("random.kif", text);
  GroundProgram plain = ground(file, diagnostics);
  Program program = read_program(file, diagnostics, false);
  if (diagnostics.has_errors()) return "no game";
  std::string why;
  lifted::LiftedNames names;
  const auto game = lifted::lift(program, sources, {}, {}, why, &names);
  if (!game) return "no game";
  ir::verify(*game, diagnostics, {.warnings = false});
  if (diagnostics.has_errors()) return render(diagnostics.all(), *sources) + text;
  if (const std::string lost = test::lost_in_text(*game); !lost.empty())
    return fmt::format("seed {}: {}\n{}", seed, lost, text);
  LiftedPlay lock(make_interpreter(*game), names);
  const std::unique_ptr<Steps> network = std::make_unique<NetworkSteps>(std::move(plain));
  for (std::uint64_t play = 1; play <= 6; ++play) {
    const std::string difference = lock.beside(*network, seed * 100 + play, 30);
    if (difference == "stuck") break;
    if (!difference.empty()) return fmt::format("seed {}: {}\n{}", seed, difference, text);
  }
  return "";
}

// What `play` tells of random descriptions: no difference, and at least one in `share` is a game.
template <class Play>
void compare_random(std::uint64_t share, Play&& play) {
  const std::uint64_t count = test::random_count(400);
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    const std::string difference = play(test::random_gdl(choices), seed);
    if (difference == "no game") continue;
    ASSERT_EQ(difference, "");
    ++compared;
  }
  EXPECT_GT(compared, count / share);
}

TEST(GdlRandom, LiftedFormPlaysLikeTheGroundProgram) { compare_random(8, play_lifted); }

// "no game" where the description has errors, or negates through recursion.
std::string follow_rules(const std::string& text, std::uint64_t seed) {
  Diagnostics diagnostics;
  GroundProgram program = ground(diagnostics.sources()->add("random.kif", text), diagnostics);
  if (diagnostics.has_errors()) return "no game";
  std::unique_ptr<Direct> direct;
  try {
    direct = std::make_unique<Direct>(text);
  } catch (const Error&) {
    return "no game";
  }
  const std::unique_ptr<Steps> network = std::make_unique<NetworkSteps>(std::move(program));
  for (std::uint64_t play = 1; play <= 3; ++play) {
    const std::string difference = test::difference(*direct, *network, seed * 100 + play, 20);
    if (!difference.empty()) return fmt::format("seed {}: {}\n{}", seed, difference, text);
  }
  return "";
}

TEST(GdlRandom, RulesAsTheyStandPlayLikeTheNetwork) { compare_random(4, follow_rules); }

TEST(GdlRandom, LoweringPlaysLikeTheGroundProgram) {
  const std::uint64_t count = test::random_count(400);
  std::size_t compared = 0, grouped = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    const std::string text = test::random_gdl(choices);
    LoweredNames names;
    const std::string difference = play(text, seed, names);
    if (difference == "no game") continue;
    ASSERT_EQ(difference, "");
    ++compared;
    for (const FactGroup& group : names.groups) grouped += !group.deterministic && group.facts.size() > 2 ? 1 : 0;
  }
  // The generator is not to wither away.
  EXPECT_GT(compared, count / 4);
  EXPECT_GT(grouped, count / 40);
}

// Boards as people write them, in each form beside the ground program.
TEST(GdlRandom, BoardsPlayAlikeInEveryForm) {
  const std::uint64_t count = test::random_count(60);
  const std::uint64_t first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  std::size_t lowered = 0, lifted = 0, followed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::Choices choices(seed);
    const std::string text = test::random_board_gdl(choices);
    const auto compare = [&](const std::string& difference, std::size_t& games) {
      games += difference == "no game" ? 0 : 1;
      EXPECT_TRUE(difference.empty() || difference == "no game") << difference;
    };
    LoweredNames names;
    compare(play(text, seed, names), lowered);
    compare(play_lifted(text, seed), lifted);
    compare(follow_rules(text, seed), followed);
    if (HasFailure()) return;
  }
  EXPECT_EQ(lowered, count);
  EXPECT_GT(followed, count / 3);  // negation through `legal` is not followed
  EXPECT_GT(lifted, count / 2);
}

// Derived relations become variables however small they are.
TEST(GdlRandom, DerivedRelationsAreComputed) {
  const std::uint64_t count = test::random_count(400);
  LowerOptions lowering;
  lowering.derived = {1, 1};
  std::size_t computed = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    const std::string text = test::random_gdl(choices);
    LoweredNames names;
    const std::string difference = play(text, seed, names, nullptr, lowering);
    if (difference == "no game") continue;
    ASSERT_EQ(difference, "");
    computed += names.computed;
  }
  EXPECT_GT(computed, count / 40);
}

// Cells of three colours, a number for each cell that the colours from there on add up to, and conditions of all kinds
// on these numbers: in moves, recursion, next facts, the end and goals. Sometimes a cell can have two colours.
class Tallies {
 public:
  explicit Tallies(test::Choices& choices) : c_(choices) {}

  std::string run() {
    text_ = "(role r) (init (step 0)) (colour w) (colour b) (colour e) ";
    const bool two = c_.coin(40);
    if (two) text_ += "(role s) (legal s noop) (<= (legal s wait) (total ?n) (odd ?n)) ";
    if (c_.chance(5)) text_ += "(role random) (legal random noop) (<= (legal random (see ?n)) (total ?n)) ";
    const int cells = c_.pick(2, 5);
    for (int i = 1; i <= cells; ++i) {
      text_ += fmt::format("(cell {}) (init (is {} {})) ", i, i, colour());
      text_ += i < cells ? fmt::format("(after {} {}) ", i, i + 1) : "";
    }
    for (int i = 0; i < 40; ++i)
      text_ += fmt::format("(up {} {}) {} ", i, i + 1, i % 2 == 1 ? fmt::format("(odd {})", i) : "");
    for (int i = 0; i < 8; ++i) text_ += fmt::format("(<= (next (step {})) (true (step {}))) ", i + 1, i);
    text_ +=
        "(<= (more ?x ?y) (up ?y ?x)) (<= (more ?x ?y) (up ?z ?x) (more ?z ?y)) "
        "(<= (painted ?i) (does ?r (paint ?i ?c))) (<= (next (is ?i ?c)) (does r (paint ?i ?c))) ";
    text_ += c_.coin(85) ? "(<= (next (is ?i ?c)) (true (is ?i ?c)) (not (painted ?i))) "
                         : "(<= (next (is ?i ?c)) (true (is ?i ?c)) (not (does r (paint ?i w)))) ";
    const bool any_function = c_.coin(30);
    for (const char* colour : {"w", "b", "e"}) {
      for (int m = 0; any_function && m < 4; ++m)
        text_ +=
            fmt::format("(<= (tally ?i {}) (true (is ?i {})) (after ?i ?j) (tally ?j {})) ", c_.pick(0, 3), colour, m);
      const std::string op = any_function ? "(up ?m ?n) (more ?m 3)" : operation();
      text_ += fmt::format("(<= (tally ?i ?n) (true (is ?i {})) (after ?i ?j) (tally ?j ?m) {}{}) ", colour, op,
                           c_.coin(20) ? " (not (true lamp))" : "");
      text_ += fmt::format("(<= (tally {} {}) (true (is {} {}))) ", cells, c_.pick(0, 2), cells, colour);
    }
    text_ +=
        "(<= (total ?n) (tally 1 ?n)) (<= many (total ?n) (more ?n 2)) (<= few (tally 2 ?n) (not (more ?n 1))) "
        "(<= (both ?n) (tally 1 ?n) (tally 2 ?n)) (<= some (both ?n)) ";
    text_ += fmt::format(
        "(<= (reach ?i) (true (is ?i {})) {}) (<= (reach ?i) (after ?i ?j) (reach ?j) {}) "
        "(<= (reach ?i) (after ?j ?i) (reach ?j) {}) ",
        colour(), test(), test(), test());
    // Sometimes only the next facts depend on the numbers.
    const bool quiet = c_.coin(25);
    text_ +=
        fmt::format("(<= (legal r (paint ?i ?c)) (cell ?i) (colour ?c) (not (true (is ?i ?c))) {}) (legal r noop) ",
                    quiet ? "" : test());
    if (!quiet && c_.coin(80)) text_ += fmt::format("(<= (legal r (see ?n)) (total ?n) {}) ", test());
    if (!quiet && c_.coin(60)) text_ += "(<= (legal r (jump ?i)) (reach ?i)) ";
    text_ += fmt::format("(<= (next lamp) {} {}) (<= (next lamp) (does r noop) {}) ",
                         quiet ? "(not (true lamp))" : test(), quiet ? "" : test(), test());
    text_ += fmt::format(
        "(<= (next flag) (does r noop) {}) (<= (next flag) (true flag) (not (does r noop))) (<= (legal r "
        "raise) (true flag)) ",
        test());
    if (c_.coin(60))
      text_ +=
          fmt::format("(<= (next (memory ?n)) (total ?n) {}) (<= (legal r (recall ?n)) (true (memory ?n))) ", test());
    if (c_.coin(40)) text_ += "(<= (next (memory ?n)) (does r (see ?m)) (up ?m ?n)) ";
    if (c_.chance(5)) text_ += "(<= (sees r ?n) (total ?n)) (<= (sees r lamp) many) ";
    text_ += fmt::format("(<= terminal (true (step {}))) ", c_.pick(3, 7));
    if (!quiet) text_ += fmt::format("(<= terminal {} {}) ", test(), test());
    for (const char* who : {"r", "s"}) {
      if (who[0] == 's' && !two) break;
      text_ += fmt::format("(<= (goal {} ?n) (total ?n)) ", who);
    }
    return text_;
  }

 private:
  std::string colour() { return c_.one_of({"w", "b", "e"}); }
  std::string operation() {
    return c_.one_of({"(up ?m ?n)", "(up ?m ?n)", "(up ?n ?m)", "(up ?m ?x) (up ?x ?n)", "(up ?x ?m) (up ?x ?n)"});
  }
  std::string test() {
    return c_.one_of({"many", "few", "some", "(not many)", "(not few)", "(true lamp)", "(not (reach 1))", "(total 3)",
                      "(not (total 2))", "(both 2)", "(cell 1)"});
  }

  test::Choices& c_;
  std::string text_;
};

TEST(GdlRandom, LiftedTallies) {
  const std::uint64_t count = test::random_count(40);
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    const std::string difference = play_lifted(Tallies(choices).run(), seed);
    if (difference == "no game") continue;
    ASSERT_EQ(difference, "");
    ++compared;
  }
  EXPECT_GT(compared, count / 8);
}

TEST(GdlRandom, TalliesAreComputed) {
  const std::uint64_t count = test::random_count(300);
  LowerOptions lowering;
  lowering.derived = {1, 1};
  std::size_t compared = 0, computed = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    LoweredNames names;
    const std::string difference = play(Tallies(choices).run(), seed, names, nullptr, lowering);
    if (difference == "no game") continue;
    ASSERT_EQ(difference, "");
    ++compared;
    computed += names.computed;
  }
  EXPECT_GT(compared, count / 2);
  EXPECT_GT(computed, count / 3);
}

// What happens to a number depends on three lamps: a random tree of conditions with steps, values and nothing at all at
// its ends. The number shows in the legal moves.
class Numbers {
 public:
  explicit Numbers(test::Choices& choices) : c_(choices) {}

  std::string run() {
    constexpr int kMost = 30;
    text_ = "(role r) (init (n 15)) (init (step 0)) (<= (legal r (see ?x)) (true (n ?x))) (legal r noop) ";
    if (c_.coin(40)) text_ += "(role s) (legal s stay) (legal s (flip c)) ";
    for (const char* lamp : {"a", "b", "c"}) {
      text_ += fmt::format(
          "(legal r (flip {0})) (<= (flipped {0}) (does ?r (flip {0}))) (<= (next (on {0})) (flipped {0}) (not (true "
          "(on "
          "{0})))) (<= (next (on {0})) (true (on {0})) (not (flipped {0}))) ",
          lamp);
    }
    for (int i = 0; i < kMost; ++i) text_ += fmt::format("(up {} {}) ", i, i + 1);
    for (int i = 0; i < 14; ++i) text_ += fmt::format("(<= (next (step {})) (true (step {}))) ", i + 1, i);
    tree("", 3);
    return text_ +
           "(<= terminal (true (step 12))) (<= (goal ?r 100) (role ?r) (true (n 16))) (<= (goal ?r 0) (role ?r) "
           "(not (true (n 16))))";
  }

 private:
  void tree(const std::string& path, int depth) {
    if (depth > 0 && c_.coin(75)) {
      const std::string test = c_.one_of({"(true (on a))", "(true (on b))", "(true (on c))", "(flipped a)"});
      tree(path + " " + test, depth - 1);
      tree(path + " (not " + test + ")", depth - 1);
      return;
    }
    const std::string what = c_.one_of(
        {"(n ?y)) (true (n ?x)) (up ?x ?y)", "(n ?x)) (true (n ?y)) (up ?x ?y)", "(n ?x)) (true (n ?x))", "(n 17))"});
    text_ += "(<= (next " + what + path + ") ";
  }

  test::Choices& c_;
  std::string text_;
};

TEST(GdlRandom, LiftedNumbers) {
  const std::uint64_t count = test::random_count(150);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    ASSERT_EQ(play_lifted(Numbers(choices).run(), seed), "");
  }
}

TEST(GdlRandom, NumbersAreLookedUp) {
  const std::uint64_t count = test::from_environment("RGTRANS_FUZZ_COUNT", kSanitized ? 60 : 150);
  std::size_t one = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    LoweredNames names;
    GroundProgram program;
    ASSERT_EQ(play(Numbers(choices).run(), seed, names, &program), "");
    Conditions conditions(program, names.groups);
    const StepPlan plan = plan_steps(program, conditions, names.groups, names.turns);
    const auto count_lookups = [&](const std::vector<Update>& updates) {
      for (const Update& update : updates) {
        one += update.lookups.size() == 1 ? 1 : 0;
        several += update.lookups.size() > 1 ? 1 : 0;
      }
    };
    count_lookups(plan.all);
    for (const PhasePlan& phase : plan.phases) {
      count_lookups(phase.common);
      for (const auto& updates : phase.by_move) count_lookups(updates);
    }
  }
  EXPECT_GT(one, count / 4);
  EXPECT_GT(several, count / 4);
}

}  // namespace
}  // namespace rgtrans::gdl
