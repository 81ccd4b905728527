// Certificates on small games: correct passes are confirmed, changed games and damaged texts are refused.
#include "core/certificate/certificate.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/passes/passes.hpp"
#include "core/recorder/recorder.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/own_games.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::certificate {
namespace {

using testing::HasSubstr;

constexpr const char* kDeclarations =
    "type Player = { p, q }; type Score = { 0, 9 }; type T = { 1, 2, 3 }; type U = { 1, 2 }; type M = T -> T;"
    "const f: M = { 1: 2, 2: 3, :1 }; const h: M = { 1: 3, :2 };"
    "var x: T = 1; var y: T = 2; var z: U = 1; var m: M = { :1 };";

ir::Game small(const std::string& edges) { return rg::parse_game(kDeclarations + edges); }

PassVerdict verdict_of(const ir::Game& before, const ir::Game& after) {
  Version first(before), second(after);
  return check(first, second, derive_record(before, after));
}

// The verdict about one pass, which must change something.
PassVerdict verdict_of(const std::string& edges, const std::string& pass) {
  const ir::Game before = small(edges);
  ir::Game after = before;
  passes::OptimizeOptions options;
  options.passes = std::vector<std::string>{pass};
  std::size_t changes = 0;
  options.on_change = [&](const passes::PassEvent& event) { changes += event.changes; };
  passes::optimize(after, options);
  EXPECT_GT(changes, 0U) << pass;
  return verdict_of(before, after);
}

struct Case {
  const char* pass;
  const char* edges;
};

class ConfirmedPass : public testing::TestWithParam<Case> {};

TEST_P(ConfirmedPass, HasACertificate) {
  const PassVerdict verdict = verdict_of(GetParam().edges, GetParam().pass);
  EXPECT_TRUE(verdict.confirmed) << GetParam().pass << ": " << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Certificates, ConfirmedPass,
    testing::Values(
        Case{"skip-edges", "begin, a: ; a, b: player = p; b, c: x == 1; c, d: ; d, end: player = keeper;"},
        Case{"merge-nodes",
             "begin, a: player = p; a, b: $ s; a, c: $ t; b, d: x = 1; c, e: x = 1; d, end: player = keeper;"
             "e, end: player = keeper;"},
        Case{"prune", "begin, a: player = p; a, end: player = keeper; a, lost: x == 1;"},
        Case{"self-loops", "begin, a: player = p; a, a: x == 1; a, end: player = keeper;"},
        Case{"dead-stores", "begin, a: player = p; a, b: x = 2; b, end: player = keeper;"},
        Case{"propagate-values", "begin, a: player = p; a, b: x != 2; b, end: player = keeper; a, end: x == 3;"},
        Case{"known-conditions",
             "begin, a: y = T(*); a, b: player = p; b, c: y == 1; c, d: $ s; d, e: y == 1; e, end: player = keeper;"},
        Case{"inline-assignments",
             "begin, a: y = T(*); a, b: player = p; b, c: x = y; c, d: $$ x; d, end: player = keeper;"},
        Case{"inline-checks",
             "begin, a: y = T(*); a, b: player = p; b, c: ? s -> t; s, r: y == 1; r, t: m[y] == 1;"
             "c, end: player = keeper; b, end: player = keeper;"},
        Case{"filter-choices",
             "begin, a: player = p; a, b: y = T(*); b, c: f[y] == 2; c, d: $$ y; d, end: player = keeper;"},
        Case{
            "hoist-conditions",
            "begin, a: x = T(*); a, b: player = p; b, c: y = T(*); c, d: x == 1; d, e: $$ y; e, end: player = keeper;"},
        Case{"compact-comparisons",
             "begin, a: x = T(*); a, b: player = p; b, c: x == 1; b, c: x == 2; c, end: player = keeper;"
             "b, end: player = keeper;"},
        Case{"compose-maps",
             "begin, a: x = T(*); a, b: player = p; b, c: y = f[h[x]]; c, d: $$ y; d, end: player = keeper;"},
        Case{"check-tags", "begin, a: player = p; a, b: ? s -> t; s, t: $ k; b, end: player = keeper;"},
        Case{"unused-variables", "begin, a: y = 1; a, end: player = keeper;"},
        Case{"join-prefixes",
             "begin, a: player = p; a, b: x = 2; a, c: x = 2; b, d: $ s; c, d: $ t; d, end: player = keeper;"},
        // The joined branches have conditions of their own, and go round.
        Case{"join-prefixes",
             "begin, a: x = T(*); a, b: player = p; b, c: x != 3; b, d: x != 3; b, e: x != 3; b, end: player = keeper;"
             "c, f: f[x] == 2; d, f: f[y] == 2; e, f: f[h[y]] == 2; f, b: y = f[y];"},
        // A condition of one game only decides what the other one does later.
        Case{"hoist-conditions",
             "begin, a: x = T(*); a, b: player = p; b, c: y = f[y]; c, d: x != 3; d, e: x = f[x]; e, f: m[y] == 1;"
             "f, b: ; b, end: player = keeper;"},
        // The games differ in one cell for long.
        Case{"dead-cells",
             "begin, a: x = T(*); a, b: player = p; b, c: m[1] = 2; c, b: $$ x; c, d: m[2] = 1; d, e: m[2] == 1;"
             "e, f: m[1] = 3; f, end: m[1] == 3; b, end: player = keeper; d, b: ? s -> t; s, t: m[2] == 2;"},
        Case{"dead-cells",
             "begin, a: x = T(*); a, b: player = p; b, c: m[2] = f[m[2]]; c, d: m[3] = f[m[3]]; d, e: m[x] = f[m[x]];"
             "e, b: m[1] != 3; e, end: player = keeper;"}),
    [](const auto& info) {
      std::string name = info.param.pass + std::to_string(info.index);
      std::erase(name, '-');
      return name;
    });

TEST(Certificates, RefuseAChangedGame) {
  const char* const game = "begin, a: y = T(*); a, b: player = p; b, c: y == 1; c, d: $ s; d, end: player = keeper;";
  const ir::Game before = small(game);
  EXPECT_TRUE(verdict_of(before, before).confirmed);
  const auto changed = [&](const std::string& old, const std::string& now) {
    std::string text = game;
    text.replace(text.find(old), old.size(), now);
    return verdict_of(before, small(text)).confirmed;
  };
  EXPECT_FALSE(changed("y == 1", ""));
  EXPECT_FALSE(changed("y == 1", "y == 2"));
  EXPECT_FALSE(changed("y == 1", "y != 1"));
  EXPECT_FALSE(changed("$ s", ""));
  EXPECT_FALSE(changed("player = p", "player = q"));
}

TEST(Certificates, RefuseAnEmptiedCellThatIsRead) {
  // Emptying the first assignment is refused wherever the cell may be read, whatever the record says.
  const auto verdict = [](const std::string& rest) {
    const ir::Game before = small("begin, a: x = T(*); a, b: player = p; b, c: m[2] = 3; " + rest);
    ir::Game after = before;
    for (const ir::EdgeId edge : after.graph.edges())
      if (std::holds_alternative<ir::Assign>(after.graph.label(edge)) &&
          !after.is_player_assignment(after.graph.label(edge)) && after.graph.alive(edge)) {
        after.graph.set_label(edge, ir::Empty{});
        break;
      }
    return verdict_of(before, after).confirmed;
  };
  EXPECT_TRUE(verdict("c, d: m[1] == 1; d, end: player = keeper;"));
  EXPECT_TRUE(verdict("c, d: m[2] = 1; d, e: m[x] == 1; e, end: player = keeper;"));
  EXPECT_FALSE(verdict("c, d: m[2] == 3; d, end: player = keeper;"));
  EXPECT_FALSE(verdict("c, d: m[x] == 1; d, end: player = keeper;"));
  EXPECT_FALSE(verdict("c, d: m[1] = 2; d, e: ? s -> t; s, t: m[m[1]] == 3; e, end: player = keeper;"));
  EXPECT_FALSE(verdict("c, d: m[2] = f[m[2]]; d, e: m[2] == 1; e, end: player = keeper;"));
}

TEST(Certificates, RefuseALoopThatNeverEnds) {
  // The game after never leaves its loop, so the steps behind the loop do not count.
  const ir::Game before = small("begin, a: player = p; a, b: x == 1; b, end: player = keeper;");
  ir::Game after = before;
  for (const ir::EdgeId edge : after.graph.edges()) {
    if (!ir::is_condition(after.graph.label(edge))) continue;
    after.graph.set_label(edge, ir::Empty{});
    after.graph.set_target(edge, after.graph.source(edge));
  }
  EXPECT_FALSE(verdict_of(before, after).confirmed);
}

TEST(Certificates, NameAPragmaThatIsNotChecked) {
  const PassVerdict verdict =
      verdict_of("begin, a: player = p; a, b: x == 1; a, c: x == 2; b, end: player = keeper; c, end: player = keeper;",
                 "pragma-disjoint");
  EXPECT_FALSE(verdict.confirmed);
  EXPECT_THAT(verdict.reason, HasSubstr("disjoint"));
}

std::optional<bool> differ(const ir::Game& a, const ir::Game& b) {
  try {
    return !naive::compare(a, b, 3).empty();
  } catch (const naive::TooHard&) {
    return std::nullopt;
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
}

TEST(Certificates, RefuseRandomDamages) {
  std::size_t changed = 0;
  const std::uint64_t games = test::random_count(100);
  for (std::uint64_t seed = 1; seed <= games; ++seed) {
    test::Choices choices(seed);
    test::RandomGameOptions options;
    options.turns = seed % 2 == 0;
    std::optional<ir::Game> before;
    try {
      before = rg::parse_game(test::random_game(choices, options));
    } catch (const Error&) {
      continue;
    }
    if (differ(*before, *before) != false) continue;
    ir::Game optimized = *before;
    passes::OptimizeOptions some;
    some.passes = std::vector<std::string>{std::string(passes::all_passes()[seed % 31].name)};
    passes::optimize(optimized, some);
    optimized.pragmas = before->pragmas;
    for (int i = 0; i < 8; ++i) {
      ir::Game after = optimized;
      if (test::damage(after, choices.below(test::kDamages), {}, choices).empty()) continue;
      const bool accepted = verdict_of(*before, after).confirmed;
      const std::optional<bool> different = differ(*before, after);
      if (!different) continue;
      changed += *different ? 1 : 0;
      EXPECT_FALSE(accepted && *different) << "seed " << seed << ", damage " << i;
    }
  }
  std::printf("%zu damages that change a game\n", changed);
  EXPECT_GT(changed, 0U);
}

TEST(Certificates, RefuseDamagedPasses) {
  // Of games of this repository, each run of a pass is damaged where it changed something. A program of its own tries
  // many more: see docs/certificates.md.
  std::size_t changed = 0, tried = 0;
  std::set<std::string> passes;
  for (const char* const name : {"rbg/tic-tac-toe.rbg", "hrg/tic-tac-toe.hrg", "hrg/liars-dice.hrg"}) {
    ir::Game game = own_games::load(name);
    ir::Game before = game;
    passes::OptimizeOptions options;
    options.pragmas = false;
    options.on_change = [&](const passes::PassEvent& event) {
      const std::vector<ir::EdgeId> edges = test::changed_edges(before, event.after);
      for (int i = 0; i < 40; ++i) {
        test::Choices choices(++tried);
        ir::Game after = event.after;
        const std::string kind = test::damage(after, tried % test::kDamages, edges, choices);
        if (kind.empty() || differ(before, after) != true) continue;
        EXPECT_FALSE(verdict_of(before, after).confirmed) << name << ", " << event.pass.name << ": " << kind;
        ++changed;
        passes.emplace(event.pass.name);
      }
      before = event.after;
    };
    passes::optimize(game, options);
  }
  std::printf("%zu damages of %zu passes change a game\n", changed, passes.size());
  EXPECT_GE(changed, 20U);
  EXPECT_GE(passes.size(), 5U);
}

// Long chains of lookups, which are confirmed step by step: behind `x = f[a]` and `x = g[x]`, x is g[f[a]].
TEST(Certificates, ConfirmInlinedChains) {
  for (const char* const name : {"ludax/pente.ldx", "ludax/lines-count.ldx"}) {
    ir::Game game = own_games::load(name);
    ir::Game before = game;
    std::size_t changes = 0;
    passes::OptimizeOptions options;
    options.pragmas = false;
    options.on_change = [&](const passes::PassEvent& event) {
      if (event.pass.name == "inline-assignments") {
        const PassVerdict verdict = verdict_of(before, event.after);
        EXPECT_TRUE(verdict.confirmed) << name << ": " << verdict.reason;
        changes += event.changes;
      }
      before = event.after;
    };
    passes::optimize(game, options);
    EXPECT_GT(changes, 50U) << name;
  }
}

// --- The text ---

std::string certificate_text() {
  const ir::Game first =
      small("begin, a: y = T(*); a, b: player = p; b, c: x = y; c, d: $$ x; d, e: ; e, end: player = keeper;");
  ir::Game game = first;
  Writer writer(first);
  passes::OptimizeOptions options;
  options.pragmas = false;
  options.on_change = [&](const passes::PassEvent& event) { writer.add(event.pass.name, event.changes, event.after); };
  passes::optimize(game, options);
  return writer.text();
}

TEST(CertificateText, ReadsBackAndIsConfirmed) {
  const Report report = verify(certificate_text(), "file");
  ASSERT_FALSE(report.steps.empty());
  for (const CertifiedPass& step : report.steps)
    EXPECT_TRUE(step.verdict.confirmed) << step.pass << step.verdict.reason;
}

std::string refusal(const std::string& text) {
  try {
    (void)verify(text, "file");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CertificateText, NamesTheLineOfADamage) {
  const std::string text = certificate_text();
  EXPECT_THAT(refusal(""), HasSubstr("file:1"));
  EXPECT_THAT(refusal("rgtrans certificate 2\nend\n"), HasSubstr("file:1"));
  EXPECT_THAT(refusal(text.substr(0, text.size() / 2)), HasSubstr("file:"));
  for (std::size_t at = 3; at < text.size(); at += 97) {
    std::string damaged = text;
    damaged[at] = damaged[at] == '1' || damaged[at] == '\n' ? '2' : '1';
    EXPECT_THAT(refusal(damaged), HasSubstr("file:")) << at;
  }
}

TEST(CertificateText, RecognisesAForeignGame) {
  const auto text_of = [](const ir::Game& game) { return Writer(game).text(); };
  const std::string first = text_of(verify(certificate_text(), "file").first);
  EXPECT_EQ(first, text_of(small("begin, a: y = T(*); a, b: player = p; b, c: x = y; c, d: $$ x; d, e: ; "
                                 "e, end: player = keeper;")));
  EXPECT_NE(first, text_of(small("begin, end: player = keeper;")));
}

}  // namespace
}  // namespace rgtrans::certificate
