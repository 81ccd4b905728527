#include "backends/trace/trace.hpp"

#include <gmock/gmock.h>

#include <random>

#include "backends/trace/difference.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::trace {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ir::Game coin() {
  return rg::parse_game(
      "type Player = {p}; type Score = {0}; type T = {0, 1};\nvar x: T = 0;\n"
      "begin, a: ; a, b: T(x) == 1; b, end: player = keeper;");
}

std::vector<json> changes_of(ir::Game game) {
  std::vector<json> changes;
  passes::OptimizeOptions options;
  options.keep_before = true;
  options.on_change = [&](const passes::PassEvent& event) {
    changes.push_back(change_of(event));
    changes.back()["pass"] = event.pass.name;
  };
  passes::optimize(game, options);
  return changes;
}

TEST(Trace, IsOnePage) {
  ir::Game game = coin();
  Page page("a < b", game);
  passes::OptimizeOptions options;
  options.keep_before = true;
  options.on_change = [&](const passes::PassEvent& event) { page.add(event); };
  const passes::OptimizeReport report = passes::optimize(game, options);
  const std::string html = page.html("<title>@TITLE@</title><script>@DATA@</script>", game, report);
  EXPECT_THAT(html, HasSubstr("<title>a &lt; b</title>"));
  EXPECT_THAT(html, Not(HasSubstr("@DATA@")));
  EXPECT_GT(html.size(), 300U);
}

TEST(Trace, ARunTellsWhatItChanged) {
  ir::Game game = coin();
  trace::RunOfPasses run(game);
  passes::OptimizeOptions options;
  options.on_change = [&](const passes::PassEvent& event) { run.add(event); };
  const passes::OptimizeReport report = passes::optimize(game, options);
  const json told = run.told(game, report);
  ASSERT_FALSE(told["rows"].empty());
  EXPECT_EQ(told["rows"].back()["edges"], game.graph.edge_count());
  EXPECT_EQ(told["before"]["edges"], 3);
  EXPECT_EQ(told["after"]["edges"], game.graph.edge_count());
}

TEST(Trace, BothSidesOfAChange) {
  const std::vector<json> changes = changes_of(coin());
  const auto strip = std::ranges::find(changes, json("strip-casts"), [](const json& c) { return c["pass"]; });
  ASSERT_NE(strip, changes.end());
  EXPECT_THAT((*strip)["lines"], testing::Contains(json({"a, b: T(x) == 1;", "a, b: x == 1;"})));
  const std::string svg = (*strip)["svg"];
  // The chain is there twice, at one place; the nodes around it once.
  EXPECT_THAT(svg, HasSubstr("class=\"c a\""));
  EXPECT_THAT(svg, HasSubstr("class=\"c b\""));
  EXPECT_THAT(svg, Not(HasSubstr("class=\"n t a\"")));
}

TEST(Trace, PragmasHaveReasons) {
  const auto changes = changes_of(
      rg::parse_game("type Player = {p}; type Score = {0}; type T = {0, 1};\nvar x: T = 0;\n"
                     "begin, a: player = p; a, b: $ 0; a, c: $ 1; b, d: x = 0; c, d: x = 1; d, end: player = keeper;"));
  std::size_t gained = 0;
  for (const json& change : changes) {
    for (const json& pragma : change["pragmas"]) {
      if (pragma["name"] != "@unique" || !pragma["gained"].get<bool>()) continue;
      ++gained;
      EXPECT_FALSE(pragma["nodes"].empty());
      EXPECT_THAT(pragma["why"].get<std::string>(), HasSubstr("every way here"));
    }
  }
  EXPECT_GT(gained, 0U);
}

// By line: "=x", "-x", "+x", "-x+y" or "..n".
std::vector<std::string> told(std::string_view before, std::string_view after, std::size_t context) {
  std::vector<std::string> all;
  for (const LinePair& pair : side_by_side(before, after, context)) {
    if (pair.skipped > 0) {
      all.push_back(".." + std::to_string(pair.skipped));
    } else if (pair.before == pair.after) {
      all.push_back("=" + std::string(*pair.before));
    } else {
      all.push_back((pair.before ? "-" + std::string(*pair.before) : "") +
                    (pair.after ? "+" + std::string(*pair.after) : ""));
    }
  }
  return all;
}

TEST(SideBySide, KeepsWhatIsTheSame) {
  EXPECT_THAT(told("a\nb\nc\nd\n", "a\nB\nc\nd\n", 1), ElementsAre("=a", "-b+B", "=c", "..1"));
  EXPECT_THAT(told("a\nb\n", "b\na\n", 1), ElementsAre("-a", "=b", "+a"));
  EXPECT_THAT(told("", "x\n", 1), ElementsAre("+x"));
  EXPECT_THAT(told("1\n2\n3\n4\n5\nx\n", "1\n2\n3\n4\n5\n", 2), ElementsAre("..3", "=4", "=5", "-x"));
  EXPECT_THAT(told("x\n1\n2\n3\n4\n5\ny\n", "1\n2\n3\n4\n5\n", 1), ElementsAre("-x", "=1", "..3", "=5", "-y"));
}

// Whatever the texts are: the left sides are the one, the right sides the other.
TEST(SideBySide, LosesNothing) {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random()) % n; };
  for (int i = 0; i < 300; ++i) {
    std::string texts[2];
    for (std::string& text : texts) {
      for (std::uint32_t n = below(12); n > 0; --n) text += std::string(1, static_cast<char>('a' + below(4))) + "\n";
    }
    std::string before, after;
    for (const LinePair& pair : side_by_side(texts[0], texts[1], 100)) {
      ASSERT_EQ(pair.skipped, 0U);
      if (pair.before) before += std::string(*pair.before) + "\n";
      if (pair.after) after += std::string(*pair.after) + "\n";
    }
    EXPECT_EQ(before, texts[0]);
    EXPECT_EQ(after, texts[1]);
  }
}

}  // namespace
}  // namespace rgtrans::trace
