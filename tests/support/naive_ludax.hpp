// A second implementation of Ludax's semantics, written for simplicity: the text is a tree of words that every query
// traverses, a set of cells is a std::set, and every move copies the state. It shares no code with the front end, which
// is compared with it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rgtrans::test {

class NaiveLudax {
 public:
  // `text` must be free of errors.
  explicit NaiveLudax(const std::string& text);

  struct State {
    std::vector<int> board;  // 0: empty; 1, 2: players
    std::size_t phase = 0, step = 0;
    std::array<int, 3> last = {-1, -1, -1};  // by player (1 and 2)
    std::array<bool, 3> passed = {};
    std::array<std::int64_t, 3> score = {};
    bool over = false;
    int winner = 0;
  };

  [[nodiscard]] State initial() const;
  [[nodiscard]] int to_move(const State& state) const;
  // Cells in ascending order; the number of cells denotes passing. Empty at the end and in a stuck position.
  [[nodiscard]] std::vector<int> legal(const State& state) const;
  [[nodiscard]] State play(const State& state, int action) const;
  [[nodiscard]] std::uint64_t perft(const State& state, unsigned depth) const;
  [[nodiscard]] int cells() const { return static_cast<int>(coordinates_.size()); }

 private:
  struct Word {
    std::string text;         // "" for a list
    std::vector<Word> items;  // for a list
  };
  using Set = std::set<int>;
  // The mover and the state for which a term is evaluated.
  struct At {
    const State& state;
    int mover;
  };

  static Word parse(const std::string& text, std::size_t& at);
  static const Word* named(const Word& list, const std::string& name);
  static const Word* section(const Word& list, const std::string& name);
  void make_board(const Word& shape);
  [[nodiscard]] const Word& phase(const State& state) const;
  [[nodiscard]] std::vector<int> movers(std::size_t phase) const;

  [[nodiscard]] std::vector<std::string> directions(const Word& list, const std::string& name) const;
  [[nodiscard]] int step(int cell, const std::string& direction) const;
  [[nodiscard]] Set edge(const std::string& name) const;
  [[nodiscard]] Set corners() const;
  [[nodiscard]] std::vector<Set> targets(const Word& word, const At& at) const;
  [[nodiscard]] Set mask(const Word& word, const At& at) const;
  [[nodiscard]] Set custodial(const Word& word, const At& at) const;
  [[nodiscard]] std::int64_t number(const Word& word, const At& at) const;
  [[nodiscard]] std::int64_t lines(const Word& word, const At& at) const;
  [[nodiscard]] std::int64_t connected(const Word& word, const At& at) const;
  [[nodiscard]] bool holds(const Word& word, const At& at) const;
  void effect(const Word& word, State& state, int mover) const;

  std::string shape_;
  std::vector<std::pair<int, int>> coordinates_;  // by cell: row, and column (doubled on a hexagon)
  std::map<std::pair<int, int>, int> cell_at_;
  int rows_ = 0;
  Word start_, end_;
  std::vector<Word> phases_;
};

}  // namespace rgtrans::test
