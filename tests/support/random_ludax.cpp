// Random Ludax: every construct of the language on a small board. The description has no errors; warnings are likely.
#include <fmt/format.h>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class Generator {
 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  std::string game() {
    std::string text = c_.chance(6) ? "// a random game\n" : c_.chance(6) ? ";; a random game\n" : "";
    text += "(game \"Random\" (players 2) (equipment (board " + board() + "))\n (rules\n";
    if (large_) return text + rules_of_large_board();
    if (c_.chance(3)) text += "  (start " + start() + ")\n";
    text += "  (play";
    for (std::size_t i = c_.below(3); i > 0; --i) text += "\n   " + phase(c_.one_of({"once-through", "once_through"}));
    text += "\n   " + phase(c_.chance(8) ? "once-through" : "repeat") + ")\n  (end";
    for (std::size_t i = c_.below(3); i > 0; --i) text += "\n   (if " + predicate(2) + " " + result() + ")";
    if (passes_ && c_.chance(2)) text += "\n   (if (passed both) " + result() + ")";
    return text + "\n   (if (full_board) " + result() + "))))\n";
  }

 private:
  std::string number(std::size_t from, std::size_t to) { return std::to_string(from + c_.below(to - from + 1)); }

  // Tables grow with the square of the board, so large boards get few conditions.
  std::string rules_of_large_board() {
    const std::string where = c_.one_of({"empty", "(and empty (not (edge top)))", "(and empty (or corners center))"});
    const std::string change =
        c_.one_of({"", " (effects (flip (custodial 1)))", " (effects (capture (prev_move opponent)))"});
    return fmt::format(
        "  (play (repeat (P1 P2) (place (destination {}){}) (force_pass)))\n  (end (if {} (mover win)) (if "
        "(full_board) (draw)) (if (passed both) (draw)))))\n",
        where, change,
        c_.one_of(
            {"(line 3 orientation:horizontal)", "(>= (count (occupied mover)) 9)", "(exists (prev_move opponent))"}));
  }

  std::string board() {
    if (c_.chance(40)) {
      large_ = true;
      shape_ = c_.one_of({"square", "rectangle", "hexagon", "hex_rectangle"});
      if (shape_ == "square") return c_.chance(4) ? "(square 17)" : "(square 9)";
      if (shape_ == "hexagon") return "(hexagon 11)";
      return "(" + shape_ + (c_.chance(5) ? " 17 17)" : " 9 9)");
    }
    shape_ = c_.one_of({"square", "rectangle", "hexagon", "hex_rectangle"});
    if (shape_ == "square") {
      const std::size_t size = c_.chance(10) ? 5 : 2 + c_.below(3);
      cells_ = size * size;
      return "(square " + std::to_string(size) + ")";
    }
    if (shape_ == "hexagon") {
      const std::size_t size = c_.chance(12) ? 7 : c_.chance(3) ? 5 : 3;
      cells_ = size == 7 ? 37 : size == 5 ? 19 : 7;
      return "(hexagon " + std::to_string(size) + ")";
    }
    const std::size_t rows = 1 + c_.below(4), columns = c_.chance(10) ? 7 : 1 + c_.below(5);
    cells_ = rows * columns;
    return "(" + shape_ + " " + std::to_string(rows) + " " + std::to_string(columns) + ")";
  }

  std::string start() {
    std::string text;
    for (std::size_t i = 1 + c_.below(3); i > 0; --i) {
      text += "(place " + c_.one_of({"P1", "P2"}) + " (" + number(0, cells_ - 1);
      for (std::size_t j = c_.below(4); j > 0; --j) text += " " + number(0, cells_ - 1);
      text += ")) ";
    }
    return text;
  }

  std::string movers() {
    if (!c_.chance(6)) return c_.one_of({"P1 P2", "P2 P1", "P1 P2", "P1", "P2 P2 P1 P1", "P1 P2 P2"});
    std::string text;
    for (std::size_t i = 1 + c_.below(5); i > 0; --i) text += c_.one_of({"P1 ", "P2 "});
    return text;
  }

  std::string phase(const std::string& kind) {
    std::string text = "(" + kind + " (" + movers() + ") (place";
    if (c_.chance(8)) text += c_.one_of({" opponent", " mover"});
    text += " (destination " + destination() + ")";
    if (c_.chance(4)) text += "\n     (result " + predicate(2) + ")";
    if (c_.chance(2)) {
      text += "\n     (effects";
      for (std::size_t i = 1 + c_.below(3); i > 0; --i) text += " " + effect();
      text += ")";
    }
    text += ")";
    if (c_.chance(2)) {
      text += " (force_pass)";
      passes_ = true;
    }
    return text + ")";
  }

  std::string destination() {
    if (c_.chance(3)) return "empty";
    if (c_.chance(8)) return mask(2);
    return "(and empty " + mask(2) + ")";
  }

  std::string side() { return c_.one_of({"mover", "opponent"}); }
  std::string maybe_side() { return c_.chance(2) ? "" : " " + side(); }
  std::string orientation() {
    if (c_.chance(2)) return "";
    return " orientation:" +
           c_.one_of({"vertical", "horizontal", "orthogonal", "diagonal", "back_diagonal", "forward_diagonal", "any"});
  }
  std::string direction() {
    if (c_.chance(2)) return "";
    return " direction:" +
           c_.one_of({"up", "down", "left", "right", "up_left", "up_right", "down_left", "down_right", "vertical",
                      "horizontal", "orthogonal", "diagonal", "forward_diagonal", "back_diagonal", "any"});
  }
  // One or more operands.
  template <class Part>
  std::string several(Part&& part) {
    std::string text;
    for (std::size_t i = c_.chance(4) ? 1 + c_.below(4) : 2; i > 0; --i) text += " " + part();
    return text;
  }
  std::string edge() {
    return shape_ == "hexagon" ? c_.one_of({"top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"})
                               : c_.one_of({"top", "bottom", "left", "right"});
  }
  std::string custodial() {
    return "(custodial " + c_.one_of({"any", "1", "2", "any", "1", "2", "3"}) + maybe_side() + orientation() + ")";
  }

  std::string mask(int depth) {
    if (depth == 0 || c_.chance(3)) {
      switch (c_.below(7)) {
        case 0:
          return "empty";
        case 1:
          return "occupied";
        case 2:
          return c_.one_of({"center", "corners"});
        case 3:
          return "(edge " + edge() + ")";
        case 4:
          return "(prev_move " + side() + ")";
        default:
          return "(occupied " + side() + ")";
      }
    }
    switch (c_.below(6)) {
      case 0:
        return "(and" + several([&] { return mask(depth - 1); }) + ")";
      case 1:
        return "(or" + several([&] { return mask(depth - 1); }) + ")";
      case 2:
        return "(not " + mask(depth - 1) + ")";
      case 3:
        return custodial();
      default:
        return "(adjacent " + mask(depth - 1) + direction() + ")";
    }
  }

  std::string function(int depth) {
    if (depth > 0 && c_.chance(4)) {
      if (c_.chance(3)) return "(subtract " + function(depth - 1) + " " + function(depth - 1) + ")";
      return "(" + c_.one_of({"add", "multiply"}) + several([&] { return function(depth - 1); }) + ")";
    }
    switch (c_.below(6)) {
      case 0:
        return number(0, 4);
      case 1:
        return "(score " + side() + ")";
      case 2:
        return line();
      case 3:
        return "(connected " + targets() + maybe_side() + direction() + ")";
      default:
        return "(count " + mask(2) + ")";
    }
  }
  std::string line() {
    return "(line " + number(1, c_.chance(4) ? 6 : 4) + orientation() +
           (c_.chance(3) ? c_.one_of({" exact:true", " exact:true", " exact:false"}) : "") + ")";
  }
  std::string targets() {
    if (c_.chance(2)) return c_.one_of({"corners", "edges", "edgesNoCorners"});
    std::string text = "(" + mask(1);
    for (std::size_t i = c_.below(3); i > 0; --i) text += " " + mask(c_.chance(4) ? 2 : 1);
    return text + ")";
  }

  std::string predicate(int depth) {
    if (depth > 0 && c_.chance(3)) {
      if (c_.chance(3)) return "(not " + predicate(depth - 1) + ")";
      return "(" + c_.one_of({"and", "or"}) + several([&] { return predicate(depth - 1); }) + ")";
    }
    switch (c_.below(10)) {
      case 0:
        return "(exists " + mask(2) + ")";
      case 1:
        return "(full_board)";
      case 2:
        return "(mover_is " + c_.one_of({"P1", "P2"}) + ")";
      case 3:
        return "(passed " + c_.one_of({"mover", "opponent", "both"}) + ")";
      case 4:
        return "(=" + several([&] { return function(1); }) + ")";
      case 5:
      case 6:
        return "(" + c_.one_of({">=", "<="}) + " " + function(1) + " " + function(1) + ")";
      case 7:
        return line();
      default:
        return "(>= " + function(1) + " " + number(1, 3) + ")";
    }
  }

  std::string effect() {
    switch (c_.below(5)) {
      case 0:
      case 1:
        return "(capture " + effect_mask() + maybe_side() +
               c_.one_of({" increment_score:true", "", " increment_score:true", " increment_score:false"}) + ")";
      case 2:
        return "(flip " + effect_mask() + maybe_side() + ")";
      default:
        return "(" + c_.one_of({"set_score", "increment_score"}) + " " + side() + " " + function(1) + ")";
    }
  }
  std::string effect_mask() { return c_.chance(2) ? custodial() : mask(2); }

  std::string result() {
    if (c_.chance(3)) return c_.one_of({"(draw)", "(by_score)"});
    return "(" + side() + " " + c_.one_of({"win", "lose"}) + ")";
  }

  Choices& c_;
  std::string shape_;
  std::size_t cells_ = 0;
  bool passes_ = false, large_ = false;
};

}  // namespace

std::string random_ludax(Choices& choices) { return Generator(choices).game(); }

}  // namespace rgtrans::test
