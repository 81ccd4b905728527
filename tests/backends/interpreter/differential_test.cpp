// The interpreter against the naive evaluator on random games: the same moves everywhere, the same states behind them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/rg/rg.hpp"
#include "tests/support/naive_evaluator.hpp"
#include "tests/support/random_game.hpp"
#include "tests/support/shared.hpp"

namespace rgtrans {
namespace {

class Comparison {
 public:
  Comparison(std::uint64_t seed, bool trust)
      : text_((seed % 4 == 0 ? "@artificialTag t1;\n" : "") + test::random_game(seed)),
        game_(rg::parse_game(text_)),
        naive_(game_, {.plain = true, .effort = 5}),
        random_(seed) {
    InterpreterOptions options;
    options.trust_pragmas = trust;
    reasoner_ = make_interpreter(game_, options);
  }

  // Number of states compared.
  std::size_t run() {
    for (int play = 0; play < 4; ++play) {
      reasoner_->reset();
      naive::State state = naive_.initial();
      for (int step = 0; step < 10; ++step) {
        std::map<std::string, std::set<naive::State>> expected;
        try {
          expected = naive_.moves(state);
        } catch (const naive::TooHard&) {
          return states_;  // nothing to compare with
        }
        ++states_;
        if (!compare(state, expected)) return states_;
        if (expected.empty()) break;
        auto chosen = expected.begin();
        std::advance(chosen, std::uniform_int_distribution<std::size_t>(0, expected.size() - 1)(random_));
        if (chosen->second.size() > 1) break;  // ambiguous
        const std::string& wanted = chosen->first;
        std::size_t index = 0;
        while (reasoner_->move_text(index) != wanted) ++index;
        reasoner_->apply(index);
        state = *chosen->second.begin();
      }
    }
    return states_;
  }

 private:
  bool compare(const naive::State& state, const std::map<std::string, std::set<naive::State>>& expected) {
    std::vector<std::string> want;
    for (const auto& [tags, results] : expected) want.push_back(tags);
    std::vector<std::string> have;
    for (std::size_t i = 0; i < reasoner_->move_count(); ++i) have.push_back(reasoner_->move_text(i));
    std::ranges::sort(want);
    std::ranges::sort(have);
    EXPECT_EQ(want, have) << text_ << reasoner_->describe();
    if (want != have) return false;
    for (const VariableView& view : reasoner_->variables()) {
      const auto cells = naive_.cells(state, game_.find_variable(game_.symbols.find(view.name)));
      if (view.cells.empty()) {
        EXPECT_EQ(cells.at({}), view.value) << view.name << "\n" << text_;
        if (cells.at({}) != view.value) return false;
      }
      for (const VariableView::Cell& cell : view.cells) {
        EXPECT_EQ(cells.at(cell.keys), cell.value) << view.name << "\n" << text_;
        if (cells.at(cell.keys) != cell.value) return false;
      }
    }
    return true;
  }

  std::string text_;
  ir::Game game_;
  naive::Evaluator naive_;
  std::mt19937_64 random_;
  std::unique_ptr<Reasoner> reasoner_;
  std::size_t states_ = 0;
};

TEST(Interpreter, AgreesWithTheNaiveEvaluatorOnRandomGames) {
  const std::uint64_t games = corpus::full() ? 50'000 : test::random_count(3'000);
  const char* only = std::getenv("RGTRANS_SEED");
  std::size_t states = 0;
  std::size_t unchecked = 0;
  for (std::uint64_t seed = only != nullptr ? std::stoull(only) : 1; seed <= games; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      states += Comparison(seed, true).run();
    } catch (const Error& error) {
      // Loose typing makes some labels of the generator illegal; the rest must be playable.
      ++unchecked;
      if (unchecked <= 3) std::cerr << "seed " << seed << ": " << error.what() << "\n";
    }
    if (HasFailure() || only != nullptr) break;
  }
  std::cerr << states << " states compared, " << unchecked << " games given up\n";
  if (only != nullptr) return;
  EXPECT_LT(unchecked, games / 10);
  EXPECT_GT(states, games);
}

}  // namespace
}  // namespace rgtrans
