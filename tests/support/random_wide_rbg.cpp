// Random RBG with rare forms of the language: overloaded macros, gluing, empty arguments, powers, holes, noops,
// multiple assignments, quotients. Three players, some named like symbols of the system. Boards of more than 64 or 256
// vertices, more than 64 pieces, values of more than a byte. A turn counter ends plays.
#include <fmt/format.h>

#include <vector>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class WideRbg {
 public:
  explicit WideRbg(Choices& c) : c_(c) {}

  std::string game() {
    players_ = {"a", "b"};
    if (c_.chance(4)) players_.push_back(c_.one_of({"keeper", "random", "c"}));
    many_pieces_ = c_.chance(8);
    counted_ = c_.coin(85);
    bound_ = c_.chance(4) ? 300 + c_.below(400) : 4 + c_.below(9);
    const std::string board = this->board();
    std::vector<std::string> sections = {players(), pieces(), variables(), "#board = " + board + "\n"};
    std::string text = c_.chance(3) ? "// A random game.\n/* of # marks */ " : "";
    const std::string rules = macros() + "#rules = " + this->rules() + "\n";
    if (c_.chance(5)) {
      std::swap(sections[0], sections[2]);
      return text + "#row = e, x, e, o\n" + rules + sections[3] + sections[0] + sections[1] + sections[2];
    }
    return text + sections[0] + sections[1] + sections[2] + "#row = e, x, e, o\n" + sections[3] + rules;
  }

 private:
  std::string players() {
    std::string text = "#players = ";
    for (std::size_t i = 0; i < players_.size(); ++i) text += (i == 0 ? "" : ", ") + players_[i] + "(100)";
    return text + "\n";
  }
  std::string pieces() {
    std::string text = "#pieces = e, x, o, w";
    for (std::size_t i = 0; many_pieces_ && i < 66; ++i) text += fmt::format(", q{}", i);
    return text + "\n";
  }
  std::string variables() {
    return counted_ ? fmt::format("#variables = turn(9), n({}), const({})\n", bound_, 2 + c_.below(3))
                    : "#variables =\n";
  }

  std::string content() {
    if (many_pieces_ && c_.chance(6)) return fmt::format("q{}", c_.below(66));
    return c_.one_of({"e", "e", "e", "x", "o", "e"});
  }
  std::string row(std::size_t length) {
    if (length == 4 && c_.chance(2)) return "[row]";
    std::string text = "[";
    for (std::size_t i = 0; i < length; ++i) text += (i == 0 ? "" : ", ") + (holes_ && c_.chance(5) ? "" : content());
    return text + "]";
  }

  std::string board() {
    holes_ = c_.chance(3);
    const bool huge = c_.chance(20), large = !huge && c_.chance(5);
    large_ = large || huge;
    switch (c_.below(4)) {
      case 0: {
        directions_ = {"up", "down", "left", "right"};
        const std::size_t width = huge ? 17 : large ? 9 + c_.below(2) : 2 + c_.below(4);
        const std::size_t height = huge ? 16 : large ? 8 : 2 + c_.below(3);
        std::string text = "rectangle(up,down,left,right,\n  [x, e" + rest(width - 2) + "]";
        for (std::size_t i = 1; i < height; ++i) text += "\n  " + row(width);
        return text + ")";
      }
      case 1: {
        directions_ = {"nw", "ne", "ea", "se", "sw", "we"};
        const std::size_t side = huge ? 10 : large ? 6 : 2 + c_.below(2);
        std::string text = "hexagon(nw,ne,ea,se,sw,we,\n  [x, e" + rest(side - 2) + "]";
        for (std::size_t i = 1; i < 2 * side - 1; ++i) text += "\n  " + row(side + std::min(i, 2 * side - 2 - i));
        return text + ")";
      }
      case 2: {
        directions_ = {"up", "down", "left", "right", "front", "back"};
        const std::size_t layers = huge ? 17 : large ? 5 : 2;
        std::string text = "cuboid(up,down,left,right,front,back,";
        for (std::size_t i = 0; i < layers; ++i) {
          text += "\n  [" + (i == 0 ? std::string("[x, e, e, e]") : row(4));
          for (std::size_t k = 1; k < (large || huge ? 4U : 2U); ++k) text += row(4);
          text += "]";
        }
        return text + ")";
      }
      default:
        return graph(huge ? 260 : large ? 66 + c_.below(5) : 3 + c_.below(4));
    }
  }
  std::string rest(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += ", " + content();
    return text;
  }
  std::string graph(std::size_t vertices) {
    directions_ = {"l", "r", "m"};
    const std::size_t by = 1 + c_.below(vertices - 1);
    const bool round = c_.chance(2);
    std::string text;
    for (std::size_t i = 0; i < vertices; ++i) {
      text += fmt::format("\n  v{}[{}]{{", i, i == 0 ? "x" : content());
      std::string edges;
      if (i + 1 < vertices || round) edges += fmt::format("r:v{}", (i + 1) % vertices);
      if (i > 0 || round) edges += fmt::format("{}l:v{}", edges.empty() ? "" : ",", (i + vertices - 1) % vertices);
      if (i == 0 || c_.chance(2)) edges += fmt::format("{}m:v{}", edges.empty() ? "" : ",", (i + by) % vertices);
      text += edges + "}";
    }
    if (c_.chance(3)) text += "\n  begin[e]{}";
    return text;
  }

  std::string direction() { return directions_[c_.below(directions_.size())]; }
  std::string step() {
    std::string text;
    for (const std::string& d : directions_) text += (text.empty() ? "" : " + ") + d;
    return "(" + text + ")";
  }

  std::string macros() {
    std::string text = "#any = " + step() + "*\n";
    text += "#ray(d) = d {e} (d {e})*\n#ray(d; p) = d* {p}\n";
    text += "#set(open; close) = open e, w close\n#own(p) = {p}\n#glued(p;q) = p~q\n#none =\n";
    text += "#twice(f) = (f)^2\n#anything(f) = f\n#count(v) = [$ v~n = v~n + 1]\n";
    return text;
  }

  std::string arith() {
    if (!counted_) return c_.one_of({"x", "o + 1", "e - x", "3"});
    switch (c_.below(9)) {
      case 0:
        return "n / 2";
      case 1:
        return "n * 2 - const";
      case 2:
        return "x + o";
      case 3:
        return "(turn + 1) * n / 3";
      case 4:
        return "+2";
      case 5:
        return "a + const";
      case 6:
        return "n / const";
      case 7:
        return "e - w / 2";
      default:
        return std::to_string(c_.below(bound_ + 2));
    }
  }
  std::string compare() {
    return "{$ " + arith() + c_.one_of({" == ", " != ", " < ", " <= ", " > ", " >= "}) + arith() + "}";
  }
  std::string assign() {
    if (!counted_) return "[$ a = " + std::to_string(c_.below(101)) + "]";
    switch (c_.below(5)) {
      case 0:
        return "[$ n = " + arith() + ", const = n / 4]";
      case 1:
        return "[$ a = n, b = 100 - a]";
      case 2:
        return "count(none)";
      case 3:
        return "[$ const = const - 1]";
      default:
        return "[$ n = " + arith() + "]";
    }
  }
  std::string on() { return c_.one_of({"{e}", "{e, x}", "{x, o, w}", "set({;})", "own(e)", "{x}", "{o}"}); }
  // On large boards, from one place to a few others, so that the number of moves is a small multiple of the board's
  // size.
  std::string walk(int depth) {
    if (large_) {
      switch (c_.below(4)) {
        case 0:
          return "ray(" + direction() + ")";
        case 1:
          return "ray(" + direction() + "; " + c_.one_of({"e", "x, o", "e, w"}) + ")";
        case 2:
          return direction() + "^" + std::to_string(1 + c_.below(3));
        default:
          return "(" + direction() + " + " + direction() + " . )";
      }
    }
    switch (c_.below(depth > 0 ? 9U : 3U)) {
      case 0:
        return direction();
      case 1:
        return step();
      case 2:
        return "any";
      case 3:
        return "ray(" + direction() + ")";
      case 4:
        return "ray(" + direction() + "; " + c_.one_of({"e", "x, o", "e, w"}) + ")";
      case 5:
        return "twice(" + walk(depth - 1) + ")";
      case 6:
        return "(" + walk(depth - 1) + " + " + walk(depth - 1) + " . )";
      case 7:
        return "(" + walk(depth - 1) + " " + on() + ")*";
      default:
        return "anything(" + c_.one_of({"", direction()}) + ") " + direction() + "^" + std::to_string(1 + c_.below(3));
    }
  }
  std::string question(int depth) {
    const std::string inside = walk(1) + " " +
                               (c_.chance(3) ? "[" + c_.one_of({"x", "w"}) + "] " + walk(0) + " " : "") +
                               (depth > 0 && c_.chance(3) ? question(depth - 1) : on());
    return (c_.chance(2) ? "{? " : "{! ") + inside + "}";
  }

  // The moves of a player; about half of them are usually possible.
  std::string move(const std::string& own) {
    std::string text;
    switch (c_.below(6)) {
      case 0:
        text = "any {e} [" + own + "]";
        break;
      case 1:
        text = "any {" + own + "} [e] " + walk(1) + " {e} [" + own + "]";
        break;
      case 2:
        text = "any {e} [x, o] ";
        break;
      case 3:
        text = "any {" + own + "} (" + question(1) + " [w] + . [" + own + "])";
        break;
      case 4:
        text = "any glued(" + c_.one_of({";{e}", "{e};"}) + ") [" + own + "] " + walk(1);
        break;
      default:
        text = "any " + on() + " [" + own + "] (" + walk(1) + " [w])^2";
    }
    if (c_.coin(30)) text += " " + question(1);
    if (c_.coin(30)) text += " " + assign();
    if (c_.coin(20)) text += " " + compare();
    if (c_.coin(15)) text = "(" + text + " + " + direction() + "* {e} [w] . )";
    return text;
  }

  std::string rules() {
    std::string text = "->> (\n";
    for (std::size_t i = 0; i < players_.size(); ++i) {
      const std::string& me = players_[i];
      const std::string own = i == 1 ? "o" : "x";
      text += "  ";
      if (counted_) text += "({$ turn < 9} [$ turn = turn + 1] + {$ turn >= 9} [$ " + me + " = 100] ->> {}) ";
      if (c_.chance(3)) text += "({$ x > o} [$ a = 50] + {$ x <= o} [$ b = 50]) ";
      text += "->" + me + " (" + move(own) + " ->> + " + c_.one_of({"[w] ->>", "any {o} [e] ->>", ". [x] ->>"}) + ")";
      if (c_.chance(4)) text += " ({! any {e}} (->>)^2 {} + {? any {e}})";
      if (c_.chance(8)) text += " (->>^2 {? any {e}} + {! any {e}} ->> {})";
      text += "\n";
    }
    // Without a turn counter, pieces are only added, so that plays end.
    return text + (counted_ ? ")*" : ")^3 {}");
  }

  Choices& c_;
  std::vector<std::string> players_, directions_;
  bool many_pieces_ = false, counted_ = true, holes_ = false, large_ = false;
  std::size_t bound_ = 4;
};

}  // namespace

std::string random_wide_rbg(Choices& choices) { return WideRbg(choices).game(); }

}  // namespace rgtrans::test
