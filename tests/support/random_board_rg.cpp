// Random games on boards with directions, in RG. A player fills a cell if a check holds, or if it does not; the other
// one changes any cell. The check follows rays in all directions, spreads over cells that hold the same, or is any
// automaton of such steps. Compiled reasoners follow these checks for all cells at once.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class BoardGame {
 public:
  explicit BoardGame(Choices& c) : c_(c) {}

  std::string game() {
    width_ = c_.chance(5) ? c_.pick(7, 9) : c_.pick(3, 6);
    height_ = c_.coin(70) ? width_ : c_.pick(2, width_);
    directions_ = std::vector<int>{3, 4, 4, 6, 8, 8}[c_.below(6)];
    first_direction_ = c_.pick(0, 7);
    outside_ = c_.coin(85);
    contents_ = {"none", "mine", "foe"};
    if (c_.coin(30)) contents_.push_back("wall");
    // A cell is compared with it, and most often none ever holds it.
    if (c_.coin(40)) rare_ = "tree";
    types();
    variables();
    moves();
    check();
    return out_;
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  void edge(const std::string& from, const std::string& to, const std::string& label) {
    line(fmt::format("{}, {}: {};", from, to, label));
  }
  std::string fresh() { return fmt::format("m{}", ++nodes_); }

  // The cell at these coordinates. Beyond the edges it is the one outside, or the one at the other edge.
  [[nodiscard]] std::string cell(int x, int y) const {
    const bool inside = x >= 0 && y >= 0 && x < width_ && y < height_;
    if (!inside && outside_) return "out";
    return fmt::format("c{}{}", (x + width_) % width_, (y + height_) % height_);
  }
  [[nodiscard]] std::string nowhere() const { return outside_ ? "out" : "c00"; }

  void types() {
    std::string cells, lines, first, last;
    for (int x = 0; x < width_; ++x) {
      lines += fmt::format("{}l{}", x > 0 ? ", " : "", x);
      first += fmt::format("l{}: {}, ", x, cell(x, 0));
      last += fmt::format("{}: l1, ", cell(x, height_ - 1));
      for (int y = 0; y < height_; ++y) cells += fmt::format("{}{}", cells.empty() ? "" : ", ", cell(x, y));
    }
    std::string ways, steps;
    for (int d = 0; d < directions_; ++d) {
      static constexpr std::array<std::pair<int, int>, 8> kSteps = {
          {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
      const auto [dx, dy] = kSteps[static_cast<std::size_t>(first_direction_ + d) % 8];
      ways += fmt::format("{}d{}", d > 0 ? ", " : "", d);
      steps += d + 1 < directions_ ? fmt::format("d{}: {{", d) : ":{";
      for (int x = 0; x < width_; ++x) {
        for (int y = 0; y < height_; ++y) {
          const std::string to = cell(x + dx, y + dy);
          if (to != nowhere()) steps += fmt::format("{}: {}, ", cell(x, y), to);
        }
      }
      steps += fmt::format(":{}}}{}", nowhere(), d + 1 < directions_ ? ", " : "");
    }
    line("type Player = {p, q}; type Score = {0};");
    line(fmt::format("type Disc = {{{}{}}}; type D = {{{}}}; type Line = {{{}}};", fmt::join(contents_, ", "),
                     rare_.empty() ? "" : ", rock, " + rare_, ways, lines));
    line(fmt::format("type Cell = {{{0}}}; type Place = {{{0}{1}}};", cells, outside_ ? ", out" : ""));
    line(fmt::format("const step: D -> Place -> Place = {{{}}};", steps));
    line(fmt::format("const first: Line -> Place = {{{}:{}}}; const last: Place -> Line = {{{}:l0}};", first, nowhere(),
                     last));
  }

  void variables() {
    line(fmt::format("var x: Place = c00; var y: Place = c00; var d: D = d0; var l: Line = l0; var own: Disc = {};",
                     !rare_.empty() && c_.coin(50) ? rare_ : "mine"));
    std::string discs;
    for (int x = 0; x < width_; ++x) {
      for (int y = 0; y < height_; ++y) {
        if (c_.coin(25)) discs += fmt::format("{}: {}, ", cell(x, y), content());
      }
    }
    if (outside_ && c_.coin(50)) discs += fmt::format("out: {}, ", content());
    line(fmt::format("var board: Place -> Disc = {{{}:{}}};", discs, c_.one_of({"none", "none", "foe"})));
  }

  void moves() {
    line(fmt::format("begin, s: player = p; s, t: x = Cell(*); t, t1: {}; t1, u: {} check -> ok; u, v: $$ x;",
                     c_.one_of({"board[x] == none", "board[x] != foe", ""}), c_.one_of({"?", "?", "!"})));
    line(fmt::format("v, w: board[x] = {}; w, k: player = q; s, s1: $ pass; s1, k: player = q;",
                     c_.coin(rare_.empty() ? 50 : 15) ? "own" : "mine"));
    if (c_.coin(30)) line("s, a1: ? any -> ok; a1, a2: $ any; a2, k: player = q; any, check: x = Cell(*);");
    line("k, b1: $ clear; b1, b2: x = Cell(*); b2, b3: $$ x; b3, e: board[x] = none;");
    line("k, f1: $ fill; f1, f2: x = Cell(*); f2, f3: $$ x; f3, e: board[x] = foe;");
    line("e, s: player = p; k, z: $ stop; z, end: player = keeper;");
    if (outside_ && c_.coin(40))
      line(fmt::format("k, o1: $ wall; o1, o2: board[out] = {}; o2, s: player = p;", content()));
    if (c_.coin(rare_.empty() ? 30 : 70))
      line(fmt::format("k, q1: $ swap; q1, q2: own = {}; q2, s: player = p;", rare_.empty() ? "foe" : rare_));
  }

  std::string content() { return contents_[c_.below(contents_.size())]; }
  std::string direction() { return fmt::format("d{}", c_.below(static_cast<std::size_t>(directions_))); }
  std::string holds() {
    return fmt::format("{} {}", c_.one_of({"==", "==", "==", "==", "!="}),
                       c_.coin(rare_.empty() ? 20 : 50) ? "own" : content());
  }
  std::string of_cell() { return "board[y] " + holds(); }
  std::string condition() {
    const std::string compared = c_.one_of({"==", "!="});
    switch (c_.below(8)) {
      case 0:
        return fmt::format("y {} {}", compared, nowhere());
      case 1:
        return fmt::format("d {} {}", compared, direction());
      case 2:
        return fmt::format("last[y] {} l1", compared);
      case 3:
        return "board[x] " + holds();
      case 4:
        return "board[step[d][y]] " + holds();
      default:
        return of_cell();
    }
  }

  void check() {
    const std::size_t kind = c_.below(20);
    if (kind < 7) return spread();
    if (kind < 15) return rays();
    automaton();
  }

  void start() {
    switch (c_.below(4)) {
      case 0:
        return edge("check", "n0", "y = x");
      case 1:
        edge("check", "i1", "y = Cell(*)");
        return edge("i1", "n0", of_cell());
      default:
        edge("check", "i1", "l = Line(*)");
        if (c_.coin(30))
          edge("i1", "i2",
               c_.one_of({"board[first[l]] != board[step[d0][first[l]]]", "l != l0", "board[first[l]] == mine"}));
        else
          edge("i1", "i2", "");
        edge("i2", "i3", "y = first[l]");
        edge("i3", "n0", c_.coin(50) ? of_cell() : "");
    }
  }

  // Cells that touch, up to a goal.
  void spread() {
    edge("n0", "g1", "d = D(*)");
    edge("g1", "g2", c_.coin(25) ? fmt::format("d {} {}", c_.one_of({"==", "!="}), direction()) : "");
    edge("g2", "g3", "y = step[d][y]");
    edge("g3", "g4", c_.coin(40) ? "y != " + nowhere() : "");
    for (int i = c_.pick(1, 2); i > 0; --i) edge("g4", "n0", of_cell());
    for (int i = c_.pick(1, 2); i > 0; --i) {
      const std::string from = c_.coin(80) ? "g4" : "n0";
      const std::string to = fresh();
      edge(from, to, c_.coin(30) ? condition() : "");
      edge(to, "ok", c_.coin(80) ? of_cell() : "last[y] == l1");
    }
    start();
  }

  void rays() {
    edge("check", "i1", "d = D(*)");
    edge("i1", "n0", "y = step[d][x]");
    edge("n0", "n1", c_.coin(80) ? of_cell() : condition());
    edge("n1", "n2", "y = step[d][y]");
    edge("n2", "n1", of_cell());
    for (int i = c_.pick(1, 2); i > 0; --i) edge("n2", "ok", of_cell());
    for (const char* const from : {"n0", "n2"}) {
      if (!c_.coin(30)) continue;
      const std::string to = fresh();
      edge(from, to, fmt::format("d {} {}", c_.one_of({"==", "!="}), direction()));
      edge(to, "ok", c_.coin(50) ? of_cell() : "");
    }
  }

  void automaton() {
    const int nodes = c_.pick(2, 4);
    const bool turns = c_.coin(50);
    for (int n = 0; n < nodes; ++n) {
      for (int i = c_.pick(1, 3); i > 0; --i) {
        const std::string from = fresh();
        edge(fmt::format("n{}", n), from, c_.coin(70) ? condition() : "");
        if (c_.coin(30)) {
          edge(from, "ok", c_.coin(50) ? condition() : "");
          continue;
        }
        const std::string turned = fresh();
        edge(from, turned, turns && c_.coin(70) ? "d = D(*)" : "");
        edge(turned, fmt::format("n{}", c_.below(static_cast<std::size_t>(nodes))), "y = step[d][y]");
      }
    }
    edge(fmt::format("n{}", nodes - 1), "ok", of_cell());
    if (c_.coin(50)) return start();
    edge("check", "i1", "d = D(*)");
    edge("i1", "n0", "y = step[d][x]");
  }

  Choices& c_;
  std::string out_;
  int width_ = 0, height_ = 0, directions_ = 0, first_direction_ = 0;
  int nodes_ = 0;
  bool outside_ = true;
  std::vector<std::string> contents_;
  std::string rare_;
};

}  // namespace

std::string random_board_rg(Choices& choices) { return BoardGame(choices).game(); }

}  // namespace rgtrans::test
