// Joint moves are as many in the lifted game as on the network and by the rules as they stand.
#include <gmock/gmock.h>

#include "backends/play/play.hpp"
#include "core/passes/passes.hpp"
#include "frontends/gdl/form.hpp"
#include "frontends/gdl/gdl.hpp"
#include "frontends/gdl/syntax/trails.hpp"
#include "tests/support/gdl_lift.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

namespace fs = std::filesystem;

// As far as there are few sequences.
std::vector<std::uint64_t> on_network(const std::string& text, unsigned depth, std::uint64_t most) {
  Diagnostics diagnostics;
  const GroundProgram program = ground(diagnostics.sources()->add("rules", text), diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  std::vector<std::uint64_t> leaves;
  for (unsigned d = 1; d <= depth; ++d) {
    const JointPerft perft = joint_perft(program, d);
    if (perft.rows.back().leaves > most) break;
    leaves.push_back(perft.rows.back().leaves);
  }
  return leaves;
}

// Nothing where the rules cannot be lifted.
std::optional<std::vector<std::uint64_t>> lifted(const std::string& text, unsigned depth, int level) {
  Program rules = read_rules(text);
  drop_trails(rules);
  Diagnostics diagnostics;
  JointForm form = make_joint(rules, {}, {.form = ChosenForm::lifted}, diagnostics);
  if (!form.lifted) return std::nullopt;
  EXPECT_FALSE(form.ground);
  ir::verify(form.lifted->game, diagnostics, {.warnings = false});
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  passes::optimize(form.lifted->game, {.level = level});
  return play::joint_perft(*make_interpreter(form.lifted->game), form.lifted->step, depth);
}

void counts_alike(const std::string& text, const std::string& name, bool must_lift) {
  const std::vector<std::uint64_t> expected = on_network(text, 6, 4'000);
  ASSERT_FALSE(expected.empty()) << name;
  const auto depth = static_cast<unsigned>(expected.size());
  for (const int level : {0, 2}) {
    const auto found = lifted(text, depth, level);
    EXPECT_TRUE(found || !must_lift) << name;
    if (found) {
      EXPECT_EQ(*found, expected) << name << ", level " << level;
    }
  }
  Direct direct(text);
  EXPECT_EQ(joint_counts(joint_perft(direct, depth)).leaves, expected) << name;
}

TEST(Joint, FormsOfOurGamesCountAlike) {
  constexpr std::uintmax_t kMost = kSanitized ? 1'800 : 1'000'000;  // bytes
  for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl")) {
    if (entry.path().extension() != ".kif" || entry.file_size() > kMost) continue;
    counts_alike(read_file(entry.path()), entry.path().stem().string(), false);
  }
}

// Two decide at once, then one, then nobody, then again two; and somebody is left without a move.
TEST(Joint, StepsAreToldApartWhoeverDecides) {
  const std::string text = R"(
(role ann) (role bob)
(init (phase both)) (init (left 3))
(follows both one) (follows one nobody) (follows nobody both)
(less 3 2) (less 2 1) (less 1 0)
(<= (next (phase ?q)) (true (phase ?p)) (follows ?p ?q))
(<= (next (left ?m)) (true (left ?n)) (less ?n ?m) (true (phase nobody)))
(<= (next (left ?n)) (true (left ?n)) (not (true (phase nobody))))
(item a) (item b) (item c)
(<= (legal ?r (take ?i)) (role ?r) (item ?i) (true (phase both)))
(<= (legal bob (take ?i)) (item ?i) (true (phase one)) (not (true (has ann ?i))))
(<= (legal ann wait) (true (phase one)))
(<= (legal ?r wait) (role ?r) (true (phase nobody)))
(<= (next (has ?r ?i)) (true (has ?r ?i)))
(<= (next (has ?r ?i)) (does ?r (take ?i)))
(<= all-taken (true (has ann a)) (true (has ann b)) (true (has ann c)))
(<= terminal (true (left 0)))
(<= terminal all-taken (true (has bob a)))
(<= (goal ?r 100) (role ?r) (true (has ?r a)))
(<= (goal ?r 0) (role ?r) (not (true (has ?r a)))))";
  counts_alike(text, "phases", true);
  const auto found = lifted(text, 5, 2);
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, testing::ElementsAre(9, 18, 18, 162, 216));
}

TEST(Joint, TheFormIsTheOneThatIsAskedFor) {
  Program rules = read_rules(read_file(fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl" / "tic-tac-toe.kif"));
  Diagnostics diagnostics;
  EXPECT_TRUE(make_joint(rules, {}, {}, diagnostics).ground);
  EXPECT_TRUE(make_joint(rules, {}, {.form = ChosenForm::ground}, diagnostics).ground);
  EXPECT_TRUE(make_joint(rules, {}, {.form = ChosenForm::lifted}, diagnostics).lifted);
  EXPECT_FALSE(diagnostics.has_errors());
}

}  // namespace
}  // namespace rgtrans::gdl
