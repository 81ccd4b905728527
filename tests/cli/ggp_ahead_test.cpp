// A player of the Game Manager protocol thinks while nobody asks.
#include <gmock/gmock.h>

#include <chrono>
#include <regex>
#include <thread>

#include "cli/ggp/seat.hpp"
#include "frontends/gdl/gdl.hpp"
#include "tests/cli/ggp.hpp"

namespace rgtrans::cli::ggp {
namespace {

using namespace std::chrono_literals;

// Simulations and nodes of the answers that were searched.
struct Thoughts {
  std::uint64_t simulations = 0;  // of all answers
  std::uint64_t nodes = 0;        // after the last one
};

// Red's first two answers in connect four; the other takes this long.
Thoughts two_answers(bool ponder, std::chrono::milliseconds others_time) {
  Thoughts thoughts;
  SeatOptions options;
  options.compile = false;
  options.ponder = ponder;
  options.margin = 0;
  options.log = [&](const std::string& line) {
    std::smatch found;
    if (!std::regex_search(line, found, std::regex("([0-9]+) simulations, ([0-9]+) nodes"))) return;
    thoughts.simulations += std::stoull(found[1]);
    thoughts.nodes = std::stoull(found[2]);
  };
  Seat seat("m", "red", description("connect-four.kif"), 0.2, options);
  seat.wait_ready(Clock::now() + 60s, Clock::now() + 60s);
  const std::string first = seat.play(read_kif("NIL"), Clock::now());
  std::this_thread::sleep_for(others_time);
  EXPECT_EQ(seat.play(read_kif("(" + first + " noop)"), Clock::now()), "noop");
  std::this_thread::sleep_for(others_time);
  seat.play(read_kif("(noop (drop 1))"), Clock::now());
  return thoughts;
}

TEST(Ahead, TheTreeGrowsWhileOthersThink) {
  // A simulation adds a node at most; a few are made for positions at the root.
  const Thoughts asked = two_answers(false, 300ms);
  ASSERT_GT(asked.simulations, 0U);
  EXPECT_LE(asked.nodes, asked.simulations + 3);
  const Thoughts ahead = two_answers(true, 300ms);
  EXPECT_GT(ahead.nodes, ahead.simulations + 3);
}

TEST(Ahead, ThinksUntilTheStartClockEnds) {
  SeatOptions options;
  options.compile = false;
  Seat seat("m", "red", description("connect-four.kif"), 0.01, options);
  seat.wait_ready(Clock::now() + 60s, Clock::now() + 60s);
  const auto begin = Clock::now();
  seat.think_ahead(begin + 400ms);
  EXPECT_GE(Clock::now() - begin, 390ms);
  EXPECT_LT(Clock::now() - begin, 5s);
}

// A question, or the end of the match, ends the thinking.
TEST(Ahead, AQuestionEndsTheThinking) {
  SeatOptions options;
  options.compile = false;
  options.margin = 0;
  Seat seat("m", "red", description("connect-four.kif"), 0.1, options);
  seat.wait_ready(Clock::now() + 60s, Clock::now() + 60s);
  std::thread start([&] { seat.think_ahead(Clock::now() + 100s); });
  std::this_thread::sleep_for(50ms);
  const auto begin = Clock::now();
  EXPECT_THAT(seat.play(read_kif("NIL"), begin), testing::StartsWith("(drop "));
  start.join();
  EXPECT_LT(Clock::now() - begin, 20s);
}

// The start clock is enough to solve the puzzle; no answer takes time.
TEST(Ahead, PuzzlesAreSolvedBeforeTheFirstMove) {
  for (const auto& [name, best] : {std::pair("eight-puzzle.kif", 100), std::pair("towers-of-hanoi.kif", 100)}) {
    const std::string text = description(name);
    const MatchRules rules(text);
    SeatOptions options;
    options.compile = false;
    Seat seat("m", rules.role(0), text, 100, options);
    seat.wait_ready(Clock::now() + 60s, Clock::now() + 60s);
    seat.think_ahead(Clock::now() + 300s);
    gdl::NetworkMachine machine(rules.program(), rules.network());
    machine.set_state(machine.initial());
    std::string last = "NIL";
    const auto begin = Clock::now();
    while (!machine.terminal()) {
      const std::string answer = seat.play(read_kif(last), Clock::now());
      const std::uint32_t move = rules.find_move(0, answer);
      ASSERT_NE(move, kNone) << answer;
      machine.step({&move, 1});
      last = "(" + answer + ")";
    }
    EXPECT_EQ(machine.goal(0), best) << name;
    EXPECT_LT(Clock::now() - begin, 50s) << name;
  }
}

}  // namespace
}  // namespace rgtrans::cli::ggp
