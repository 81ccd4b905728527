// Random board games in RBG and HRG, in the style of human authors. Boards have nine cells or more, from where on
// compiled reasoners use sets of cells. The rules contain steps, rays, jumps and chains of jumps, captures and arrows,
// in several styles; in RBG also kings, stones in hand, counted lines, and captures between two stones. A player
// without a move loses, and after a few turns the game is a draw.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

constexpr std::size_t kMostTurns = 14;

void size_of_board(Choices& c, std::size_t& width, std::size_t& height) {
  const bool large = c.chance(5);
  width = large ? 8 + c.below(3) : 3 + c.below(3);
  height = large ? 8 + c.below(2) : 3 + c.below(3);
}

class RbgBoard {
 public:
  explicit RbgBoard(Choices& c) : c_(c) {}

  std::string game() {
    hexagonal_ = c_.chance(3);
    const std::string text = board();
    return fmt::format(
        "#players = a(100), b(100)\n#pieces = e, x, o, w, m, kx, ko\n#variables = t({}), n(20), handx(3), hando(3)\n"
        "{}#any = ({})*\n#rules = ->> [$ handx = {}, hando = 2] ({} {})*\n",
        kMostTurns, text, sum(directions_), c_.below(4), turn("a", "b", "x", "o"), turn("b", "a", "o", "x"));
  }

 private:
  std::string sum(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, " + ")); }

  std::string cell() {
    switch (c_.below(6)) {
      case 0:
        return "x";
      case 1:
        return "o";
      case 2:
        return c_.chance(3) ? "w" : "e";
      default:
        return "e";
    }
  }

  std::string board() {
    if (hexagonal_) {
      directions_ = {"nw", "ne", "ea", "se", "sw", "we"};
      reverse_ = {"se", "sw", "we", "nw", "ne", "ea"};
      const std::size_t side = 2 + c_.below(3);
      std::string text = "#board = hexagon(nw,ne,ea,se,sw,we,";
      for (std::size_t row = 0; row < 2 * side - 1; ++row)
        text += "\n  " + row_of(side + std::min(row, 2 * side - 2 - row));
      return text + ")\n";
    }
    if (c_.chance(8)) {
      directions_ = {"up", "down", "left", "right", "front", "back"};
      reverse_ = {"down", "up", "right", "left", "back", "front"};
      std::string text = "#board = cuboid(up,down,left,right,front,back,";
      for (std::size_t layer = 2 + c_.below(2); layer > 0; --layer) text += "\n  [" + row_of(3) + row_of(3) + "]";
      return text + ")\n";
    }
    directions_ = {"up", "down", "left", "right"};
    reverse_ = {"down", "up", "right", "left"};
    std::size_t width = 0, height = 0;
    size_of_board(c_, width, height);
    std::string text = "#board = rectangle(up,down,left,right,";
    for (std::size_t row = 0; row < height; ++row) text += "\n  " + row_of(width);
    if (c_.coin(60)) {
      for (const char* diagonal : {"up left", "up right", "down left", "down right"})
        directions_.push_back("(" + std::string(diagonal) + ")");
      for (const char* diagonal : {"down right", "down left", "up right", "up left"})
        reverse_.push_back("(" + std::string(diagonal) + ")");
    }
    return text + ")\n";
  }

  std::string row_of(std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += (i == 0 ? "[" : ", ") + cell();
    return text + "]";
  }

  std::vector<std::string> some() {
    if (c_.chance(2)) return directions_;
    std::vector<std::string> result;
    for (const std::string& d : directions_) {
      if (c_.chance(2)) result.push_back(d);
    }
    return result.empty() ? directions_ : result;
  }

  std::string each(const std::string& pattern) {
    std::vector<std::string> parts;
    for (const std::string& d : some()) {
      std::string part = pattern;
      for (std::size_t at = part.find('D'); at != std::string::npos; at = part.find('D', at)) part.replace(at, 1, d);
      parts.push_back(part);
    }
    return "(" + sum(parts) + ")";
  }

  // Keeper removes the stones between the new stone and another one of its owner.
  std::string taken_between(const std::string& own, const std::string& other) {
    std::string text;
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      if (c_.chance(3)) continue;
      const std::string line = directions_[i] + " {" + other + "} " + directions_[i] + " {" + own + "}";
      text += fmt::format(" ({{? {0}}} {1} [e] {2} + {{! {0}}})", line, directions_[i], reverse_[i]);
    }
    return text;
  }

  // As many steps as there are stones ahead, or in both directions.
  std::string counted(const std::string& own) {
    std::vector<std::string> parts;
    const bool both = c_.chance(2);
    for (std::size_t i = 0; i < directions_.size(); ++i) {
      const std::string &d = directions_[i], &back = reverse_[i];
      const std::string tick = "({x, o} [$ n = n + 1] + {e, w, kx, ko, m})";
      std::string text = fmt::format("[m] [$ n = 0] ({0} {1})* {{! {0}}} ", d, tick);
      text += both ? fmt::format("({})* {{m}} ({} {})* {{! {}}} ({})* {{m}} ", back, back, tick, back, d)
                   : fmt::format("({})* {{m}} ", back);
      text += fmt::format(
          "[e] ({{$ n == 0}} {0} {{e}} + {{$ n == 1}} ({0} {{e}})^2 + {{$ n > 1}} ({0} {{e, {1}}})^3 {{e}}) ", d, own);
      parts.push_back("(" + text + ")");
    }
    return "(" + sum(parts) + ")";
  }

  // From a cell to another one, which must be free or is captured.
  std::string way(const std::string& own, const std::string& other) {
    const std::string both = "{x, o}", their = "{" + other + "}";
    const std::string over = c_.chance(2) ? both : their;
    const std::string jump = each("D " + over + " D {e}");
    const std::string capture = each("D " + their + " [e] D {e}");
    const std::string ray = each("D {e} (D {e})*");
    const std::string step = each("D {e}");
    switch (c_.below(11)) {
      case 0:
        return ray;
      case 1:
        return "(" + step + " + " + jump + " (" + jump + ")*)";
      case 2:
        return jump + " (" + jump + ")*";
      case 3:
        return capture + " (" + capture + " + .)";
      case 4:
        return "(" + each("(D {e})* D {e, " + other + "}") + ")";
      case 5:
        return "(" + each("(D {e})* D " + their) + " + " + step + ")";
      case 6:
        return step + " " + each("(D " + their + " [e])*");
      case 7:
        return "(" + ray + " + " + jump + ")";
      case 8:
        return each("D {e}") + " (" + each("D {e}") + " + .)";
      case 9:
        return each("D " + both + " (D " + both + ")* D {e}");
      default:
        return "(" + step + " + " + each("D " + their) + " {! " + each("D {" + own + "}") + "})";
    }
  }

  std::string turn(const std::string& me, const std::string& you, const std::string& own, const std::string& other) {
    std::string text = fmt::format(
        "({{$ t < {0}}} [$ t = t + 1] + {{$ t == {0}}} [$ a = 50] [$ b = 50] ->> {{}})\n  ->{1} ", kMostTurns, me);
    const std::string way_of_me = way(own, other);
    const std::string king = "k" + own, their_king = "k" + other;
    switch (c_.below(11)) {
      case 6:
        text += "any {" + own + "} [e] " + way_of_me + " [" + own + "] ->>" + taken_between(own, other) + " .";
        break;
      case 7:
        text += "any {" + own + "} " + counted(own) + " [" + own + "]";
        break;
      case 8:  // men and kings
        text += fmt::format("any ({{{0}}} [e] {1} ({{! {3}}} [{2}] + {{? {3}}} [{0}]) + {{{2}}} [e] {4} [{2}])", own,
                            way_of_me, king, directions_[0], each("(D {e})* D {e, " + other + ", " + their_king + "}"));
        break;
      case 9:  // stones in hand
        text += fmt::format("({{$ hand{0} > 0}} any {{e}} [$ hand{0} = hand{0} - 1] [{0}] + any {{{0}}} [e] {1} [{0}])",
                            own, way_of_me);
        break;
      case 10:  // two steps in one turn, or a choice of the piece left behind
        text += c_.chance(2) ? fmt::format("any {{{0}}} [e] {1} [{0}] ->{2} (any {{e}} [w] + .)", own, way_of_me, me)
                             : fmt::format("any {{{0}}} [e, w] {1} [{0}, {2}]", own, way_of_me, king);
        break;
      case 0:
        text += "any {e} [" + own + "]";
        if (c_.chance(2)) text += " " + each("(D " + ("{" + other + "}") + " [" + own + "])*");
        break;
      case 1:
        text += "any {" + own + "} [w] " + way_of_me + " [" + own + "] ->> any {w} [e]";
        break;
      case 2:
        text += "any {" + own + "} [e] " + way_of_me + " [" + own + "] " + each("D {e} (D {e})*") + " [w]";
        break;
      case 3:
        text += "any {" + own + "} [e] " + way_of_me + " [" + own + "]";
        if (c_.chance(2)) text += fmt::format(" ->{} any {{e}} [w]", me);
        break;
      case 4:
        text += "any {" + own + "} {? " + each("D {e}") + "} [e] " + way_of_me + " [" + own + "] {! " +
                each("D {" + other + "} D {" + other + "}") + "}";
        break;
      default:
        text += "any {" + own + "} [e] " + way_of_me + " [" + own + "]";
        break;
    }
    text += " ->>\n  ";
    const std::string win = c_.chance(2) ? "any {" + other + "} " + each("D {e}") : "any {" + other + "}";
    text += fmt::format("({{! {0}}} [$ {1} = 100] [$ {2} = 0] ->> {{}} + {{? {0}}})\n", win, me, you);
    return text;
  }

  Choices& c_;
  bool hexagonal_ = false;
  std::vector<std::string> directions_, reverse_;
};

class HrgBoard {
 public:
  explicit HrgBoard(Choices& c) : c_(c) {}

  std::string game() {
    std::size_t width = 0, height = 0;
    size_of_board(c_, width, height);
    total_ = c_.chance(2);
    std::string text = "domain Player = white | black\ndomain Score = 50 | 0 | 100\n";
    text += "domain Content = none | wall | Player\n";
    text += fmt::format("domain Square = S(F, R) where F in 1..{}, R in 1..{}\n", width, height);
    text += "domain Place = out | Square\n";
    struct Way {
      const char* name;
      int x, y;
    };
    constexpr std::array<Way, 8> kWays = {{{"n", 0, 1},
                                           {"e", 1, 0},
                                           {"s", 0, -1},
                                           {"v", -1, 0},
                                           {"ne", 1, 1},
                                           {"se", 1, -1},
                                           {"sv", -1, -1},
                                           {"nv", -1, 1}}};
    const std::size_t ways = c_.chance(2) ? 8 : 4;
    std::string names, cases;
    const auto moved = [](const char* name, int by) {
      return by == 0 ? std::string(name) : fmt::format("{} {} {}", name, by > 0 ? "+" : "-", std::abs(by));
    };
    for (std::size_t i = 0; i < ways; ++i) {
      names += (i == 0 ? "" : " | ") + std::string(kWays[i].name);
      const std::string to = fmt::format("S({}, {})", moved("F", kWays[i].x), moved("R", kWays[i].y));
      cases += fmt::format("step({}, S(F, R)) = if {} in Square then {} else out\n", kWays[i].name, to, to);
    }
    if (total_) cases += "step(D, out) = out\n";
    text += fmt::format("domain Direction = {}\ndomain Count = T(N) where N in 0..{}\n", names, kMostTurns);
    text += fmt::format("\nstep : Direction -> {} -> Place\n", total_ ? "Place" : "Square") + cases;
    text += "opponent : Player -> Player\nopponent(white) = black\nopponent(black) = white\n";
    text += fmt::format("later : Count -> Count\nlater(T({0})) = T({0})\nlater(T(N)) = T(N + 1)\n\n", kMostTurns);
    text += fmt::format("board : {} -> Content = {{ : none", total_ ? "Place" : "Square");
    if (total_) text += "; out = wall";
    for (std::size_t x = 1; x <= width; ++x) {
      for (std::size_t y = 1; y <= height; ++y) {
        if (c_.chance(2)) continue;
        const std::string what = c_.chance(6) ? "wall" : c_.chance(2) ? "white" : "black";
        text += fmt::format("; S({}, {}) = {}", x, y, what);
      }
    }
    text += fmt::format(
        " }}\nsquare : {}\nstart : {}\nnext : Place\nbehind : Place\ndirection : Direction\nturns : Count = T(0)\n\n",
        total_ ? "Place" : "Square", total_ ? "Place" : "Square");
    text += graphs();
    return text;
  }

 private:
  // A step along `direction`, with a condition on the next cell.
  std::string ahead(const std::string& holds) const {
    return "next = step[direction][square]\n" + std::string(total_ ? "" : "    check(next != out)\n") +
           "    check(board[next] " + holds + ")\n";
  }

  std::string way() {
    switch (c_.below(7)) {
      case 0:  // a ray
        return "  direction = Direction(*)\n  loop {\n    " + ahead("== none") +
               "    square = next\n    branch { break() } or {}\n  }\n";
      case 1:  // a ray that ends with a capture or before it
        return "  direction = Direction(*)\n  loop {\n    " + ahead("!= me") +
               "    check(board[next] != wall)\n    square = next\n" +
               "    branch { break() } or { check(board[square] == none) }\n  }\n";
      case 2:  // a step
        return "  direction = Direction(*)\n    " + ahead("== none") + "  square = next\n";
      case 3:  // a step or a capture
        return "  direction = Direction(*)\n  branch {\n    " + ahead("== none") + "  } or {\n    " +
               ahead("== opponent[me]") + "  }\n  square = next\n";
      case 4:  // jumps
        return "  loop {\n" + jump("!= none") + "    branch { break() } or {}\n  }\n";
      case 5:  // jumps that capture
        return "  loop {\n" + jump("== opponent[me]") +
               "    board[next] = none\n    branch { break() } or { $$ square }\n  }\n";
      default:  // one jump, or a ray
        return "  branch {\n" + jump("== me") + "  } or {\n  direction = Direction(*)\n  loop {\n    " +
               ahead("== none") + "    square = next\n    branch { break() } or {}\n  }\n  }\n";
    }
  }

  std::string jump(const std::string& over) {
    const std::string inside = total_ ? "" : "    check(behind != out)\n";
    return "    direction = Direction(*)\n    " + ahead(over) + (total_ ? "    check(next != out)\n" : "") +
           "    behind = step[direction][next]\n" + inside + "    check(board[behind] == none)\n    square = behind\n";
  }

  std::string graphs() {
    std::string text = "graph go(me : Player) {\n" + way() + "  $$ square\n}\n\n";
    const bool arrow = c_.chance(4);
    if (arrow)
      text += "graph shoot() {\n  direction = Direction(*)\n  loop {\n    " + ahead("== none") +
              "    square = next\n    branch { break() } or {}\n  }\n  $$ square\n}\n\n";
    text += "graph canMove(me : Player) {\n  square = Square(*)\n  check(board[square] == me)\n";
    if (c_.chance(2)) text += "  direction = Direction(*)\n    " + ahead("== none");
    text += "}\n\ngraph turn(me : Player) {\n  player = me\n  square = Square(*)\n  check(board[square] == me)\n";
    const bool shown = c_.coin(80);
    if (shown) text += "  $$ square\n";
    const bool left = c_.chance(3);  // the piece stays in place until the end of the move
    text += left ? "  start = square\n" : "  board[square] = none\n";
    text += "  go(me)\n";
    if (left) text += "  board[start] = none\n";
    text += "  board[square] = me\n";
    if (arrow) text += "  shoot()\n  board[square] = wall\n";
    text += "  player = keeper\n  turns = later[turns]\n";
    text += fmt::format("  if turns == T({}) {{ end() }}\n", kMostTurns);
    text +=
        "  if not(reachable(canMove(opponent[me]))) {\n    goals[me] = 100\n    goals[opponent[me]] = 0\n    end()\n  "
        "}\n}\n\n";
    text += "graph rules() {\n  loop {\n    turn(white)\n    turn(black)\n  }\n}\n";
    return text;
  }

  Choices& c_;
  bool total_ = false;  // the board has a cell for `out`, too
};

}  // namespace

std::string random_board_rbg(Choices& choices) { return RbgBoard(choices).game(); }
std::string random_board_hrg(Choices& choices) { return HrgBoard(choices).game(); }

}  // namespace rgtrans::test
