// Random RBG: a random graph of a few cells and rules of two players. Keeper has no choice, unless `free_keeper` is
// set. Some parts of the rules are replaced by macros.
#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class Generator {
 public:
  Generator(Choices& choices, bool free_keeper) : c_(choices), free_(free_keeper) {}

  std::string game() {
    std::string text = "#players = a(2), b(2)\n#pieces = e, x, o\n#variables = t(5), v(2), w(3)\n";
    const bool macros = below(3) == 0;
    if (macros) {
      text += "#walk(f; g) = (f + g)* f\n#step(go) = " + walk(1) + " go\n#look(p) = {? " + walk(1) + " {p}}\n";
    }
    text += "#board =\n";
    const std::size_t vertices = 3 + below(3);
    for (std::size_t i = 0; i < vertices; ++i) {
      text += "  p" + std::to_string(i) + "[" + piece() + "]{";
      std::string separator;
      for (const char* label : {"l", "r", "m"}) {
        if (below(4) == 0) continue;
        text += separator + label + ":p" + std::to_string(below(vertices));
        separator = ",";
      }
      text += "}\n";
    }
    // The last vertex has an edge of every label, so that every label is declared.
    text += "  last[e]{l:p0,r:p1,m:p2}\n";
    text += "#rules = " + keeper(2) + " (\n";
    for (const char* player : {"->a ", "->b "}) {
      text += std::string("  [$ t=t+1] ") + player;
      if (macros) text += c_.one_of({"walk(l; r) ", "step(m) ", "look(e) ", "walk(step(l); m r) "});
      text += this->player(3) + ending() + keeper(3) + "\n";
    }
    return text + ")*\n";
  }

 private:
  std::size_t below(std::size_t n) { return c_.below(n); }
  std::string piece() { return std::string(1, "exo"[below(3)]); }
  std::string label() { return std::string(1, "lrm"[below(3)]); }
  std::string on() {
    switch (below(8)) {
      case 0:
        return "{e,x,o}";
      case 1:
        return "{}";
      case 2:
      case 3:
        return "{x,o}";
      default:
        return "{" + piece() + "}";
    }
  }
  std::string variable() { return std::string(1, "vwtab"[below(5)]); }
  std::string arith() {
    switch (below(7)) {
      case 0:
        return variable() + " + " + std::to_string(below(3));
      case 1:
        return variable() + " - " + variable();
      case 2:
        return piece();
      case 3:
        return "(" + variable() + " + 1) * " + variable();
      case 4:
        return variable() + " + " + piece() + " - " + variable();
      default:
        return std::to_string(below(4));
    }
  }
  std::string compare() {
    static const char* const kRelations[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    return "{$ " + arith() + kRelations[below(6)] + arith() + "}";
  }
  std::string modifier() {
    if (below(2) == 0) return "[" + piece() + "]";
    return std::string("[$ ") + "vwab"[below(4)] + " = " + arith() + "]";
  }
  std::string walk(int depth) {
    switch (below(depth > 0 ? 7 : 2)) {
      case 0:
      case 1:
        return label();
      case 2:
        return "(" + walk(depth - 1) + " + " + walk(depth - 1) + ")";
      case 3:
        return "(" + walk(depth - 1) + ")*";
      case 4:
        return walk(depth - 1) + " " + walk(depth - 1);
      case 5:
        return "({? " + walk(depth - 1) + "} + " + walk(depth - 1) + ")";
      default:
        return "(" + label() + " " + on() + ")*";
    }
  }
  std::string look(int depth) {
    return (below(2) == 0 ? "{? " : "{! ") + walk(depth) + " " +
           (below(3) == 0 ? modifier() + " " + walk(0) + " " : "") +
           (depth > 0 && below(4) == 0 ? look(depth - 1) : on()) + "}";
  }
  std::string player(int depth) {
    std::string text;
    for (std::size_t i = 0, n = 1 + below(3); i < n; ++i) {
      switch (below(depth > 0 ? 8 : 5)) {
        case 0:
        case 1:
          text += walk(2);
          break;
        case 2:
          text += on();
          break;
        case 3:
          text += modifier();
          break;
        case 4:
          text += below(2) == 0 ? compare() : look(1);
          break;
        case 5:
          text += below(4) == 0 ? questions(depth) : "(" + player(depth - 1) + " + " + player(depth - 1) + ")";
          break;
        case 6:
          text += "([$ t=t+1] " + player(depth - 1) + ")*";
          break;
        default:
          text += "(" + walk(1) + ")*";
          break;
      }
      text += " ";
    }
    return text;
  }
  // A test, its opposite, and another test that leads to the same place as one of them.
  std::string questions(int depth) {
    const std::string here = on();
    return "({! " + here + "} + " + here + " " + player(depth - 1) + " + " + (below(2) == 0 ? compare() : on()) + ")";
  }
  std::string ending() {
    switch (below(6)) {
      case 0:
        return "(->> {} + ->>) ";
      case 1:
        return "->b ";
      default:
        return "->> ";
    }
  }
  // Without choices, so that keeper has at most one walk; with choices if keeper is free.
  std::string keeper(int depth) {
    std::string text;
    if (free_ && depth > 0) text += choice(depth);
    for (std::size_t i = 0, n = below(3); i < n; ++i) {
      const std::string question = below(2) == 0 ? walk(1) + " " + on() : on();
      switch (below(depth > 0 ? 7 : 3)) {
        case 0:
          text += modifier();
          break;
        case 1:
          text += label();
          break;
        case 2:
          text += below(3) == 0 ? look(1) : "->>";
          break;
        case 3:
          text +=
              "({? " + question + "} " + keeper(depth - 1) + ". + {! " + question + "} " + keeper(depth - 1) + ". )";
          break;
        case 4:
          text += "({e} " + keeper(depth - 1) + "[x] + {x} " + keeper(depth - 1) + "[o] + {o} [$ v=1])";
          break;
        case 5:
          text += "({e} [$ w=2] + {x} [$ w=0] + {o} [$ w=1]) ";
          text += below(2) == 0 ? "" : "({$ w == 0} [x] + {$ w == 2} [o] + {$ w == 1} [e] + {$ w == 3} [e])";
          break;
        default:
          text += "({$ w == 0} [$ v=2] + {$ w == 1} [$ v=0] + {$ w > 1} " + keeper(depth - 1) + "[$ v=1])";
          break;
      }
      text += " ";
    }
    return text;
  }

  std::string choice(int depth) {
    switch (below(6)) {
      case 0:
        return "([x] + [o] + " + label() + " " + modifier() + ") ";
      case 1:
        return "(" + walk(2) + " {x} [e] ->> )* {! " + walk(1) + " {x}} ";
      case 2:
        return "(l* + r*) " + on() + " [o] ->> ";
      case 3:
        return "((l + r + m)* {e} [x] ->> + " + on() + " ->> + m* {o} [e]) ";
      default:
        return "(" + keeper(depth - 1) + ". + " + walk(1) + " " + on() + ") ";
    }
  }

  Choices& c_;
  bool free_;
};

}  // namespace

std::string random_rbg(Choices& choices, bool free_keeper) { return Generator(choices, free_keeper).game(); }

}  // namespace rgtrans::test
