// Random RG in the style of real games: turns, a board, choices that appear in the move, searches along the board, and
// a turn counter that ends every play. Types are small, or have more than 64 or 256 values, and rare forms of the
// language occur among the usual ones.
#include <fmt/format.h>

#include <vector>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class WideGame {
 public:
  explicit WideGame(Choices& c) : c_(c) {}

  std::string run() {
    sizes();
    declarations();
    begin();
    for (std::size_t i = 0; i < turns_; ++i) turn(i);
    finish();
    return out_;
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  std::string node() { return "n" + std::to_string(nodes_++); }
  std::string edge(const std::string& from, const std::string& label) {
    std::string to = node();
    edge(from, to, label);
    return to;
  }
  void edge(const std::string& from, const std::string& to, const std::string& label) {
    line(from + ", " + to + ": " + label + ";");
  }
  std::string names(const std::string& prefix, std::size_t count, const std::string& separator = ", ") {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : separator) + prefix + std::to_string(i);
    return text;
  }

  // Sizes around the thresholds where a set needs another word, or a value another byte.
  std::size_t size(std::size_t small, std::size_t chance) {
    if (!c_.chance(chance)) return 2 + c_.below(small - 1);
    constexpr std::size_t kSizes[] = {63, 64, 65, 70, 127, 128, 130, 254, 255, 256, 257, 300};
    return kSizes[c_.below(std::size(kSizes))];
  }

  void sizes() {
    cells_ = size(9, 4);
    pieces_ = size(4, 14);
    counts_ = std::max<std::size_t>(size(6, 8), 3);
    players_ = c_.chance(16) ? 65 + c_.below(4) : 2 + c_.below(2);
    scores_ = c_.chance(16) ? 66 : 3;
    turns_ = 1 + c_.below(3);
    anonymous_ = c_.chance(5);
  }

  std::string cell() { return "c" + std::to_string(c_.chance(4) ? cells_ - 1 : c_.below(cells_)); }
  std::string piece() {
    return "s" + std::to_string(c_.chance(4) ? pieces_ - 1 : c_.below(std::min<std::size_t>(pieces_, 3)));
  }
  std::string count() {
    return std::to_string(c_.chance(4) ? counts_ - 1 : c_.below(std::min<std::size_t>(counts_, 4)));
  }
  std::string player() { return "p" + std::to_string(c_.chance(4) ? players_ - 1 : c_.below(2)); }
  std::string score() { return std::to_string(c_.chance(3) ? scores_ - 1 : c_.below(3)); }
  std::string comma(const std::string& text, const std::string& more) {
    return text.empty() ? more : text + ", " + more;
  }

  // A step along the cells, which ends at `off` or wraps around.
  std::string way() {
    const std::size_t by = 1 + c_.below(c_.chance(2) ? 3 : cells_);
    const bool back = c_.chance(2), round = c_.chance(3);
    std::string text;
    for (std::size_t i = 0; i < cells_; ++i) {
      const std::size_t to = back ? i + cells_ - by % cells_ : i + by;
      const bool over = back ? i < by : to >= cells_;
      if (over && !round) continue;
      text = comma(text, fmt::format("c{}: c{}", i, to % cells_));
    }
    return c_.chance(2) || text.empty() ? comma("{ :off", text.empty() ? "c0: off" : text) + " }"
                                        : "{ " + text + ", :off }";
  }

  void declarations() {
    if (c_.chance(3)) line("// A random game.");
    line(fmt::format("type Player = {{ {} }};", names("p", players_)));
    line(fmt::format("type Score = {{ {} }};", names("", scores_)));
    if (c_.chance(4)) line("type Bool = { 0, 1 };");
    if (c_.chance(6)) line("type Goals = Player -> Score;\ntype Visibility = Player -> Bool;");
    if (c_.chance(6)) line(fmt::format("type PlayerOrSystem = {{ {}, keeper, random }};", names("p", players_)));
    if (c_.chance(2))
      line("type Board = Later -> Piece;\ntype Later = Cell;");
    else
      line("type Board = Cell -> Piece;");
    line(fmt::format("type Cell = {{ {} }};", names("c", cells_)));
    line(fmt::format("type Place = {{ off, {} }};", names("c", cells_)));
    line(fmt::format("type Piece = {{ {} }};", names("s", pieces_)));
    line(fmt::format("type Some = {{ s0, s{} }};", pieces_ - 1));
    line(fmt::format("type Count = {{ {} }};", names("", counts_)));
    line(
        "type Way = { up, down };\ntype Step = Place -> Place;\ntype Reach = Way -> Step;\ntype Owned = Player -> Cell "
        "-> Bool;");
    line(fmt::format("const one: Count = 1;\nconst way0: Step = {};\nconst way1: Step = {};", way(), way()));
    line("const reach: Reach = { up: way0, :way1 };");
    std::string plus, turn;
    for (std::size_t i = 0; i + 1 < counts_; ++i) plus = comma(plus, fmt::format("{}: {}", i, i + 1));
    line(fmt::format("const plus: Count -> Count = {{ {}, :{} }};", plus,
                     c_.chance(3) ? "0" : std::to_string(counts_ - 1)));
    for (std::size_t i = 0; i + 1 < players_; ++i) turn = comma(turn, fmt::format("p{}: p{}", i, i + 1));
    line(fmt::format("const turn: Player -> Player = {{ {}, :p0 }};", turn));
    line(fmt::format("const worth: Piece -> Count = {{ s1: one, s{}: {}, :0 }};", pieces_ == 2 ? 0 : pieces_ - 1,
                     count()));
    line(fmt::format("const start: Board = {{ c0: {}, c{}: {}, :s0 }};", piece(), cells_ - 1, piece()));
    line("const last: Turn -> Turn = { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, :6 };\ntype Turn = { 0, 1, 2, 3, 4, 5, 6 };");
    line(fmt::format("var board: Board = {};\nvar before: Board = start;",
                     c_.chance(2) ? "start" : fmt::format("{{ :s0, c{}: s1 }}", cells_ - 1)));
    line(fmt::format("var cell: Cell = {};\nvar place: Place = off;\nvar piece: Piece = s0;", cell()));
    line(fmt::format("var number: Count = {};\nvar time: Turn = 0;\nvar who: Player = p0;\nvar way: Way = up;",
                     c_.chance(2) ? "one" : count()));
    if (players_ * cells_ < 3000) line("var owned: Owned = { :{ :0 } };");
    line(fmt::format("var hand: Player -> Count = {{ p1: {}, :{} }};", count(), count()));
    line(anonymous_ ? "var mark: { a, b, c } = b;\nvar marks: { a, b, c } -> { a, b, c } = { a: b, :c };"
                    : "type Mark = { a, b, c };\nvar mark: Mark = b;\nvar marks: Mark -> Mark = { a: b, :c };");
    if (c_.chance(5)) line(fmt::format("var goals: Goals = {{ :{} }};", score()));
    if (c_.chance(8)) line("var visible: Visibility = { p1: 0, :1 };");
    if (c_.chance(8)) line("var player: PlayerOrSystem = keeper;");
    if (c_.chance(4)) line("@note a random game;");
    if (c_.chance(6)) line("@translatedFromRbg;");
  }

  // A condition on the chosen place, often one that holds for some place.
  std::string condition() {
    const std::string op = c_.coin(60) ? " == " : " != ";
    switch (c_.below(12)) {
      case 0:
        return "board[place]" + op + piece();
      case 1:
        return "way" + op + c_.one_of({"up", "down"});
      case 2:
        return "worth[board[cell]]" + op + count();
      case 3:
        return "hand[who]" + op + (c_.chance(2) ? "number" : count());
      case 4:
        return "way0[" + cell() + "]" + op + "reach[way][cell]";
      case 5:
        return "board" + op + "before";
      case 6:
        return "Place(cell)" + op + "place";
      case 7:
        return c_.one_of({"player", "who"}) + op + player();
      case 8:
        return "goals[who]" + op + score();
      case 9:
        return "marks[mark]" + op + c_.one_of({"a", "b", "c"});
      case 10:
        return c_.one_of({"way1", "reach[way]"}) + op + c_.one_of({"way0", "reach[way]"});
      default:
        return "place" + op + (c_.chance(2) ? "off" : cell());
    }
  }
  std::string change() {
    switch (c_.below(14)) {
      case 0:
      case 1:
        return "board[cell] = " + (c_.chance(3) ? "piece" : piece());
      case 2:
        return "number = " + c_.one_of({"plus[number]", "worth[piece]", "hand[who]", "plus[plus[number]]"});
      case 3:
        return "hand[who] = " + (c_.chance(2) ? "plus[hand[turn[who]]]" : count());
      case 4:
        return "place = " + c_.one_of({"cell", "way0[place]", "reach[way][cell]"});
      case 5:
        return c_.one_of({"before = board", "before = start", "board = before"});
      case 6:
        return "way = " + c_.one_of({"up", "down", "Way(*)"});
      case 7:
        return "piece = " + c_.one_of({"board[cell]", "Some(*)", "board[cell]"});
      case 8:
        return "goals[" + c_.one_of({"who", "p0", "turn[who]"}) + "] = " + score();
      case 9:
        return "mark = " +
               (anonymous_ ? c_.one_of({"marks[mark]", "{ a, b }(*)"}) : c_.one_of({"marks[mark]", "Mark(*)"}));
      case 10:
        return "marks[mark] = " + c_.one_of({"a", "mark", "marks[mark]"});
      case 11:
        return players_ * cells_ < 3000 ? c_.one_of({"owned[who][cell] = 1", "owned[who] = owned[turn[who]]",
                                                     "owned[p0][c0] = 0", "owned[who][cell] = Bool(*)"})
                                        : "number = 0";
      case 12:
        return c_.one_of({"Board(board)[cell] = s1", "Cell(cell) = c0", "board[Cell(cell)] = board[cell]"});
      default:
        return "who = " + c_.one_of({"who", "turn[who]"});
    }
  }

  // Conditions and assignments from one node to another, without choices that the move hides.
  std::string steps(std::string at, std::size_t most) {
    for (std::size_t i = c_.below(most + 1); i > 0; --i) {
      switch (c_.below(6)) {
        case 0: {  // two branches that meet again
          const std::string to = node(), what = condition();
          edge(at, to, what);
          edge(edge(at, opposite(what)), to, change_without_choice());
          at = to;
          break;
        }
        case 1:
          at = edge(at, "");
          break;
        default: {
          const std::string what = change();
          if (what.find("(*)") != std::string::npos)
            at = affords(3) ? shown(at, what) : at;
          else
            at = edge(at, what);
        }
      }
    }
    return at;
  }
  static std::string opposite(const std::string& condition) {
    std::string text = condition;
    const std::size_t equal = text.find(" == ");
    const std::size_t other = text.find(" != ");
    text.replace(equal != std::string::npos ? equal : other, 4, equal != std::string::npos ? " != " : " == ");
    return text;
  }
  // Whether a move may have `ways` times as many forms. A state with millions of moves is useless for tests.
  bool affords(std::size_t ways) {
    constexpr std::size_t kMost = 700;
    if (forms_ * ways > kMost) return false;
    forms_ *= ways;
    return true;
  }

  // A choice of a value, which appears in the move.
  std::string shown(std::string at, const std::string& choice) {
    at = edge(at, choice);
    const std::string place = choice.substr(0, choice.find(" = "));
    if (place.find('[') == std::string::npos) return edge(at, "$$ " + place);
    const std::string to = node();
    for (const char* value : {"0", "1"}) edge(edge(at, place + " == " + value), to, std::string("$ v") + value);
    return to;
  }

  // The two ends of a search for a check; the search may contain cycles.
  std::string search(const std::string& at) {
    const std::string from = node(), to = node(), loop = node();
    switch (c_.below(5)) {
      case 0:  // along a direction
        edge(from, loop, "place = reach[way][cell]");
        edge(edge(loop, "place != off"), loop, "place = reach[way][place]");
        edge(loop, to, "board[place] == " + piece());
        break;
      case 1:  // some cell
        edge(from, loop, "place = Cell(*)");
        edge(loop, to, "board[place] " + c_.one_of({"== ", "!= "}) + piece());
        break;
      case 2: {  // in all directions
        edge(from, loop, "place = cell");
        const std::string onward = edge(loop, "board[place] " + c_.one_of({"== ", "!= "}) + piece());
        edge(onward, loop, "place = way0[place]");
        edge(onward, loop, "place = way1[place]");
        edge(loop, to, "place == " + c_.one_of({"off", "c0"}));
        break;
      }
      case 3:  // an empty search
        return at + " -> " + at;
      default:
        edge(edge(from, change_without_choice()), to, condition());
        if (c_.chance(2)) edge(from, to, condition());
        if (!nested_ && c_.chance(2)) {
          nested_ = true;
          edge(question(from), to, "");
          nested_ = false;
        }
    }
    return from + " -> " + to;
  }
  std::string question(const std::string& at) { return edge(at, c_.one_of({"? ", "! "}) + search(at)); }
  std::string change_without_choice() {
    std::string what = change();
    return what.find("(*)") == std::string::npos ? what : "number = 0";
  }

  // A walk from any place with some piece along such places. Each round asks the first condition again.
  std::string slide(std::string at) {
    if (!affords(cells_ * std::min<std::size_t>(cells_, 9))) return edge(at, "$ none");
    at = edge(edge(at, "place = Cell(*)"), "$$ place");
    const std::string inside = edge(at, "board[place] == " + piece()), out = node();
    edge(edge(inside, "way0[place] != off"), at, "place = way0[place]");
    edge(inside, out, "board[way0[place]] " + c_.one_of({"== ", "!= "}) + piece());
    return edge(edge(out, "$$ place"), "board[place] = " + piece());
  }

  std::string choose(std::string at) {
    switch (c_.below(7)) {
      case 0:  // a walk through the board
        if (c_.chance(2)) return slide(at);
        if (!affords(2 * cells_ * std::min<std::size_t>(cells_, 9))) return edge(at, "$ none");
        at = edge(edge(at, "way = Way(*)"), "$$ way");
        at = edge(edge(at, "cell = Cell(*)"), "$$ cell");
        at = edge(at, "place = reach[way][cell]");
        {
          const std::string loop = edge(at, "place != off"), out = node();
          edge(edge(edge(loop, "board[place] == s0"), "place = reach[way][place]"), loop, "");
          edge(loop, out, "board[place] != s0");
          if (c_.chance(2)) edge(loop, out, "board[place] == s0");
          at = edge(out, "$$ place");
        }
        return edge(at, "board[cell] = s0");
      case 1:
        return edge(edge(at, "$$ who"), c_.chance(2) ? "number = plus[number]" : "");
      case 2:
        if (!affords(counts_)) return edge(at, "$$ number");
        return edge(edge(at, "number = Count(*)"), "$$ number");
      case 3: {  // a few branches with names of their own
        const std::string to = node();
        for (std::size_t i = 0, n = 1 + c_.below(3); i < n; ++i)
          edge(steps(edge(at, fmt::format("$ t{}", i)), 2), to, "");
        return to;
      }
      default:
        if (!affords(cells_)) return edge(at, "$$ cell");
        at = edge(at, "cell = Cell(*)");
        if (c_.coin(70)) at = edge(at, c_.chance(2) ? "board[cell] == s0" : "board[cell] != " + piece());
        if (c_.coin(85)) at = edge(at, "$$ cell");
        return edge(at, "board[cell] = " + (c_.chance(4) ? "s0" : piece()));
    }
  }

  void begin() {
    if (c_.chance(6)) {
      edge("begin", "t0", "player = random");
      edge("t0", "m0", "$ chance");
    } else {
      edge("begin", "t0", "player = " + c_.one_of({"keeper", "p0", "keeper"}));
    }
  }

  // Keeper counts and tests; then a player moves.
  void turn(std::size_t i) {
    const std::string here = "t" + std::to_string(i), next = "t" + std::to_string((i + 1) % turns_);
    const std::string over = edge(here, "time == 6"), on = edge(here, "time != 6");
    edge(over, "over", "");
    std::string at = steps(edge(on, "time = last[time]"), 1);
    if (c_.coin(40)) {
      const std::string ends = search(at);
      edge(edge(edge(at, "? " + ends), c_.chance(2) ? "goals[who] = " + score() : "number = 0"), "over", "");
      at = edge(at, "! " + ends);
    }
    const bool chance = c_.chance(6);
    edge(at, "m" + std::to_string(i),
         "player = " + (chance ? std::string("random")
                               : c_.one_of({"who", "PlayerOrSystem(who)", "p0", "p1", "turn[who]", "who"})));
    move("m" + std::to_string(i), next);
  }

  void move(const std::string& from, const std::string& next) {
    const std::string to = node();
    for (std::size_t i = 0, n = 1 + c_.below(2); i < n; ++i) {
      forms_ = 1;
      std::string at = c_.chance(3) ? edge(from, fmt::format("$ w{}", i)) : from;
      if (c_.chance(6)) at = edge(at, "visible[turn[who]] = 0");
      for (std::size_t k = 1 + c_.below(c_.chance(3) ? 3 : 1); k > 0; --k) at = choose(at);
      if (c_.coin(30)) at = question(at);
      at = steps(at, 2);
      if (c_.coin(20)) at = edge(at, condition());
      edge(at, to, "visible[turn[who]] = 1");
    }
    // A move for players without another one.
    edge(edge(from, "$ pass"), to, "");
    edge(to, c_.chance(8) ? next : "k" + next, "player = keeper");
    edge("k" + next, next, c_.chance(3) ? "who = who" : "who = turn[who]");
  }

  void finish() {
    const std::string at = edge("over", c_.chance(2) ? "goals[who] = " + score() : "");
    if (c_.chance(4)) {
      const std::string to = node();
      edge(at, to, "board[c0] == s0");
      edge(edge(at, "board[c0] != s0"), to, "goals[p1] = " + score());
      edge(to, "end", "player = keeper");
    } else {
      edge(at, "end", "player = keeper");
    }
  }

  Choices& c_;
  std::string out_;
  std::size_t nodes_ = 0, forms_ = 1;
  std::size_t cells_ = 0, pieces_ = 0, counts_ = 0, players_ = 0, scores_ = 0, turns_ = 0;
  bool anonymous_ = false, nested_ = false;
};

}  // namespace

std::string random_wide_game(Choices& choices) { return WideGame(choices).run(); }

}  // namespace rgtrans::test
