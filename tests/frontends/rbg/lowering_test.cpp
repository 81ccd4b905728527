// The RG game and the direct interpretation must have the same tree. In every position they have the same moves with
// the same tags, the same movers, and the same ends with the same scores.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rbg/rbg.hpp"
#include "frontends/rbg/text/parser.hpp"
#include "tests/frontends/rbg/direct.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans::rbg {
namespace {

using test::Direct;
using test::Position;

struct Loaded {
  std::optional<Description> description;
  ir::Game game;
};

Loaded load(const std::string& text) {
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("test.rbg", text);
  Loaded loaded{parse(file, diagnostics), ir::Game(diagnostics.sources())};
  if (loaded.description) loaded.game = frontend().load(file, diagnostics, {});
  if (!diagnostics.has_errors()) ir::verify(loaded.game, diagnostics, {.warnings = false});
  if (diagnostics.has_errors()) ADD_FAILURE() << render(diagnostics.all(), *diagnostics.sources());
  return loaded;
}

// Makes keeper's moves and returns their number.
int run_keeper(Reasoner& reasoner) {
  int moves = 0;
  while (!reasoner.terminal() && reasoner.mover() == reasoner.info().keeper()) {
    if (reasoner.move_count() == 0) {
      ADD_FAILURE() << "the keeper has no move\n" << reasoner.describe();
      break;
    }
    reasoner.apply(0);
    ++moves;
  }
  return moves;
}

class SideBySide {
 public:
  explicit SideBySide(const Loaded& loaded)
      : d_(*loaded.description), direct_(d_), reasoner_(make_interpreter(loaded.game)) {}

  // The number of positions at that depth. A mismatch fails the test.
  std::uint64_t run(int depth) {
    const Position start = direct_.initial();
    run_keeper(*reasoner_);
    return compare(start, depth);
  }

 private:
  std::uint64_t compare(const Position& position, int depth) {
    if (::testing::Test::HasFailure() || ++visited_ > 30'000) return 0;
    const auto moves = direct_.moves(position);
    if (moves.empty()) {
      EXPECT_TRUE(reasoner_->terminal()) << reasoner_->describe();
      for (std::size_t p = 0; p < d_.players.size(); ++p) {
        EXPECT_EQ(reasoner_->goal(p), std::to_string(position.values[p])) << reasoner_->describe();
      }
      return depth == 0 ? 1 : 0;
    }
    EXPECT_FALSE(reasoner_->terminal()) << reasoner_->describe();
    if (reasoner_->terminal()) return 0;
    EXPECT_EQ(reasoner_->mover(), position.player) << reasoner_->describe();
    std::map<std::string, std::size_t> texts;
    const std::size_t count = reasoner_->move_count();
    for (std::size_t i = 0; i < count; ++i) texts.emplace(reasoner_->move_text(i), i);
    EXPECT_EQ(texts.size(), moves.size()) << reasoner_->describe();
    if (depth == 0) return 1;
    std::uint64_t sum = 0;
    for (const auto& [move, next] : moves) {
      const auto found = texts.find(direct_.text(move));
      EXPECT_NE(found, texts.end()) << "missing move " << direct_.text(move) << "\n" << reasoner_->describe();
      if (found == texts.end()) return 0;
      reasoner_->move_count();
      reasoner_->apply(found->second);
      const int keeper = run_keeper(*reasoner_);
      sum += compare(direct_.complete(next), depth - 1);
      for (int i = 0; i <= keeper; ++i) reasoner_->undo();
      if (::testing::Test::HasFailure()) return sum;
    }
    return sum;
  }

  const Description& d_;
  Direct direct_;
  std::unique_ptr<Reasoner> reasoner_;
  std::size_t visited_ = 0;
};

std::uint64_t check(const std::string& text, int depth) {
  const Loaded loaded = load(text);
  if (::testing::Test::HasFailure()) return 0;
  return SideBySide(loaded).run(depth);
}

// If keeper has a choice in RBG, the RG game must have exactly one walk in each of keeper's states, to a position that
// RBG allows.
class FreeKeeper {
 public:
  explicit FreeKeeper(const Loaded& loaded)
      : d_(*loaded.description), direct_(d_), reasoner_(make_interpreter(loaded.game)) {}

  void run(int depth) {
    keeper();
    compare(direct_.completions(direct_.start()), depth);
  }
  [[nodiscard]] std::size_t choices() const { return choices_; }

 private:
  int keeper() {
    int moves = 0;
    while (!reasoner_->terminal() && reasoner_->mover() == reasoner_->info().keeper()) {
      if (::testing::Test::HasFailure() || moves == 1'000) break;
      EXPECT_EQ(reasoner_->move_count(), 1U) << reasoner_->describe();
      EXPECT_EQ(reasoner_->walk_count(0), 1U) << reasoner_->describe();
      reasoner_->apply(0);
      ++moves;
    }
    return moves;
  }

  // The moves of a position as text; without moves, the scores.
  std::map<std::string, Position> moves(const Position& position) {
    std::map<std::string, Position> texts;
    for (const auto& [move, next] : direct_.moves(position)) texts.emplace(direct_.text(move), next);
    if (!texts.empty()) return texts;
    std::string scores = "scores";
    for (std::size_t p = 0; p < d_.players.size(); ++p) scores += " " + std::to_string(position.values[p]);
    texts.emplace(scores, position);
    return texts;
  }

  std::map<std::string, std::size_t> moves() {
    std::map<std::string, std::size_t> texts;
    if (reasoner_->terminal()) {
      std::string scores = "scores";
      for (std::size_t p = 0; p < d_.players.size(); ++p) scores += " " + reasoner_->goal(p);
      texts.emplace(scores, 0);
      return texts;
    }
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) texts.emplace(reasoner_->move_text(i), i);
    return texts;
  }

  void compare(const std::set<Position>& possible, int depth) {
    if (::testing::Test::HasFailure() || ++visited_ > 1'000) return;
    if (possible.size() > 1) ++choices_;
    const auto mine = moves();
    const auto same_text = [](const auto& a, const auto& b) { return a.first == b.first; };
    std::map<std::string, std::set<Position>> next;
    for (const Position& position : possible) {
      const auto theirs = moves(position);
      const bool same_mover = reasoner_->terminal() || position.player == reasoner_->mover();
      if (!same_mover || !std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same_text)) continue;
      for (const auto& [text, after] : theirs) next[text].insert(after);
    }
    EXPECT_EQ(next.size(), mine.size()) << "no such position in RBG\n" << reasoner_->describe();
    if (reasoner_->terminal() || depth == 0 || ::testing::Test::HasFailure()) return;
    for (const auto& [text, index] : mine) {
      std::set<Position> after;
      for (const Position& position : next[text]) after.merge(direct_.completions(position));
      reasoner_->move_count();
      reasoner_->apply(index);
      const int steps = keeper();
      compare(after, depth - 1);
      for (int i = 0; i <= steps; ++i) reasoner_->undo();
      if (::testing::Test::HasFailure()) return;
    }
  }

  const Description& d_;
  Direct direct_;
  std::unique_ptr<Reasoner> reasoner_;
  std::size_t visited_ = 0, choices_ = 0;
};

// A line of three empty cells, and two players a and b.
std::string line_game(const std::string& rules, const std::string& more = "#variables = t(2)\n") {
  return "#players = a(1), b(1)\n#pieces = e, x, o\n" + more +
         "#board = rectangle(u,d,l,r,[e,e,e])\n#rules = " + rules + "\n";
}

TEST(Lowering, MovesAreModifiersWithTheirPlaces) {
  EXPECT_EQ(check(line_game("->a (r* + l*) {e} [x] ->b"), 1), 3U);
  EXPECT_EQ(check(line_game("->a ([x] + r [x]) ->b"), 1), 2U);
  EXPECT_EQ(check(line_game("->a r* ->b"), 1), 3U);
  EXPECT_EQ(check(line_game("->a ([x] + [x]) ->b"), 1), 2U);
  EXPECT_EQ(check(line_game("->a ([e,x]) ->b ->>"), 1), 2U);
}

TEST(Lowering, ThePlayEndsWhereNobodyCanMove) {
  EXPECT_EQ(check(line_game("(->a r ->>)*"), 2), 1U);
  EXPECT_EQ(check(line_game("(->a r ->>)*"), 3), 0U);
  EXPECT_EQ(check(line_game("->a ->> ([$ t=t+3] ->b + ->a) ->>"), 2), 1U);
  EXPECT_EQ(check(line_game("{x} ->a ->b"), 0), 1U);
  EXPECT_EQ(check(line_game("->a [$ a=1] ->b {}"), 1), 1U);
  EXPECT_EQ(check(line_game("->a [$ a=1] ->> [$ b=1] {x} ->b"), 1), 1U);
  EXPECT_EQ(check(line_game("[$ b=1] ->> ->> {}"), 0), 1U);
  EXPECT_EQ(check(line_game("->a ({e} + {}) [x] ->b ->>"), 2), 1U);
}

// The number of edges with a search, such as the test whether a move exists.
std::size_t searches(const std::string& text) {
  const Loaded loaded = load(text);
  std::size_t count = 0;
  for (ir::EdgeId edge : loaded.game.graph.edges()) {
    count += std::holds_alternative<ir::Reachability>(loaded.game.graph.label(edge)) ? 1 : 0;
  }
  return count;
}

TEST(Lowering, NothingIsAskedThatIsKnown) {
  // Keeper's steps cannot fail. The remaining checks are at the start and after each turn, in both polarities.
  EXPECT_EQ(searches(line_game("(->a (l*+r*) {e} ->> [x] ->b (l*+r*) {e} ->> [o])*")), 4U);
  // Tests that cover all pieces, values, orders or positions, or a pattern and its negation.
  for (const char* step : {"({e} [x] + {x} [o] + {o} [e])", "({$ t < 2} [x] + {$ t == 2} [o])",
                           "({$ t > a} [x] + {$ t == a} [o] + {$ t < a} [e])", "({? r} [x] + {! r} [o])",
                           "({? r r* {x}} [x] + {! r r* {x}} [o])", "({! r {x}} + {? r {x}} [o])"}) {
    const std::string rules = std::string("(->a ([$ t=1] ->> ") + step + " + ->> {}))*";
    SCOPED_TRACE(rules);
    EXPECT_EQ(searches(line_game(rules)), 0U);
  }
  // A falling piece: the last empty cell of the run.
  EXPECT_EQ(searches(line_game("(->a l r* {e} ->> r* {e} {! r {e}} [x] ->b [$ b=1] ->> {})*")), 0U);
}

TEST(Lowering, RunsEndAlongEveryLineThatAStepCovers) {
  const auto falling = [](const std::string& fall) {
    std::string board;
    for (int row = 0; row < 5; ++row) board += "[e,e,e,e,e,e,e]";
    return "#players = a(1), b(1)\n#pieces = e, x, o\n#variables =\n#board = rectangle(up,down,left,right," + board +
           ")\n#turn(p; q) = ->p (up* + down*) (left* + right*) {e} ->> " + fall +
           " {e} {! down {e}} [q]\n#rules = (turn(a; x) ->> turn(b; o) ->>)*\n";
  };
  EXPECT_EQ(searches(falling("down*")), 4U);           // at the start and after each turn, both polarities
  EXPECT_EQ(searches(falling("(up* + down*)")), 20U);  // keeper must choose; the existence of a choice is proved
}

TEST(Lowering, PatternsOnlyLook) {
  EXPECT_EQ(check(line_game("->a {? r [x] r {x}} ->b"), 0), 1U);
  EXPECT_EQ(check(line_game("->a {? r [x] l r {x}} [o] ->b"), 1), 1U);
  EXPECT_EQ(check(line_game("->a (r* + l*) {! r {e}} [x] ->b"), 1), 1U);
  EXPECT_EQ(check(line_game("->a (r* + l*) ({! r {e}} + {? r {e}} {? l}) [x] ->b"), 1), 2U);
}

TEST(Lowering, TheWorkedExample) {
  const std::string rules = "(->a (l*+r*) {e} ->> [x] [$ a=1, b=0] ->b (l*+r*) {e} ->> [o] [$ a=0, b=1])*";
  EXPECT_EQ(check(line_game(rules), 1), 3U);
  EXPECT_EQ(check(line_game(rules), 2), 6U);
  EXPECT_EQ(check(line_game(rules), 3), 6U);
  EXPECT_EQ(check(line_game(rules), 4), 0U);
}

TEST(Lowering, AssignmentsOutsideTheBoundFail) {
  const std::string variables = "#variables = t(2), v(7), w(3)\n";
  EXPECT_EQ(check(line_game("[$ v=5] ->a ([$ w=v] + [$ w=v-2] + [$ w=v-6] + [$ w=v/2] + [$ w=7]) ->b", variables), 1),
            2U);
  EXPECT_EQ(check(line_game("[$ v=5] ->a ({$ v-6 < 1} [x] + {$ v*2 == 10} [o] + {$ v/w == 1} [e]) ->b", variables), 1),
            2U);
  EXPECT_EQ(check(line_game("[$ v=5] [$ w=2] ->a [$ t=v-w-2] {$ t+v+w == 8} {$ v+w+t != 7} ->b", variables), 1), 1U);
  EXPECT_EQ(check(line_game("->a [$ w=e] {$ w == e} [x] {$ e < w} {$ x == 1} ->b", variables), 1), 1U);
}

TEST(Lowering, UndefinedPartsOfAnExpressionMakeItUndefined) {
  const std::string variables = "#variables = t(2), v(2), w(3)\n";
  // Nobody reads w, and 1 + 1/v lies within its bound wherever it is defined.
  EXPECT_EQ(check(line_game("->> ([$ w = 1 + 1/v] ->a {e} [x] + [$ v=1] ->b r* [x]) [$ a=1] ->> {}", variables), 1),
            3U);
  EXPECT_EQ(
      check(line_game("[$ v=1] [$ v=0] ->a ({? [$ w = 1 + 1/v]} [x] + {! [$ w = 1 + 1/v]} r* [o]) ->b ->>", variables),
            2),
      3U);
  // The product overflows where both are large, and then neither relation holds.
  const std::string product = "v*v*v*v*v*v*w*w*w*w*w*w";
  EXPECT_EQ(check(line_game("[$ v=40, w=40] ->> ({$ " + product + " < 5} ->a [x] + {$ " + product + " >= 5} ->b [x])",
                            "#variables = v(40), w(40)\n"),
                  0),
            1U);
}

TEST(Lowering, NewNamesAvoidTheNamesOfTheDescription) {
  const std::string text = R"(#players = keeper(1), keeper_1(1)
#pieces = end, end_1
#variables = minus_1(1)
#board = a[end]{r:b} b[end_1]{r:a}
#rules = ->keeper r* {end} [end_1] [$ minus_1 = 1] ->keeper_1 r* {end_1} {$ minus_1 - 2 < 0} [end] ->keeper ->>
)";
  check(text, 3);
  const Loaded loaded = load(text);
  EXPECT_EQ(make_interpreter(loaded.game)->info().players.size(), 2U);
}

TEST(Lowering, NamesThatMeanSomethingInRgAreRenamed) {
  const std::string text = R"(#players = player(1), keeper(1)
#pieces = goals, type, var
#variables = cursor(1), reach(2)
#board = const[goals]{visible:begin} begin[type]{visible:const, random:begin} end[var]{}
#rules = ->player visible* [$ reach = reach + 1] ->keeper {type} [goals] [$ player = 1] ->> {goals} [$ cursor=1] ->player [var] ->> {}
)";
  Diagnostics diagnostics;
  const Sources::File& file = diagnostics.sources()->add("test.rbg", text);
  ir::Game game = frontend().load(file, diagnostics, {});
  ir::verify(game, diagnostics, {.warnings = false});
  ASSERT_FALSE(diagnostics.has_errors()) << render(diagnostics.all(), *diagnostics.sources());
  const auto reasoner = make_interpreter(game);
  EXPECT_EQ(reasoner->perft(1), 2U);
  EXPECT_EQ(reasoner->perft(2), 1U);
}

// --- Random descriptions. ---

TEST(Lowering, TheKeeperHasOneWalk) {
  auto check_free = [](const std::string& text) {
    const Loaded loaded = load(text);
    FreeKeeper both(loaded);
    both.run(2);
    return both.choices();
  };
  // Marked places are cleared in any order, and one of two is chosen.
  EXPECT_GT(check_free(line_game("(->a [x] ->> (r* {e} [o] ->> + l* {x} [e] ->>) (l* r* {o} [e] ->>)*)*")), 0U);
  std::size_t choices = 0;
  const std::uint32_t seeds = corpus::full() ? 2'000 : 40;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    rgtrans::test::Choices random(seed);
    const std::string text = rgtrans::test::random_rbg(random, true);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    choices += check_free(text);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(choices, seeds / 4);
}

TEST(Lowering, RandomDescriptions) {
  std::uint64_t positions = 0;
  const std::uint64_t seeds = corpus::full() ? 3'000 : rgtrans::test::random_count(300);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    rgtrans::test::Choices choices(seed);
    const std::string text = rgtrans::test::random_rbg(choices);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    positions += check(text, 3);
    if (::testing::Test::HasFailure()) return;
  }
  // Some thirty games, as under a sanitizer, say little about the mean.
  if (seeds >= 300) {
    EXPECT_GT(3 * positions, 10 * seeds);
  }
}

}  // namespace
}  // namespace rgtrans::rbg
