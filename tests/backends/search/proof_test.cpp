// Proofs and their enemies: the checker confirms only true values, whatever the file says.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "backends/search/strategies.hpp"
#include "core/support/digest.hpp"
#include "core/support/text.hpp"
#include "tests/backends/search/games.hpp"
#include "tests/support/random_game.hpp"

namespace rgtrans::search {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Nobody has to lose, and scores end at 100.
constexpr const char* kCycle = R"(
type Player = { a, b };
type Score = { 0, 50, 100 };
begin, a0: player = a;
a0, a1: $ go;
a1, b0: player = b;
b0, b1: $ back;
b0, b2: $ lose;
b1, a0: player = a;
b2, f: player = keeper;
f, f1: goals[b] = 100;
f1, end: player = keeper;
)";

// The same, but the one who could end the play would lose.
std::string endless_game() {
  std::string text = kCycle;
  text.replace(text.find("goals[b]"), 8, "goals[a]");
  return text;
}

// `a` hides what it takes.
constexpr const char* kHidden = R"(
type Player = { a, b };
type Score = { 0, 100 };
type Side = { h, t };
var c: Side = h;
var d: Side = h;
begin, s: player = a;
s, s1: visible[b] = 0;
s1, s2: c = Side(*);
s2, s3: $$ c;
s3, s4: visible[b] = 1;
s4, g: player = b;
g, g1: d = Side(*);
g1, g2: $$ d;
g2, k: player = keeper;
k, w: c == d;
k, l: c != d;
w, e: goals[b] = 100;
l, e: goals[a] = 100;
e, end: player = keeper;
)";

// Six points are shared. The first player takes two of them for sure, or rolls: then the second one lets the roll stand
// or has it made again. So the first one gets the mean of min(6, 10/3), min(1, 10/3) and min(3, 10/3), which is 22/9.
constexpr const char* kDice = R"(
type Player = { one, two };
type Score = { 0, 1, 2, 3, 4, 5, 6 };
type Die = { d1, d2, d3 };
const mine: Die -> Score = { d1: 6, d2: 1, :3 };
const yours: Die -> Score = { d1: 0, d2: 5, :3 };
var die: Die = d1;
begin, first: player = one;
first, safe: $ safe;
safe, safe1: goals[one] = 2;
safe1, safe2: goals[two] = 4;
safe2, end: player = keeper;
first, rolls: $ roll;
rolls, dice: player = random;
dice, rolled: die = Die(*);
rolled, seen: $$ die;
seen, second: player = two;
second, judge: $ take;
second, again: $ again;
again, dice2: player = random;
dice2, rolled2: die = Die(*);
rolled2, judge: $$ die;
judge, judged: goals[one] = mine[die];
judged, judged2: goals[two] = yours[die];
judged2, end: player = keeper;
)";

// A puzzle: steps to the left and to the right, and a reward at one end that cannot be the highest score.
constexpr const char* kSteps = R"(
type Player = { me };
type Score = { 0, 30, 100 };
type Place = { p0, p1, p2, p3 };
const left: Place -> Place = { p1: p0, p2: p1, p3: p2, :p0 };
const right: Place -> Place = { p0: p1, p1: p2, p2: p3, :p3 };
const prize: Place -> Score = { p3: 30, :0 };
var at: Place = p1;
begin, turn: player = me;
turn, goes: $ left;
goes, gone: at = left[at];
turn, comes: $ right;
comes, gone: at = right[at];
turn, stops: $ stop;
stops, over: goals[me] = prize[at];
over, end: player = keeper;
gone, turn: player = me;
)";

std::string confirmed(const ir::Game& written, std::string_view proof) {
  const ProofVerdict verdict = ProofChecker(written).judge(proof);
  EXPECT_TRUE(verdict.holds) << verdict.text << "\n" << proof;
  return verdict.text;
}
void expect_refused(const ProofChecker& checker, std::string_view proof, const std::string& why = "") {
  const ProofVerdict verdict = checker.judge(proof);
  EXPECT_FALSE(verdict.holds) << verdict.text << "\n" << proof;
  EXPECT_THAT(verdict.text, HasSubstr(why)) << proof;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// As an enemy would: the last line fits those before it.
std::string sealed(std::vector<std::string> lines, const std::string& value) {
  std::uint64_t moves = 0;
  for (const std::string& line : lines) moves += line.starts_with('{') ? 0 : 1;
  nlohmann::ordered_json footer;
  footer["value"] = value;
  footer["moves"] = moves;
  footer["digest"] = Digest().add(joined(lines)).hex();
  lines.push_back(footer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  return joined(lines);
}

struct Tried {
  std::string name;
  ir::Game written;
  std::string value;
};
std::vector<Tried> tried() {
  std::vector<Tried> out;
  out.push_back({"cycle", load_rg(kCycle), "0"});
  out.push_back({"endless", load_rg(endless_game()), "50"});
  out.push_back({"dice", load_rg(kDice), "22/9"});
  out.push_back({"steps", load_rg(kSteps), "30"});
  out.push_back({"nim", load_written("hrg/nim.hrg", {{"c = N(5)", "c = N(2)"}, {"b = N(4)", "b = N(2)"}}), "100"});
  out.push_back(
      {"nim with sum zero",
       load_written("hrg/nim.hrg", {{"c = N(5)", "c = N(2)"}, {"a = N(3)", "a = N(0)"}, {"b = N(4)", "b = N(2)"}}),
       "0"});
  return out;
}

TEST(Proof, OfAnyLevelHoldsForTheGameAsWritten) {
  std::vector<Tried> all = tried();
  all.push_back({"tic-tac-toe", load_written("hrg/tic-tac-toe.hrg"), "50"});
  all.push_back({"eight puzzle", load_written("gdl/eight-puzzle.kif"), "100"});
  for (const Tried& game : all) {
    const ProofChecker checker(game.written);
    for (const int level : {0, 1, 2}) {
      ir::Game solved = game.written;
      if (level > 0) passes::optimize(solved, {.level = level});
      const auto [solution, proof] = prove(*make_interpreter(solved), game.written);
      ASSERT_TRUE(solution.proven) << game.name << " at " << level << ": " << solution.stopped;
      const ProofVerdict verdict = checker.judge(proof);
      EXPECT_TRUE(verdict.holds) << game.name << " at " << level << ": " << verdict.text;
      EXPECT_THAT(verdict.text, HasSubstr(fmt::format("gets {}", game.value))) << game.name;
    }
  }
}

TEST(Proof, SaysWhatIsConfirmed) {
  const ir::Game dice = load_rg(kDice);
  EXPECT_EQ(confirmed(dice, prove(*make_interpreter(dice), dice).proof),
            "position at the start\n"
            "verified: one sees to it that one gets at least 22/9 on average (6 positions)\n"
            "verified: two sees to it that one gets at most 22/9 on average (6 positions)\n"
            "value: one gets 22/9 on average; a play without end counts 3\n");
  const ir::Game steps = load_rg(kSteps);
  EXPECT_THAT(confirmed(steps, prove(*make_interpreter(steps), steps).proof),
              HasSubstr("verified: whatever happens, me gets at most 30 (4 positions)\n"));
}

TEST(Proof, TheClaimIsTheCheckers) {
  const ir::Game cycle = load_rg(kCycle);
  const ProofChecker checker(cycle);
  expect_refused(checker,
                 "{\"rgtrans-proof\":1}\n"
                 "{\"chooser\":\"b\",\"player\":\"b\",\"at_least\":1000,\"endless\":1000,\"moves\":1}\nback\n",
                 "version 1");
  // The same in the present form, of a game in which nobody can force more.
  const ir::Game game = load_rg(endless_game());
  const ProofChecker endless_checker(game);
  const std::string proof = prove(*make_interpreter(game), game).proof;
  std::vector<std::string> lines = split_lines(proof);
  lines.pop_back();
  for (const char* value : {"1000", "100", "0", "-1", "49", "50.0", "1e2", "50 "}) {
    expect_refused(endless_checker, sealed(lines, value));
  }
  std::vector<std::string> endless = lines;
  endless[0].replace(endless[0].find("\"endless\":\"50\""), 14, "\"endless\":\"1000\"");
  expect_refused(endless_checker, sealed(endless, "50"), "'endless' is 1000");
  endless = lines;
  endless[0].replace(endless[0].find("\"player\":\"a\""), 12, "\"player\":\"b\"");
  expect_refused(endless_checker, sealed(endless, "50"), "'player' is b");
}

TEST(Proof, AboutHiddenMovesThereIsNone) {
  const ir::Game hidden = load_rg(kHidden);
  EXPECT_THROW(ProofChecker{hidden}, Error);
  EXPECT_THROW(solve(*make_interpreter(hidden), {}), Error);
  EXPECT_THROW(ProofChecker{load_written("hrg/kuhn-poker.hrg")}, Error);
  EXPECT_THROW(ProofChecker{load_written("gdl/three-player-nim.kif")}, Error);
}

TEST(Proof, IsCompleteOrRefused) {
  for (const Tried& game : tried()) {
    SCOPED_TRACE(game.name);
    const ProofChecker checker(game.written);
    const std::string proof = prove(*make_interpreter(game.written), game.written).proof;
    EXPECT_TRUE(checker.judge(proof).holds);
    for (std::size_t size = 0; size < proof.size(); ++size) expect_refused(checker, proof.substr(0, size));
    expect_refused(checker, proof + "\n", "something follows");
    expect_refused(checker, proof + proof, "something follows");
    const std::vector<std::string> lines = split_lines(proof);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::vector<std::string> changed = lines;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      expect_refused(checker, joined(changed));
      changed = lines;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
      expect_refused(checker, joined(changed));
      for (std::size_t k = 0; k < i; ++k) {
        if (lines[i] == lines[k]) continue;
        changed = lines;
        std::swap(changed[i], changed[k]);
        expect_refused(checker, joined(changed));
      }
    }
  }
}

TEST(Proof, BelongsToOneGameAndOnePosition) {
  const std::vector<Tried> games = tried();
  for (const Tried& from : games) {
    const std::string proof = prove(*make_interpreter(from.written), from.written).proof;
    for (const Tried& to : games) {
      if (&from != &to) expect_refused(ProofChecker(to.written), proof, "another game");
    }
  }
  const ir::Game cycle = load_rg(kCycle);
  const auto later = make_interpreter(cycle);
  run_keeper(*later);
  later->apply(*later->find_move("go"));
  run_keeper(*later);
  const std::vector<std::string> path = {"", "go", "lose"};
  EXPECT_THROW(ProofChecker(cycle, {"", "go", "stay"}), Error);
  const ProofChecker there(cycle, {"", "go"});
  const std::string proof = prove(*later, cycle, {}, {"", "go"}).proof;
  EXPECT_TRUE(there.judge(proof).holds) << there.judge(proof).text;
  expect_refused(ProofChecker(cycle), proof, "another position");
}

// Two positions to which keeper may go have no common value.
TEST(Proof, KeeperHasNoChoice) {
  const ir::Game game = load_rg(R"(
type Player = { me };
type Score = { 0, 100 };
begin, good: $ good;
begin, bad: $ bad;
good, won: goals[me] = 100;
won, end: player = keeper;
bad, end: player = keeper;
)");
  EXPECT_THROW(ProofChecker{game}, Error);
}

// The checker does not believe what a game promises about its walks: here the promise hides the move by which the
// second player wins.
TEST(Proof, PromisesOfTheGameProveNothing) {
  const std::string honest = R"(
type Player = { one, two };
type Score = { 0, 100 };
type Side = { l, r };
var side: Side = l;
begin, turn: player = two;
turn, a: side = Side(*);
turn, b: side = Side(*);
b, a: ;
a, told: $$ side;
told, won: side == l;
told, lost: side == r;
won, w: goals[one] = 100;
w, end: player = keeper;
lost, v: goals[two] = 100;
v, end: player = keeper;
)";
  EXPECT_EQ(solve(*make_interpreter(load_rg(honest)), {}).values[0], 0);
  for (const char* lie : {"@repeat a :;", "@unique a;", "@repeat told :;", "@disjoint told : won lost;"}) {
    const ir::Game game = load_rg(honest + lie);
    InterpreterOptions careful;
    careful.trust_pragmas = false;
    EXPECT_THAT(confirmed(game, prove(*make_interpreter(game, careful), game).proof), HasSubstr("one gets 0;")) << lie;
  }
}

// --- Enemies. ---

// Writes down whatever it likes.
class Enemy : public Guide {
 public:
  explicit Enemy(test::Choices& choices) : choices_(choices) {}
  std::size_t choose(Walker& at) override {
    const std::size_t index = choices_.below(at.list());
    lines.push_back(at.at().move_text(index));
    return index;
  }
  std::vector<std::string> lines;

 private:
  test::Choices& choices_;
};

// A proof by random strategies. It claims their value if that is one number, or any value.
std::vector<std::string> drawn_proof(const WrittenGame& game, const std::string& header, test::Choices& choices) {
  std::vector<std::string> lines = {header};
  SolveLimits limits({});
  for (const std::size_t chooser : {0U, 1U}) {
    if (choices.chance(8)) continue;
    const auto& players = game.info().players;
    lines.push_back(fmt::format("{{\"strategy\":{}}}",
                                chooser < players.size() ? "\"" + players[chooser] + "\"" : std::string("null")));
    Enemy enemy(choices);
    StrategyWalk(game.at({}), chooser, chooser == 0, game.endless(), enemy, limits).run();
    lines.insert(lines.end(), enemy.lines.begin(), enemy.lines.end());
  }
  return lines;
}

class Mutator {
 public:
  Mutator(test::Choices& choices, const std::vector<std::string>& words) : choices_(choices), words_(words) {}

  void change(std::vector<std::string>& lines) {
    if (lines.empty()) lines.push_back(word());
    const std::size_t i = choices_.below(lines.size()), k = choices_.below(lines.size());
    const auto at = lines.begin() + static_cast<std::ptrdiff_t>(i);
    switch (choices_.below(8)) {
      case 0:
        lines.erase(at);
        break;
      case 1:
        lines.insert(at, lines[k]);
        break;
      case 2:
        std::swap(lines[i], lines[k]);
        break;
      case 3:
        lines[i] = word();
        break;
      case 4:
        lines.insert(at, word());
        break;
      case 5:
        lines.resize(i + 1);
        break;
      case 6:
        lines[i] = lines[k];
        break;
      default:
        bytes(lines[i]);
    }
  }
  void bytes(std::string& text) {
    const std::size_t i = choices_.below(text.size() + 1);
    switch (choices_.below(4)) {
      case 0:
        text.insert(i, 1, static_cast<char>(choices_.below(256)));
        break;
      case 1:
        text = text.substr(0, i);
        break;
      case 2:
        text.erase(i, 1 + choices_.below(4));
        break;
      default:
        if (i < text.size())
          text[i] =
              choices_.coin(50) ? static_cast<char>('0' + choices_.below(10)) : static_cast<char>(choices_.below(256));
    }
  }

 private:
  std::string word() { return words_[choices_.below(words_.size())]; }
  test::Choices& choices_;
  const std::vector<std::string>& words_;
};

// The checker confirms only true values: the value of a game is one number, and here it is known. RGTRANS_FUZZ_COUNT is
// the number of proofs.
TEST(Proof, NoMutantLies) {
  const std::uint64_t count = test::random_count(20'000);
  struct Case {
    Tried game;
    std::unique_ptr<WrittenGame> walked;
    std::unique_ptr<ProofChecker> checker;
    std::vector<std::string> proof;
    std::uint64_t accepted = 0, sealed = 0, unsealed = 0;
  };
  std::vector<Case> cases;
  std::vector<std::string> words = {"{\"strategy\":null}", "{\"strategy\":\"one\"}", "", "null", "[]", "{}"};
  for (Tried& game : tried()) {
    Case& one = cases.emplace_back();
    one.walked = std::make_unique<WrittenGame>(game.written);
    one.checker = std::make_unique<ProofChecker>(game.written);
    one.proof = split_lines(prove(*make_interpreter(game.written), game.written).proof);
    words.insert(words.end(), one.proof.begin(), one.proof.end());
    one.game = std::move(game);
  }
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    test::Choices choices(seed);
    Case& one = cases[seed % cases.size()];
    Mutator mutator(choices, words);
    std::vector<std::string> lines = one.proof;
    std::string value = one.game.value;
    lines.pop_back();
    if (choices.coin(30)) lines = drawn_proof(*one.walked, lines[0], choices);
    if (choices.coin(80)) {
      for (std::size_t left = 1 + choices.below(3); left > 0; --left) mutator.change(lines);
    }
    if (choices.coin(50))
      value = choices.one_of({"0", "1", "2", "3", "30", "50", "49", "100", "1000", "22/9", "5/2", "-1"});
    if (choices.coin(10)) mutator.bytes(value);
    std::string proof = sealed(lines, value);
    const bool fits = choices.coin(85);
    if (!fits) mutator.bytes(proof);
    ++(fits ? one.sealed : one.unsealed);
    const ProofVerdict verdict = one.checker->judge(proof);
    if (!verdict.holds) continue;
    ++one.accepted;
    const std::string truth = fmt::format("value: {} gets {}", one.walked->info().players[0], one.game.value);
    ASSERT_THAT(verdict.text, AnyOf(HasSubstr(truth + ";"), HasSubstr(truth + " on average;")))
        << "seed " << seed << "\n"
        << proof;
    ASSERT_EQ(value, one.game.value) << "seed " << seed << "\n" << proof;
  }
  for (const Case& one : cases) {
    EXPECT_GT(one.accepted, 0U) << one.game.name << ": some mutants prove the same";
    EXPECT_LT(one.accepted * 2, one.sealed + one.unsealed) << one.game.name;
    fmt::print("{}: {} proofs that fit their last line, {} others, {} confirmed\n", one.game.name, one.sealed,
               one.unsealed, one.accepted);
  }
}

}  // namespace
}  // namespace rgtrans::search
