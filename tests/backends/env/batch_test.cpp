// Batches over compiled reasoners are those over the interpreter, whatever form the reasoner has.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/env/env.hpp"
#include "core/passes/passes.hpp"
#include "core/support/limits.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/support/choices.hpp"
#include "tests/support/own_games.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::env {
namespace {

constexpr std::size_t kCount = 8;

// The arrays that a batch writes.
struct Arrays {
  explicit Arrays(const Batch& batch)
      : mask(kCount * batch.actions().size()),
        observation(kCount * batch.observation().size()),
        rewards(kCount * batch.players()),
        player(kCount),
        actions(kCount) {
    buffers.mask = mask.data();
    buffers.observation = observation.data();
    buffers.rewards = rewards.data();
    buffers.player = player.data();
    buffers.actions = actions.data();
    buffers.viewer = -1;
  }
  std::vector<std::uint8_t> mask, observation;
  std::vector<float> rewards;
  std::vector<std::int32_t> player, actions;
  rgtrans_env_buffers buffers{};
};

// Both make the same plays, and show the same.
void expect_alike(Batch& compiled, Batch& interpreted) {
  Arrays one(compiled);
  Arrays other(interpreted);
  const std::vector<std::uint64_t> seeds = {1, 2, 3, 4, 5, 6, 7, 8};
  one.buffers.seeds = other.buffers.seeds = seeds.data();
  compiled.reset(one.buffers);
  interpreted.reset(other.buffers);
  for (int step = 0; step < 60; ++step) {
    ASSERT_EQ(one.mask, other.mask);
    ASSERT_EQ(one.player, other.player);
    ASSERT_EQ(one.rewards, other.rewards);
    ASSERT_EQ(one.observation, other.observation);
    ASSERT_GT(std::ranges::count(one.observation, 1), static_cast<std::ptrdiff_t>(kCount));
    compiled.sample(one.actions.data());
    interpreted.sample(other.actions.data());
    ASSERT_EQ(one.actions, other.actions);
    compiled.step(one.buffers);
    interpreted.step(other.buffers);
  }
}

BatchOptions options(bool compiled) {
  BatchOptions options;
  options.count = kCount;
  options.compiled = compiled;
  options.reset = ResetMode::same_step;
  options.floats = false;
  return options;
}

class Forms : public testing::TestWithParam<const char*> {};

TEST_P(Forms, TablesHaveThePlanesOfTheInterpreter) {
  const ir::Game game = own_games::load(GetParam());
  ir::Game played = game;
  passes::optimize(played, {.level = 2});
  limits::cpp_code.set(1);
  Batch tables(game, played, options(true));
  limits::cpp_code.set(limits::cpp_code.standard());
  Batch interpreted(game, played, options(false));
  expect_alike(tables, interpreted);
}

INSTANTIATE_TEST_SUITE_P(Batch, Forms,
                         testing::Values("hrg/tic-tac-toe.hrg", "gdl/connect-four.kif", "rbg/breakthrough.rbg"));

// Numbers next to those that are keys are codes of the same kind; the arrays are only as long as the keys need.
TEST(Batch, FindsTheCellsOfMapsWithFewKeys) {
  const char* const text = R"(
    type Player = {p}; type Score = {0}; type Kind = {a, b}; type Key = {1, 2, 3}; type Count = {1, 2, 3, 4, 5, 6};
    const next: Count -> Count = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, :1};
    var cell: Key -> Key -> Kind = {:{:a}}; var row: Key = 1; var column: Key = 1; var count: Count = 1;
    begin, 1: player = p;
    1, 2: row = Key(*);
    2, 3: $$ row;
    3, 4: column = Key(*);
    4, 5: $$ column;
    5, 51: cell[row][column] == a;
    51, 6: cell[row][column] = b;
    5, 52: cell[row][column] == b;
    52, 6: cell[row][column] = a;
    6, 7: player = keeper;
    7, 8: count = next[count];
    8, begin: count != row;
    8, end: count == row;
  )";
  Diagnostics diagnostics;
  const ir::Game game = load_text("cells.rg", text, choose_frontend("cells.rg", text), diagnostics);
  Batch compiled(game, game, options(true));
  Batch interpreted(game, game, options(false));
  expect_alike(compiled, interpreted);
}

// Of the first board some cells never change, which only the values that all cells can have together show: compiled
// reasoners do not keep them, so no engine shows them.
TEST(Batch, ShowsTheSameOfBoardsWhoseCellsNeverChange) {
  for (const std::uint64_t seed : {9 * 7919, 10 * 7919}) {
    test::Choices choices(seed);
    Diagnostics diagnostics;
    const std::string text = test::random_board_gdl(choices);
    const ir::Game game = load_text("board.kif", text, choose_frontend("board.kif", text), diagnostics);
    ir::Game played = game;
    passes::optimize(played, {.level = 2});
    Batch compiled(game, played, options(true));
    Batch interpreted(game, played, options(false));
    expect_alike(compiled, interpreted);
  }
}

// A move is sixty letters: nobody can list them all.
ir::Game spelling() {
  std::string text = "type Player = {p}; type Score = {0}; type Letter = {a, b, c, d, e}; type Count = {";
  for (int i = 0; i < 61; ++i) text += fmt::format("{}n{}", i == 0 ? "" : ", ", i);
  text += "}; const next: Count -> Count = {";
  for (int i = 0; i < 60; ++i) text += fmt::format("n{}: n{}, ", i, i + 1);
  text += R"(:n60};
    var at: Letter = a; var count: Count = n0;
    begin, 1: player = p;
    1, 2: at = Letter(*);
    2, 3: $$ at;
    3, 4: count = next[count];
    4, 1: count != n60;
    4, 5: count == n60;
    5, 6: count = n0;
    6, 7: player = keeper;
    7, begin: at != e;
    7, end: at == e;
  )";
  Diagnostics diagnostics;
  return load_text("spelling.rg", text, choose_frontend("spelling.rg", text), diagnostics);
}

TEST(Batch, ManyMovesAreGivenInPartsWithoutAListOfThem) {
  const ir::Game game = spelling();
  for (const bool as_code : {true, false}) {
    if (!as_code) limits::cpp_code.set(1);
    Batch compiled(game, game, options(true));
    limits::cpp_code.set(limits::cpp_code.standard());
    Batch interpreted(game, game, options(false));
    ASSERT_EQ(compiled.actions().form(), analysis::ActionSpace::Form::factored);
    expect_alike(compiled, interpreted);
  }
}

// A counter to 99 that stops at `stops`, and ends the game at 90.
ir::Game counting(int stops) {
  std::string text = "type Player = {a}; type Score = {0}; type Cell = {x, y}; type Count = {";
  for (int i = 0; i < 100; ++i) text += fmt::format("{}n{}", i == 0 ? "" : ", ", i);
  text += "}; const next: Count -> Count = {";
  for (int i = 0; i < stops; ++i) text += fmt::format("n{}: n{}, ", i, i + 1);
  text += fmt::format(R"(:n{}}};
    var at: Cell = x; var count: Count = n0;
    begin, 1: player = a;
    1, 2: at = Cell(*);
    2, 3: $$ at;
    3, 4: player = keeper;
    4, 5: count = next[count];
    5, begin: count != n90;
    5, end: count == n90;
  )",
                      stops);
  Diagnostics diagnostics;
  return load_text("counting.rg", text, choose_frontend("counting.rg", text), diagnostics);
}

std::unique_ptr<Batch> compiled(const std::string& text, BatchOptions options = {}) {
  Diagnostics diagnostics;
  const ir::Game game = load_text("test.rg", text, *find_frontend("rg"), diagnostics);
  options.compiled = true;
  options.floats = false;
  if (options.count == 1) options.count = kCount;
  return std::make_unique<Batch>(game, game, options);
}

// A player takes one or two stones; the player with the last one wins, or loses.
std::string stones(const std::string& winner) {
  return R"(
type Player = { one, two };
type Score = { 0, 100 };
type Heap = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
const less: Heap -> Heap = { 12: 11, 11: 10, 10: 9, 9: 8, 8: 7, 7: 6, 6: 5, 5: 4, 4: 3, 3: 2, 2: 1, :0 };
const other: Player -> Player = { one: two, :one };
var heap: Heap = 12;
var who: Player = two;
begin, turn: who = other[who];
turn, moves: player = PlayerOrSystem(who);
moves, one: $ one;
one, taken: heap = less[heap];
moves, two: heap != 1;
two, said: $ two;
said, again: heap = less[heap];
again, taken: heap = less[heap];
taken, more: heap != 0;
taken, over: heap == 0;
more, begin: player = keeper;
over, won: goals[)" +
         winner +
         R"(] = 100;
won, end: player = keeper;
)";
}

// A batch loads only states that a batch of the same game and form saved.
TEST(Batch, LoadsWhatItHasSavedAndNothingElse) {
  const auto batch = compiled(stones("who"));
  ASSERT_TRUE(batch->can_save());
  Arrays arrays(*batch);
  const std::vector<std::uint64_t> seeds = {1, 2, 3, 4, 5, 6, 7, 8};
  arrays.buffers.seeds = seeds.data();
  batch->reset(arrays.buffers);
  const auto play_on = [&] {
    std::vector<std::vector<std::uint8_t>> shown;
    for (int step = 0; step < 10; ++step) {
      batch->sample(arrays.actions.data());
      batch->step(arrays.buffers);
      shown.push_back(arrays.observation);
    }
    return shown;
  };
  play_on();
  const std::string saved = batch->save();
  const auto first = play_on();
  batch->load(saved);
  EXPECT_EQ(play_on(), first);
  const std::string now = batch->save();
  const auto refused = [&](Batch& by, std::string_view bytes) -> std::string {
    try {
      by.load(bytes);
      return "";
    } catch (const Error& e) {
      return e.what();
    }
  };
  using testing::HasSubstr;
  // The same board and the same moves, but another one wins.
  const auto other = compiled(stones("other[who]"));
  other->reset(arrays.buffers);
  EXPECT_EQ(other->record_size(), batch->record_size());
  EXPECT_THAT(refused(*other, saved), HasSubstr("another game"));
  const auto fewer = compiled(stones("who"), {.count = kCount - 1});
  EXPECT_THAT(refused(*fewer, saved), HasSubstr("number of plays"));
  EXPECT_THAT(refused(*batch, ""), HasSubstr("no saved plays"));
  EXPECT_THAT(refused(*batch, saved + " "), HasSubstr("missing"));
  // 10,000 damaged ones: bits turned over, bytes replaced, taken out and put in, ends cut off.
  test::Choices choices(1);
  std::size_t tried = 0;
  while (tried < 10'000) {
    std::string bytes = saved;
    const std::size_t at = choices.below(bytes.size());
    switch (choices.below(5)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << choices.below(8));
        break;
      case 1:
        bytes[at] = static_cast<char>(choices.below(256));
        break;
      case 2:
        bytes.erase(at, 1 + choices.below(8));
        break;
      case 3:
        bytes.insert(at, 1 + choices.below(8), static_cast<char>(choices.below(256)));
        break;
      default:
        bytes.resize(at);
    }
    if (bytes == saved) continue;
    ++tried;
    ASSERT_NE(refused(*batch, bytes), "") << at;
  }
  EXPECT_EQ(batch->save(), now) << "what is refused changes nothing";
}

TEST(Observation, HasNoPlanesOfACounterThatDecidesNothing) {
  const auto planes = [](const ir::Game& game) {
    std::string all;
    for (const std::string& plane : observe(game, {}, 1, 1).planes) all += plane + "\n";
    return all;
  };
  EXPECT_THAT(planes(counting(95)), testing::HasSubstr("count@0"));
  EXPECT_THAT(planes(counting(50)), testing::Not(testing::HasSubstr("count")));
}

// Wherever it stands, it can go on to c and end the play.
TEST(Observation, HasNoPlanesOfAPlaceFromWhichEveryPlaceIsReached) {
  const char* const text = R"(
    type Player = {p}; type Score = {0, 1}; type Place = {a, b, c}; type Cell = {x, y};
    const next: Place -> Place = {a: b, b: c, :a};
    var at: Place = a; var cell: Cell = x;
    begin, 1: player = p;
    1, 2: cell = Cell(*);
    2, 3: $$ cell;
    3, 4: player = keeper;
    4, 4: at = next[at];
    4, 5: at == c;
    5, begin: cell == x;
    5, end: cell != x;
  )";
  Diagnostics diagnostics;
  const ir::Game game = load_text("places.rg", text, choose_frontend("places.rg", text), diagnostics);
  EXPECT_THAT(observe(game, {}, 1, 1).planes, testing::Not(testing::Contains(testing::StartsWith("at="))));
}

}  // namespace
}  // namespace rgtrans::env
