// Batches of games at the edges: plays without a move, moves that few players see, endless lists of moves.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backends/env/env.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::env {
namespace {

ir::Game load(const std::string& text) {
  Diagnostics diagnostics;
  return load_text("edges.rg", text, *find_frontend("rg"), diagnostics);
}

// A batch, and arrays that it writes to.
struct Table {
  explicit Table(const std::string& text, BatchOptions options) : game(load(text)), batch(game, game, with(options)) {
    const std::size_t count = options.count;
    rewards.resize(count * batch.players());
    player.resize(count);
    actions.resize(count);
    terminated.resize(count);
    truncated.resize(count);
    seen.resize(count * batch.observation().size());
    buffers.rewards = rewards.data();
    buffers.player = player.data();
    buffers.actions = actions.data();
    buffers.terminated = terminated.data();
    buffers.truncated = truncated.data();
    buffers.viewer = -1;
    for (std::size_t i = 0; i < count; ++i) seeds.push_back(i);
    buffers.seeds = seeds.data();
    batch.reset(buffers);
  }
  static BatchOptions with(BatchOptions options) {
    options.floats = false;
    return options;
  }
  void step() {
    batch.sample(actions.data());
    batch.step(buffers);
  }
  // The rows of the moves that a player has seen in the first play.
  std::vector<std::vector<std::uint8_t>> rows(int viewer) {
    rgtrans_env_buffers only{};
    only.viewer = viewer;
    only.observation = seen.data();
    batch.write(only);
    std::vector<std::vector<std::uint8_t>> result;
    const std::size_t width = batch.observation().shape[1];
    for (std::size_t r = 0; r < batch.observation().shape[0]; ++r) {
      const auto first = seen.begin() + static_cast<std::ptrdiff_t>(r * width);
      result.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
    }
    return result;
  }

  ir::Game game;
  Batch batch;
  std::vector<float> rewards;
  std::vector<std::uint64_t> seeds;
  std::vector<std::int32_t> player, actions;
  std::vector<std::uint8_t> terminated, truncated, seen;
  rgtrans_env_buffers buffers{};
};

// Chance decides at once, or x has one move, after which x loses.
constexpr const char* kShort = R"(
type Player = {x, o}; type Score = {0, 100}; type Bit = {h, t};
var coin: Bit = h;
begin, flip: player = random;
flip, shown: coin = Bit(*);
shown, flipped: $$ coin;
flipped, look: player = keeper;
look, won: coin == h;
look, on: coin == t;
won, ends: goals[x] = 100;
ends, end: player = keeper;
on, move: player = x;
move, moved: $ pass;
moved, lost: player = keeper;
lost, ends: goals[o] = 100;
)";

TEST(Edges, TheEndOfAPlayWithoutAMoveIsTold) {
  for (const bool compiled : {false, true}) {
    Table stay(kShort, {.count = 32, .compiled = compiled, .reset = ResetMode::stay});
    EXPECT_THAT(stay.terminated, testing::AllOf(testing::Contains(0), testing::Contains(1)));
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_EQ(stay.player[i], stay.terminated[i] != 0 ? -1 : 0);
      EXPECT_EQ(stay.rewards[2 * i], stay.terminated[i] != 0 ? 1 : 0);
    }
    for (const ResetMode mode : {ResetMode::same_step, ResetMode::next_step}) {
      Table table(kShort, {.count = 32, .compiled = compiled, .reset = mode});
      int won = 0;
      int lost = 0;
      for (int step = 0; step < 50; ++step) {
        table.step();
        for (std::size_t i = 0; i < 32; ++i) {
          if (table.terminated[i] == 0) continue;
          ++(table.rewards[2 * i] > 0 ? won : lost);
          EXPECT_EQ(table.rewards[2 * i], -table.rewards[2 * i + 1]);
        }
      }
      // Both results are equally likely; without the short plays nobody would ever win.
      EXPECT_GT(3 * won, 2 * lost);
      EXPECT_GT(3 * lost, 2 * won);
    }
  }
}

TEST(Edges, APlayInWhichChanceMovesForeverIsTruncated) {
  Table table(R"(
type Player = {x}; type Score = {0}; type Bit = {h, t};
var coin: Bit = h;
begin, move: player = x;
move, moved: $ pass;
moved, flip: player = random;
flip, flipped: coin = Bit(*);
flipped, again: $$ coin;
again, flip: player = random;
begin, end: player = keeper;
)",
              {.count = 1, .compiled = false, .reset = ResetMode::stay});
  table.step();
  EXPECT_EQ(table.truncated[0], 1);
}

// One player moves often; the other sees each tenth move, and all players see how many tags they like.
std::string watching(std::size_t players) {
  std::string text = "type Player = {p0";
  for (std::size_t p = 1; p < players; ++p) text += fmt::format(", p{}", p);
  return text + R"(}; type Score = {0}; type Digit = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
const next: Digit -> Digit = {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 8: 9, :0};
var digit: Digit = 0; var tens: Digit = 0;
begin, tag: player = p0;
tag, hide: $ say;
hide, named: visible[p1] = 0;
named, ones: $$ tens;
ones, seen: digit == 0;
seen, show: visible[p1] = 1;
ones, show: digit != 0;
show, count: $$ digit;
count, up: digit = next[digit];
up, over: digit == 0;
over, carried: tens = next[tens];
up, carried: digit != 0;
carried, back: visible[p1] = 1;
back, on: player = keeper;
on, begin: tens != 9;
on, last: tens == 9;
last, begin: digit != 9;
last, ends: digit == 9;
ends, end: player = keeper;
)";
}

TEST(Edges, EveryPlayerSeesTheLastMovesOfItsOwn) {
  // The first tag of a move is seen by all, so hide it from p1, too.
  std::string text = watching(3);
  const auto swap = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  swap("tag, hide: $ say;\nhide, named: visible[p1] = 0;", "tag, hide: visible[p1] = 0;\nhide, named: $ say;");
  for (const bool compiled : {false, true}) {
    Table table(text, {.count = 1, .compiled = compiled, .history = 8});
    const std::size_t tags = table.batch.actions().tags().size();
    const auto rank = [&](const std::string& tag) { return *table.batch.actions().tag_number(tag); };
    for (std::size_t made = 1; made <= 95; ++made) {
      table.step();
      const auto all = table.rows(0);
      const std::size_t first = table.batch.observation().planes.size();
      for (std::size_t r = 0; r < 8 && r < made; ++r) {
        const std::size_t move = made - 1 - r;
        ASSERT_EQ(all[r][first + rank("say")], 1) << made;
        ASSERT_EQ(all[r][first + tags + rank(std::to_string(move / 10))], 1) << made << " " << r;
        ASSERT_EQ(all[r][first + 2 * tags + rank(std::to_string(move % 10))], 1) << made << " " << r;
      }
      EXPECT_EQ(table.rows(2), all);
      const auto few = table.rows(1);
      for (std::size_t r = 0; r < 8; ++r) {
        ASSERT_EQ(few[r][first + rank("0")], r <= (made - 1) / 10 ? 1 : 0) << made << " " << r;
        ASSERT_EQ(std::ranges::count(few[r], 1), r <= (made - 1) / 10 ? 2 : 0) << made << " " << r;
      }
    }
  }
}

TEST(Edges, MoreThan64PlayersWithHiddenMovesAreRefused) {
  const ir::Game most = load(watching(64));
  EXPECT_NO_THROW(Batch(most, most, {.compiled = false}));
  const ir::Game more = load(watching(65));
  EXPECT_THROW(Batch(more, more, {.compiled = false}), Error);
}

// The check of the second move needs itself.
TEST(Edges, AnErrorInAnyThreadReachesTheCaller) {
  Table table(R"(
type Player = {x}; type Score = {0}; type Bit = {h, t};
var bit: Bit = h;
begin, move: player = x;
move, moved: $ pass;
moved, asks: player = x;
asks, done: ? from -> to;
from, look: bit == h;
look, to: ! from -> to;
done, tagged: $ pass;
tagged, end: player = keeper;
)",
              {.count = 4, .threads = 4, .compiled = false});
  EXPECT_THROW(table.step(), Error);
  table.batch.reset(table.buffers);
  EXPECT_THROW(table.step(), Error);
}

TEST(Observation, NamesWithTheSameNumbersDoNotShareACell) {
  std::string text = "type Player = {x}; type Score = {0}; type Bit = {h, t};\n";
  const std::vector<std::string> names = {"a_1_b", "a_b_1", "a_2_b", "a_b_2", "a_3_b"};
  std::string rules;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("var {}: Bit = h;\n", names[i]);
    rules += fmt::format("c{}, d{}: {} = Bit(*);\nd{}, c{}: $$ {};\n", i, i, names[i], i, i + 1, names[i]);
    rules += fmt::format("t{}, t{}: {} == t;\n", i, i + 1, names[i]);
  }
  text += "begin, q: player = x;\nq, c0: ! t0 -> t5;\nq, c1: a_1_b == t;\nq, c2: a_b_1 == t;\nq, c3: a_2_b == t;\n" +
          rules + "c5, begin: player = x;\nq, end: player = keeper;\n";
  const Observation seen = observe(load(text), {}, 1, 1);
  std::set<std::pair<std::size_t, std::int32_t>> places;
  for (const Observation::Source& source : seen.sources) {
    const bool fresh = places.emplace(source.place, source.planes.front()).second;
    EXPECT_TRUE(fresh || source.variable.empty()) << source.variable;
  }
  EXPECT_GE(places.size(), 4U);
}

// Stones in the hand decide, and are no part of the drawn board.
TEST(Observation, ShowsCellsBesideTheBoard) {
  const Observation seen = observe(load(R"(
type Player = {x, o}; type Score = {0, 50, 100}; type Piece = {empty, a, b};
type Coord = {c1, c2, c3, c4, c5, c6, c7, c8, c9, hand, null};
const left: Coord -> Coord = {c2: c1, c3: c2, c5: c4, c6: c5, c8: c7, c9: c8, :null};
const down: Coord -> Coord = {c1: c4, c2: c5, c3: c6, c4: c7, c5: c8, c6: c9, :null};
var board: Coord -> Piece = {:empty};
var at: Coord = c1;
begin, 1: player = x;
1, 2: at = Coord(*);
2, 3: board[at] == empty;
3, 4: at != null;
4, 5: at != hand;
5, 6: $$ at;
6, 7: board[at] = a;
7, 8: board[hand] = b;
8, 9: player = o;
7, 9: player = o;
9, 10: at = Coord(*);
10, 11: board[at] == a;
11, 12: $$ at;
12, 13: at = left[at];
13, 14: board[at] == empty;
14, 15: board[hand] == b;
15, 1: player = x;
13, 16: at = down[at];
16, 17: board[at] == a;
17, 18: board[hand] == empty;
18, e: player = keeper;
e, end: player = keeper;
)"),
                                   {}, 1, 1);
  std::set<std::string> cells;
  for (const Observation::Source& source : seen.sources) {
    if (source.variable == "board") cells.insert(source.keys.at(0));
  }
  EXPECT_TRUE(cells.count("hand"));
  EXPECT_FALSE(cells.count("null"));
  EXPECT_EQ(cells.size(), 10U);
}

}  // namespace
}  // namespace rgtrans::env
