// Random programs in lock-step with the naive evaluator: compares legal actions, mover, end and winner at every ply,
// with and without optimization.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/ludax/ludax.hpp"
#include "tests/support/naive_ludax.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans {
namespace {

using test::Choices;
using test::NaiveLudax;

constexpr int kPlies = 40;
constexpr std::int64_t kScoreLimit = 30;

struct Outcome {
  bool compared = false;
  std::string difference;
};

std::unique_ptr<Reasoner> reasoner_of(const ir::Game& game, int level) {
  ir::Game copy = game;
  passes::OptimizeOptions options;
  options.level = level;
  passes::optimize(copy, options);
  return make_interpreter(copy);
}

std::map<int, std::size_t> actions(Reasoner& reasoner, int cells) {
  std::map<int, std::size_t> found;
  for (std::size_t i = 0; i < reasoner.move_count(); ++i) {
    const std::string text = reasoner.move_text(i);
    found[text == "pass" ? cells : std::stoi(text)] = i;
  }
  return found;
}

// Plays up to a state in which a player moves, or to the end. Returns false if keeper has no move.
bool settle(Reasoner& reasoner) {
  while (!reasoner.terminal() && reasoner.mover() == reasoner.info().keeper()) {
    if (reasoner.move_count() == 0) return false;
    reasoner.apply(0);
  }
  return true;
}

std::string shown(const std::vector<int>& list) { return fmt::format("{}", fmt::join(list, " ")); }

// The difference in a state, or "".
std::string compare(const NaiveLudax& naive, const NaiveLudax::State& state, Reasoner& reasoner) {
  const std::vector<int> legal = naive.legal(state);
  const bool over = state.over || legal.empty();
  if (reasoner.terminal() != over) return over ? "goes on after the end" : "ends too early";
  if (over) {
    for (std::size_t player = 0; player < 2; ++player) {
      const bool won = state.winner == static_cast<int>(player) + 1;
      const std::string goal = state.winner == 0 ? "50" : won ? "100" : "0";
      if (reasoner.goal(player) != goal)
        return fmt::format("P{} gets {}, not {}", player + 1, reasoner.goal(player), goal);
    }
    return "";
  }
  if (reasoner.mover() + 1 != static_cast<std::size_t>(naive.to_move(state))) return "another player acts";
  std::vector<int> ours;
  for (const auto& [action, index] : actions(reasoner, naive.cells())) ours.push_back(action);
  return ours == legal ? "" : fmt::format("legal: {}, not {}", shown(ours), shown(legal));
}

// One play with the same random actions in both.
std::string play(const NaiveLudax& naive, Reasoner& reasoner, Choices& choices, const std::string& name) {
  NaiveLudax::State state = naive.initial();
  reasoner.reset();
  std::vector<int> history;
  for (int ply = 0; ply < kPlies; ++ply) {
    if (!settle(reasoner)) return fmt::format("{}: the keeper has no move after {}", name, shown(history));
    if (std::abs(state.score[1]) >= kScoreLimit || std::abs(state.score[2]) >= kScoreLimit) return "";
    if (const std::string difference = compare(naive, state, reasoner); !difference.empty()) {
      return fmt::format("{}: {} after {}", name, difference, shown(history));
    }
    const std::vector<int> legal = naive.legal(state);
    if (legal.empty()) return "";
    history.push_back(legal[choices.below(legal.size())]);
    state = naive.play(state, history.back());
    reasoner.apply(actions(reasoner, naive.cells()).at(history.back()));
  }
  return "";
}

Outcome compare(const std::string& text, Choices& choices, std::int64_t score_limit = kScoreLimit) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("random.ldx", text);
  FrontendOptions options;
  options.values["score-limit"] = std::to_string(score_limit);
  const ir::Game game = ludax::frontend().load(file, diagnostics, options);
  if (!diagnostics.has_errors()) ir::verify(game, diagnostics, {.warnings = false});
  if (diagnostics.has_errors()) {
    const std::string messages = render(diagnostics.all(), *diagnostics.sources());
    const bool too_large = messages.find("tables that are too large") != std::string::npos;
    return {false, too_large ? "" : messages};
  }
  const NaiveLudax naive(text);
  for (int level : {0, 2}) {
    const auto reasoner = reasoner_of(game, level);
    for (int i = 0; i < 4; ++i) {
      std::string difference = play(naive, *reasoner, choices, fmt::format("-O{}", level));
      if (!difference.empty()) return {true, std::move(difference)};
    }
  }
  return {true, ""};
}

TEST(RandomLudax, PlaysLikeTheNaiveEvaluator) {
  const std::uint64_t count = test::random_count(150);
  const std::uint64_t first = test::from_environment("RGTRANS_FUZZ_SEED", 1);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Choices choices(seed);
    const std::string text = test::random_ludax(choices);
    const Outcome outcome = compare(text, choices);
    compared += outcome.compared ? 1 : 0;
    ASSERT_EQ(outcome.difference, "") << "seed " << seed << "\n" << text;
  }
  EXPECT_GE(compared * 10, count * 9);
}

std::string difference(const std::string& text, std::int64_t score_limit = kScoreLimit) {
  Choices choices(1);
  const Outcome outcome = compare(text, choices, score_limit);
  return outcome.compared || !outcome.difference.empty() ? outcome.difference : "not compared";
}

TEST(LudaxNumbers, ProductsMayBeComparedWithNegativeNumbers) {
  for (const char* condition : {"(>= {} (subtract 0 1))", "(<= {} (subtract 0 2))", "(= {} (subtract 0 2))",
                                "(= {} (subtract 0 1))", "(not (>= {} (subtract 0 3)))"}) {
    const std::string text = fmt::format(
        R"((game "products" (players 2) (equipment (board (rectangle 1 5)))
            (rules (play (repeat (P1 P2 P2) (place (destination empty))))
                   (end (if {} (mover win)) (if (full_board) (draw))))))",
        fmt::format(fmt::runtime(condition),
                    "(multiply (subtract (count (occupied mover)) 3) (count (occupied opponent)))"));
    EXPECT_EQ(difference(text), "") << text;
  }
}

// Only one of many turns adds to the score of P1.
TEST(LudaxNumbers, ScoresThatGrowSlowlyHaveTheirRange) {
  std::string movers = "P1";
  for (int i = 0; i < 23; ++i) movers += " P2";
  const std::string text = fmt::format(
      R"((game "slow" (players 2) (equipment (board (rectangle 1 3)))
          (rules (play (repeat ({}) (place (destination (or empty occupied)) (effects (increment_score mover 1)))))
                 (end (if (and (exists (and center (occupied mover))) (exists (and (edge left) (occupied mover))))
                          (by_score))))))",
      movers);
  EXPECT_EQ(difference(text, 1000), "");
}

// No line fits on the board, so that an end rule holds after every move, whatever the score is; the ranges of the
// scores grow slowly.
TEST(LudaxNumbers, ScoresOfPlaysThatEndAtOnceAreNotCounted) {
  const std::string text = R"((game "short" (players 2) (equipment (board (rectangle 1 1)))
      (rules
        (start (place P2 (0)))
        (play
          (once_through (P1) (place (destination empty)
            (effects (set_score opponent (add (count (or (prev_move mover) occupied)) (count (edge top)))))))
          (once_through (P2 P2 P1 P1) (place (destination empty)) (force_pass))
          (repeat (P1 P2) (place (destination (occupied opponent))
            (effects (increment_score mover 0)
              (increment_score opponent (subtract (count (adjacent (not (occupied mover)) direction:horizontal))
                                                  (count (or (adjacent occupied) (occupied opponent)))))))))
        (end
          (if (<= (line 4 orientation:horizontal) (count (and (adjacent (prev_move mover)) empty))) (mover win))
          (if (full_board) (by_score))))))";
  EXPECT_EQ(difference(text, 1000), "");
}

}  // namespace
}  // namespace rgtrans
