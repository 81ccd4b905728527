// The rules played as they stand make the same plays as the network.
#include "frontends/gdl/direct/direct.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "frontends/gdl/gdl.hpp"
#include "tests/support/gdl_steps.hpp"
#include "tests/support/instrumented.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::gdl {
namespace {

namespace fs = std::filesystem;

void compare(const fs::path& path, unsigned most_steps) {
  const std::string text = read_file(path);
  Diagnostics diagnostics;
  const std::unique_ptr<Steps> network =
      std::make_unique<NetworkSteps>(ground(diagnostics.sources()->add("rules", text), diagnostics));
  Direct direct(text);
  EXPECT_EQ(direct.random_role(), network->random_role()) << path;
  EXPECT_EQ(direct.imperfect(), network->imperfect()) << path;
  EXPECT_EQ(direct.most_goal(), network->most_goal()) << path;
  EXPECT_EQ(test::difference(direct, *network, 12345, most_steps), "") << path;
}

TEST(Direct, PlaysLikeTheNetwork) {
  for (const auto& entry : fs::directory_iterator(fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl")) {
    if (entry.path().extension() == ".kif") compare(entry.path(), corpus::full() ? 200 : 40);
  }
}

// Every description of the corpus that is ground soon. Those whose rules cannot be played as they stand say so.
TEST(Direct, PlaysTheCorpusLikeTheNetwork) {
  SKIP_WITHOUT_SHARED();
  std::size_t number = 0;
  for (const auto& entry : fs::recursive_directory_iterator(corpus::shared() / "corpus" / "gdl")) {
    if (entry.path().extension() != ".kif" || (++number % (kSanitized ? 100 : 20) != 0 && !corpus::full())) continue;
    const std::string text = read_file(entry.path());
    Diagnostics diagnostics;
    GroundOptions options;
    options.max_rules = 20'000;
    options.max_steps = 2'000'000;
    ground(diagnostics.sources()->add("rules", text), diagnostics, options);
    if (!diagnostics.has_errors()) compare(entry.path(), corpus::full() ? 20 : 4);
  }
}

// (goal ?r 0) depends on (goal ?r 100) only, so negation is stratified atom by atom.
TEST(Direct, ARelationMayNegateItselfWithOtherConstants) {
  const std::string text = R"((role w) (role b) (init (left 2)) (init (turn w))
    (<= (legal ?r take) (true (turn ?r))) (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
    (<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
    (<= (next (turn b)) (true (turn w))) (<= (next (turn w)) (true (turn b)))
    (<= terminal (true (left 0)))
    (<= (goal ?r 100) (true (left 0)) (true (turn ?r)))
    (<= (goal ?r 50) (true (left 1)) (role ?r) (not (goal ?r 100)))
    (<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50))))";
  Diagnostics diagnostics;
  NetworkSteps network(ground(diagnostics.sources()->add("rules", text), diagnostics));
  Direct played(text);
  EXPECT_EQ(test::difference(played, network, 1, 5), "");
  Direct direct(text);
  std::vector<std::uint32_t> joint(2), legal;
  for (const auto& [white, black] : {std::pair(0, 0), std::pair(50, 50), std::pair(100, 0)}) {
    EXPECT_EQ(direct.goal(0), white);
    EXPECT_EQ(direct.goal(1), black);
    for (std::uint32_t role = 0; role < 2; ++role) {
      direct.legal(role, legal);
      joint[role] = legal[0];
    }
    direct.step(joint);
  }
  EXPECT_THROW(Direct(text + "(<= p (not q)) (<= q (not p)) (<= terminal p)"), Error);
}

TEST(Direct, StatesAreBytesThatOthersRead) {
  const std::string text = read_file(fs::path(RGTRANS_SOURCE_DIR) / "games" / "gdl" / "tic-tac-toe.kif");
  Direct first(text);
  const std::vector<std::string> moves = test::legal_texts(first, 0);
  std::vector<std::uint32_t> joint = {test::move_number(first, 0, moves[4]), kNone};
  const std::vector<std::byte> bytes = first.bytes(joint);
  Direct other(text);
  std::vector<std::uint32_t> legal, read(2);
  other.legal(1, legal);
  other.step(std::vector<std::uint32_t>{test::move_number(other, 0, moves[0]), legal[0]});
  other.read(bytes, read);
  EXPECT_EQ(other.facts(), first.facts());
  EXPECT_EQ(other.move_text(read[0]), moves[4]);
  EXPECT_EQ(read[1], kNone);
  EXPECT_EQ(other.bytes(read), bytes);
  EXPECT_THROW(other.read(std::span(bytes).first(bytes.size() - 3), read), Error);
  const std::unique_ptr<Steps> copy = first.clone();
  EXPECT_EQ(copy->facts(), first.facts());
}

// Terms have any number of arguments, and words any characters.
TEST(Direct, StatesOfWideTermsAreBytes) {
  std::string arguments;
  for (int i = 0; i < 300; ++i) arguments += " b";
  const std::string text = "(role w) (init (a" + arguments + ")) (init " + std::string("x\0y", 3) +
                           ") (legal w k) (<= terminal (true (t t)))";
  Direct first(text), other(text);
  std::vector<std::uint32_t> joint = {kNone};
  const std::vector<std::byte> bytes = first.bytes(joint);
  other.step(std::vector<std::uint32_t>{test::move_number(other, 0, "k")});
  EXPECT_TRUE(other.facts().empty());
  other.read(bytes, joint);
  EXPECT_EQ(other.facts(), first.facts());
  EXPECT_EQ(other.facts().size(), 2U);
  // Bytes of a term that is nested without end.
  std::vector<std::byte> deep(1'000'001, std::byte{1});
  for (std::size_t i = 0; i < deep.size(); i += 3) deep[i] = std::byte{0};
  EXPECT_THROW(other.read(deep, joint), Error);
  std::ranges::fill(deep, std::byte{1});
  deep[0] = std::byte{0};
  EXPECT_THROW(other.read(deep, joint), Error);
}

TEST(Direct, GoalsAreNumbers) {
  for (const char* value : {"1e2", "-5", "win", "(s 5)", "99999999999"}) {
    const std::string text = "(role w) (legal w k) (<= terminal (not (true a))) (goal w " + std::string(value) + ")";
    Direct direct(text);
    EXPECT_THROW((void)direct.goal(0), Error) << value;
    Diagnostics diagnostics;
    NetworkSteps network(ground(diagnostics.sources()->add("rules", text), diagnostics));
    EXPECT_THROW((void)network.goal(0), Error) << value;
  }
  EXPECT_EQ(Direct("(role w) (legal w k) (<= terminal (not (true a))) (goal w 050)").goal(0), 50);
}

// No fact and no move has these terms, so that they are not known when they are compared.
TEST(Direct, ComparesTermsThatNothingElseMentions) {
  const std::string text =
      "(role w) (thing a) (thing b) (legal w noop) (<= terminal (true over)) "
      "(<= (legal w (one ?x)) (thing ?x) (distinct (cell ?x b) (cell ?x ?x))) "
      "(<= (legal w (two ?x)) (thing ?x) (distinct (p (q ?x)) (p (q ?x)))) "
      "(<= (legal w (three ?x)) (thing ?x) (distinct (p ?x) (q ?x))) (<= (next over) (does w noop))";
  const std::vector<std::string> expected = {"(one a)", "(three a)", "(three b)", "noop"};
  Direct direct(text);
  EXPECT_EQ(test::legal_texts(direct, 0), expected);
  Diagnostics diagnostics;
  NetworkSteps network(ground(diagnostics.sources()->add("rules", text), diagnostics));
  EXPECT_EQ(test::legal_texts(network, 0), expected);
}

TEST(Direct, SaysWhatIsWrong) {
  EXPECT_THROW(Direct("(role a"), Error);
  EXPECT_THROW(Direct("(role a) (init p) (<= (legal a x) (true p)) (<= terminal (not terminal) (true p))"), Error);
}

}  // namespace
}  // namespace rgtrans::gdl
