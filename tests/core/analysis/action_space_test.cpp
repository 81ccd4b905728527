// Action spaces: known sizes, conversion between numbers and texts, and a number for every move of random plays.
#include "core/analysis/action_space.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <set>

#include "backends/interpreter/interpreter.hpp"
#include "backends/move_numbers.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/oracle/corpus.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/own_games.hpp"

namespace rgtrans::analysis {
namespace {

using Form = ActionSpace::Form;

ir::Game from_text(const std::string& text, const std::string& name) {
  Diagnostics diagnostics;
  return load_text(name, text, choose_frontend(name, text), diagnostics);
}

// Whether a move has a number of its own or, in factored form, a number for each tag.
bool has(const ActionSpace& space, MoveNumbers& numbers, Reasoner& state, std::size_t move) {
  const std::span<const std::uint32_t> tags = numbers.places(state, move);
  if (std::ranges::find(tags, kNone) != tags.end()) return false;
  if (space.form() == Form::factored) return true;
  const std::optional<std::uint64_t> id = space.id(tags);
  return id && *id < space.size() && std::ranges::equal(space.places(*id), tags);
}

struct Plays {
  int most;                                                  // number of plays
  int most_moves;                                            // in one play
  double seconds = std::numeric_limits<double>::infinity();  // processor time; the first play always starts
  int made = 0;
};

// Plays at random. Returns a player's move that has no number, or "".
std::string missing(const ActionSpace& space, const ActionSpace& chance, const ir::Game& game, Plays& plays) {
  const auto state = make_interpreter(game);
  MoveNumbers of_players(space), of_chance(chance);
  std::mt19937_64 random(7);
  const double end = processor_seconds() + plays.seconds;
  for (plays.made = 0; plays.made < plays.most && processor_seconds() < end; ++plays.made) {
    state->reset();
    for (int moves = 0; !state->terminal() && moves < plays.most_moves && processor_seconds() < end; ++moves) {
      const std::size_t count = state->move_count();
      if (count == 0) break;
      if (state->mover() != state->info().keeper()) {
        const bool by_chance = state->mover() == state->info().random();
        for (std::size_t i = 0; i < count; ++i) {
          const bool found = by_chance ? state->move_tags(i).empty() || has(chance, of_chance, *state, i)
                                       : has(space, of_players, *state, i);
          if (!found) return state->move_text(i).empty() ? "(no tag)" : state->move_text(i);
        }
      }
      state->apply(random() % count);
    }
  }
  return {};
}

// Returns the numbers of plays made at -O0 and at -O2.
std::pair<int, int> check_moves(const ir::Game& game, Plays plays) {
  const ActionSpace space(game);
  const ActionSpace chance(game, ActionSpace::Whose::random);
  EXPECT_EQ(missing(space, chance, game, plays), "") << "at -O0";
  const int plain = plays.made;
  ir::Game optimized = game;
  passes::optimize(optimized, {.level = 2});
  EXPECT_EQ(missing(space, chance, optimized, plays), "") << "at -O2";
  return {plain, plays.made};
}

TEST(ActionSpace, HasTheSizesThatAreKnown) {
  const std::map<std::string, std::uint64_t> sizes = {{"hrg/tic-tac-toe.hrg", 9},    {"hrg/connect-four.hrg", 7},
                                                      {"hrg/hex.hrg", 121},          {"gdl/connect-four.kif", 7},
                                                      {"hrg/gomoku.hrg", 225},       {"hrg/reversi.hrg", 65},
                                                      {"hrg/knightthrough.hrg", 336}};
  for (const auto& [name, size] : sizes) {
    const ActionSpace space(own_games::load(name));
    EXPECT_EQ(space.form(), Form::flat) << name;
    EXPECT_EQ(space.size(), size) << name;
  }
}

TEST(ActionSpace, OfChessHasAtMostTwoThousandMovesBesidePromotions) {
  const ActionSpace space(own_games::load("hrg/chess.hrg"));
  std::size_t others = 0;
  for (std::uint64_t id = 0; id < space.size(); ++id) {
    const std::string text = space.text(id);
    ASSERT_EQ(space.id(text), id);
    others += std::ranges::count(text, ' ') < 2 ? 1U : 0U;
  }
  EXPECT_LE(others, 2000U);
  EXPECT_LE(space.size(), 2200U);
}

constexpr const char* kSteps = R"(
  type Player = {a}; type Score = {0}; type Cell = {c1, c2, c10};
  const ahead: Cell -> Cell = {c1: c2, c2: c10, :c1};
  var from: Cell = c1; var to: Cell = c1;
  begin, 1: player = a;
  1, 2: from = Cell(*);
  2, 3: $$ from;
  3, 4: to = ahead[from];
  4, 5: from != c10;
  5, 6: $$ to;
  6, end: player = keeper;
)";

TEST(ActionSpace, FollowsRelationsBetweenTags) {
  const ActionSpace space(from_text(kSteps, "steps.rg"));
  ASSERT_EQ(space.size(), 2U);
  EXPECT_EQ(space.text(0), "c1 c2");
  EXPECT_EQ(space.text(1), "c2 c10");
  EXPECT_EQ(space.id("c2 c10"), 1U);
  for (const char* none : {"", "c1", "c1 c10", "c1 c2 c2", "c10 c1", "c1  c2", "other"}) {
    EXPECT_EQ(space.id(none), std::nullopt) << none;
  }
  EXPECT_THROW((void)space.text(2), std::out_of_range);
  EXPECT_EQ(space.places(1), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(space.id(std::vector<std::uint32_t>{1, 2}), 1U);
  EXPECT_EQ(space.id(std::vector<std::uint32_t>{1, kNone}), std::nullopt);
  EXPECT_THROW((void)space.places(2), std::out_of_range);
}

TEST(ActionSpace, IsFactoredWhereMovesHaveNoEnd) {
  const ActionSpace space(from_text(R"(
    type Player = {a}; type Score = {0}; type Cell = {x, y};
    var at: Cell = x;
    begin, 1: player = a;
    1, 2: at = Cell(*);
    2, 3: $$ at;
    3, 1: ;
    3, end: player = keeper;
  )",
                                    "endless.rg"));
  EXPECT_EQ(space.form(), Form::factored);
  EXPECT_EQ(space.size(), 3U);
  EXPECT_EQ(space.text(0), "");
  EXPECT_EQ(space.text(2), "y");
  EXPECT_EQ(space.ids("x y x"), (std::vector<std::uint64_t>{1, 2, 1}));
  EXPECT_EQ(space.id("x"), std::nullopt);
}

TEST(ActionSpace, IsFactoredWhereThereAreMoreThanTheLimit) {
  const ir::Game game = own_games::load("hrg/breakthrough.hrg");
  EXPECT_EQ(ActionSpace(game).form(), Form::flat);
  EXPECT_EQ(ActionSpace(game, ActionSpace::Whose::players, 100).form(), Form::factored);
}

class OwnGames : public testing::TestWithParam<std::string> {};

TEST_P(OwnGames, HaveANumberForEveryMove) {
  static const std::set<std::string> kSmall = {"gdl/tic-tac-toe.kif", "hrg/backgammon.hrg", "hrg/breakthrough.hrg",
                                               "hrg/liars-dice.hrg",  "ludax/hex.ldx",      "rbg/connect-four.rbg"};
  if (kSanitized && !kSmall.contains(GetParam())) GTEST_SKIP() << "one of each kind is enough under a sanitizer";
  const int plays = corpus::full() ? 200 : 3;
  check_moves(own_games::load(GetParam()), {.most = plays, .most_moves = corpus::full() ? 100'000 : 60});
}

INSTANTIATE_TEST_SUITE_P(ActionSpace, OwnGames, testing::ValuesIn(own_games::all()),
                         [](const auto& info) { return corpus::test_name(info.param); });

// The file in RGTRANS_GAME, or all games of this project and of the corpus.
std::vector<std::filesystem::path> every_game() {
  if (const char* const given = std::getenv("RGTRANS_GAME"); given != nullptr) return {given};
  const std::set<std::string> endings = {".hrg", ".kif", ".ldx", ".lud", ".linegame", ".rbg", ".rg"};
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder : {own_games::folder(), corpus::shared() / "corpus"}) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (endings.contains(entry.path().extension().string())) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

// A summary for the game of a file, in the words that scripts/sweep env reads.
std::string checked(const std::filesystem::path& file) {
  constexpr std::size_t kMostEdges = 100'000;
  std::optional<ir::Game> game;
  try {
    Diagnostics diagnostics;
    game = load_game({.path = file, .language = {}, .options = {}}, diagnostics);
  } catch (const std::exception& error) {
    return fmt::format("no game: {}", error.what());  // the description is wrong or exceeds a limit
  }
  if (game->graph.edge_count() > kMostEdges) return fmt::format("more than {} edges", kMostEdges);
  const double seconds = corpus::seconds_for_a_game() / 2;
  const auto [plain, optimized] = check_moves(*game, {.most = 200, .most_moves = 2000, .seconds = seconds});
  return fmt::format("{} plays at -O0, {} at -O2", plain, optimized);
}

// Tests every game without a huge automaton. RGTRANS_GAME_SECONDS (default 60) bounds the processor time for a game's
// plays. If fewer than 200 plays fit, their number is reported.
TEST(ActionSpace, OfEveryGameHasEveryMove) {
  if (!corpus::full()) GTEST_SKIP() << "long; set RGTRANS_FULL";
  for (const std::filesystem::path& file : every_game()) {
    SCOPED_TRACE(file.string());
    fmt::print("{}: {}\n", file.string(), checked(file));
  }
}

}  // namespace
}  // namespace rgtrans::analysis
