// Compares line games with independent counts: those of the published system for each of its games, and those of the
// specification for rule variants and boards. The published ones count walks, so an ambiguous capture counts twice.
#include "frontends/linegames/linegames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "backends/interpreter/interpreter.hpp"
#include "core/passes/passes.hpp"
#include "frontends/registry/registry.hpp"
#include "tests/frontends/linegames/published.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::linegames {
namespace {

constexpr std::uint64_t kQuickLeaves = 25'000;

std::uint64_t limit() { return corpus::full() ? UINT64_MAX : kQuickLeaves; }

std::unique_ptr<Reasoner> reasoner_of(const std::string& json, int level) {
  Diagnostics diagnostics;
  ir::Game game = load_text("test.linegame", json, frontend(), diagnostics);
  passes::OptimizeOptions options;
  options.level = level;
  passes::optimize(game, options);
  return make_interpreter(game);
}

TEST(LineGamesOracle, PublishedGamesHaveTheReferenceCounts) {
  SKIP_WITHOUT_SHARED();
  const corpus::Counts counts = corpus::known_perft("line", true);
  ASSERT_GE(counts.size(), 20U);
  const auto games = published_games(true);
  for (const auto& [name, by_depth] : counts) {
    SCOPED_TRACE(name);
    const auto game = games.find(name);
    ASSERT_NE(game, games.end());
    for (const int level : {0, 2}) {
      const auto reasoner = reasoner_of(game->second.json, level);
      for (const auto& [depth, count] : by_depth) {
        if (count > limit()) continue;
        EXPECT_EQ(reasoner->perft_walks(depth), count) << "depth " << depth << ", -O" << level;
      }
    }
  }
}

using Counts = std::vector<std::uint64_t>;  // of depth 1, 2, ...

void expect_counts(const std::string& json, const Counts& counts, bool walks) {
  const auto reasoner = reasoner_of(json, 2);
  for (std::size_t i = 0; i < counts.size() && counts[i] <= limit(); ++i) {
    const auto depth = static_cast<unsigned>(i + 1);
    EXPECT_EQ(walks ? reasoner->perft_walks(depth) : reasoner->perft(depth), counts[i]) << "depth " << depth;
  }
}

// Stepwise captures with an explicit PASS, and all other games: a move determines the next state.
const std::map<std::string, Counts> kExplicit = {
    {"ahtarahGuti_lud", {4, 8, 33, 210, 1401, 9972}},
    {"aiyawatstani_lud", {13, 233, 3884, 83408}},
    {"alquerque", {4, 5, 6, 12, 29, 109, 541}},
    {"alquerque_lud", {4, 8, 33, 210, 1430, 10262, 81306}},
    {"baraGutiBihar_lud", {4, 8, 32, 176, 964, 6330, 43456}},
    {"baraGuti_lud", {4, 8, 33, 210, 1430, 10262, 81306}},
    {"bisGutiya_lud", {4, 10, 45, 284, 2118, 17334}},
    {"chalisGutiaTitagarh_lud", {18, 324, 7596, 178084}},
    {"damHariman_lud", {9, 69, 783, 8685, 101571}},
    {"damSingapore_lud", {9, 69, 783, 8685, 104091}},
    {"dashGuti", {4, 4, 6, 13, 43, 100, 312}},
    {"dashGuti_lud", {4, 5, 17, 70, 302, 1534, 7525}},
    {"golEkuish_lud", {3, 7, 25, 129, 677, 4243, 27544}},
    {"golSkuish", {3, 5, 7, 18, 56, 146, 448}},
    {"hewakamKeliya_lud", {9, 69, 783, 8685, 101571}},
    {"kauaDorki_lud", {4, 4, 16, 62, 264, 1210, 5144}},
    {"kotuEllima_lud", {4, 8, 33, 212, 1527, 11666}},
    {"lamPusri_lud", {4, 8, 33, 210, 1401, 9972}},
    {"lauKataKati", {3, 3, 3, 7, 27, 47, 181}},
    {"lauKataKati_lud", {3, 3, 9, 39, 167, 737, 3405}},
    {"meurimuengRimuengPeuetPloh_lud", {4, 9, 42, 290, 2225, 18647}},
    {"mogulPutthan_lud", {9, 69, 783, 8685, 101571}},
    {"peralikatuma_lud", {6, 33, 310, 2909, 27264}},
    {"pretwa", {3, 5, 7, 18, 56, 146, 444}},
    {"pretwa_lud", {3, 7, 25, 129, 647, 3877, 23533}},
    {"rattiChittiBakri_lud", {4, 9, 42, 290, 2387, 21229}},
    {"satoel_lud", {7, 42, 406, 4059, 46150}},
    {"smasandyutakankarikrida_lud", {3, 9, 69, 529, 3634, 24964}},
    {"tavelspel_lud", {13, 169, 3159, 59049}},
    {"terhuchuSmall_lud", {9, 69, 783, 8685, 102390}},
    {"tuknanavuhpi_lud", {4, 10, 45, 284, 2118, 17334}},
};

// The ambiguous games in their published form, both readings of an ambiguous label counted.
const std::map<std::string, Counts> kAmbiguous = {
    {"ahtarahGuti_lud", {4, 8, 33, 217, 1478, 11062}},
    {"damHariman_lud", {9, 69, 783, 8931, 107052}},
    {"lauKataKati_lud", {3, 3, 9, 39, 167, 750, 3556}},
    {"meurimuengRimuengPeuetPloh_lud", {4, 9, 42, 307, 2459, 22414}},
    {"peralikatuma_lud", {6, 33, 310, 2979, 28642}},
    {"pretwa_lud", {3, 7, 25, 137, 717, 4550, 29830}},
    {"satoel_lud", {7, 42, 406, 4076, 46570}},
    {"tavelspel_lud", {13, 169, 3159, 59049}},
};

TEST(LineGamesOracle, EveryGameHasTheCountsOfTheSpecification) {
  const auto games = published_games(false);
  ASSERT_EQ(games.size(), kExplicit.size());
  for (const auto& [name, game] : games) {
    SCOPED_TRACE(name);
    expect_counts(game.json, kExplicit.at(name), false);
  }
  const auto published = published_games(true);
  for (const auto& [name, counts] : kAmbiguous) {
    SCOPED_TRACE(name);
    expect_counts(published.at(name).json, counts, true);
  }
}

struct Variant {
  const char* sequence;
  const char* captures;
  Counts counts;
};

void expect_variants(const std::string& board, const std::string& pieces, const std::string& limits,
                     const std::vector<Variant>& variants) {
  for (const Variant& v : variants) {
    SCOPED_TRACE(board + " " + v.sequence + " " + v.captures);
    const std::string rules = std::string(R"("sequence": ")") + v.sequence + R"(", "captures": ")" + v.captures +
                              R"(", "compat": "published", )" + limits;
    expect_counts(definition("variant", board, pieces, rules), v.counts, true);
  }
}

const std::string kSpokes6 = R"({"player": "white", "spokes": [0, 1, 2]}, {"player": "black", "spokes": [3, 4, 5]})";

TEST(LineGamesOracle, RuleVariants) {
  expect_variants(R"("kind": "alquerque", "width": 5, "height": 5)",
                  R"({"halves": {"north": "black", "middle_row": "west-north"}})", R"("max_turns": 60)",
                  {
                      {"whole", "mandatory", {4, 5, 6, 12, 29, 109, 541, 2730}},
                      {"whole", "optional", {4, 8, 33, 219, 1537, 11697, 100189}},
                      {"single", "mandatory", {4, 5, 6, 12, 23, 110, 473, 2141}},
                      {"single", "optional", {4, 8, 33, 210, 1430, 10262, 81306}},
                      {"stepwise", "mandatory", {4, 5, 6, 12, 19, 64, 236, 949}},
                      {"stepwise", "optional", {4, 8, 33, 217, 1461, 10620, 84777}},
                  });
  const std::vector<Variant> circle = {
      {"whole", "mandatory", {3, 5, 7, 18, 56, 146, 444, 1442}},
      {"whole", "optional", {3, 7, 25, 137, 743, 4964, 34953}},
      {"single", "mandatory", {3, 5, 7, 18, 48, 122, 364, 1090}},
      {"single", "optional", {3, 7, 25, 129, 677, 4243, 27395}},
      {"stepwise", "mandatory", {3, 5, 7, 18, 42, 120, 334, 856}},
      {"stepwise", "optional", {3, 7, 25, 137, 717, 4550, 29830}},
  };
  for (const char* limits : {R"("stagnation": 10)", R"("max_turns": 12)", R"("stagnation": 10, "max_turns": 12)"}) {
    expect_variants(R"("kind": "circle", "spokes": 6, "rings": 3)", kSpokes6, limits, circle);
  }
}

TEST(LineGamesOracle, ATurnLimitEndsTheGameAfterThatManyTurns) {
  expect_counts(definition("limit", R"("kind": "circle", "spokes": 6, "rings": 3)", kSpokes6,
                           R"("sequence": "whole", "captures": "mandatory", "max_turns": 12)"),
                {3, 5, 7, 18, 56, 146, 444, 1442, 4834, 17712, 62952, 246654, 0}, false);
  // The last two lines are only reached in a full run; this is the same at once.
  expect_counts(definition("limit", R"("kind": "circle", "spokes": 6, "rings": 3)", kSpokes6,
                           R"("sequence": "whole", "captures": "mandatory", "max_turns": 4)"),
                {3, 5, 7, 18, 0}, false);
}

TEST(LineGamesOracle, Boards) {
  const auto expect = [](const std::string& board, const std::string& pieces, const Counts& counts) {
    SCOPED_TRACE(board);
    expect_counts(
        definition("board", board, pieces, R"("sequence": "whole", "captures": "mandatory", "stagnation": 30)"), counts,
        false);
  };
  const std::string rows = R"({"player": "black", "rows": {"first": 2}}, {"player": "white", "rows": {"last": 2}})";
  std::string star = R"("kind": "alquerque", "width": 5, "height": 5, "triangles": [)";
  for (const char* side : {"N", "NE", "E", "SE", "S", "SW", "W", "NW"}) {
    star += std::string(star.back() == '[' ? "" : ", ") + R"({"side": ")" + side + R"(", "rows": 2})";
  }
  std::string points;
  for (const char* side : {"N", "NE", "NW", "S", "SE", "SW"}) {
    const char* player = side[0] == 'N' ? "black" : "white";
    points +=
        std::string(points.empty() ? "" : ", ") + R"({"player": ")" + player + R"(", "triangle": ")" + side + R"("})";
  }
  expect(star + "]", points, {9, 81, 1053, 13689});
  expect(R"("kind": "square_with_diagonals", "squares_x": 2, "squares_y": 2)", rows,
         {7, 16, 52, 230, 844, 3432, 13154, 53744});
  expect(R"("kind": "grid", "width": 4, "height": 6)", rows, {4, 16, 112, 778, 4804, 27478});
  expect(R"("kind": "circle", "spokes": 2, "rings": 2)",
         R"({"player": "white", "spokes": [0]}, {"player": "black", "spokes": [1]})", {1, 3, 5, 9, 11, 14, 16, 46});
  expect(R"("kind": "circle", "spokes": 4, "rings": 2)",
         R"({"player": "white", "spokes": [0, 1]}, {"player": "black", "spokes": [2, 3]})", {2, 4, 8, 16, 8, 8, 0, 0});
  expect(R"("kind": "circle", "spokes": 8, "rings": 2)",
         R"({"player": "white", "spokes": [0, 1, 2, 3]}, {"player": "black", "spokes": [4, 5, 6, 7]})",
         {4, 6, 8, 24, 62, 190, 502, 1398});
}

TEST(LineGamesOracle, FirstMovesHaveThePublishedLabels) {
  const auto games = published_games(true);
  const auto moves = [&](const std::string& name) {
    const auto reasoner = reasoner_of(games.at(name).json, 2);
    while (reasoner->mover() == reasoner->info().keeper()) {
      EXPECT_EQ(reasoner->move_count(), 1U);
      reasoner->apply(0);
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < reasoner->move_count(); ++i) texts.push_back(reasoner->move_text(i));
    std::sort(texts.begin(), texts.end());
    return texts;
  };
  EXPECT_EQ(moves("alquerque"), (std::vector<std::string>{"cy2x3 NORMAL S__3", "cy3x1 NORMAL S__4", "cy3x2 NORMAL S__0",
                                                          "cy3x3 NORMAL S__5"}));
  EXPECT_EQ(moves("pretwa_lud"),
            (std::vector<std::string>{"cy1x0 NORMAL S__3", "cy1x1 NORMAL S__4", "cy1x2 NORMAL S__5"}));
}

}  // namespace
}  // namespace rgtrans::linegames
