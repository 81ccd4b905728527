// Random HRG: constructed domains, functions by cases, nested map literals, graphs with parameters and every statement.
// The text is always well-typed, but the game may be improper.
#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class Generator {
 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  std::string run() {
    std::string out = "domain Player = p | q\ndomain Score = 0 | 50 | 100\ndomain Num = 0 | 1 | 2\n";
    const std::string top = std::to_string(c_.pick(1, 2));
    out += "domain Cell = " + c_.one_of({"S(X, Y) where X in 0..1, Y in 0..", "S(X, Y) where X in {0, 1}, Y in 0.."}) +
           top + "\ndomain Place = off | Cell\ndomain Piece = empty | Player\n";
    out += "other : Player -> Player\nother(p) = q\nother(q) = p\n";
    for (const char* name : {"up", "side"}) out += function(name);
    out += "inc : Num -> Num\ninc(N) = " +
           c_.one_of({"(N + 1) % 3", "if N < 2 then N + 1 else 0", "if N == 2 || N == 0 then 1 else 2"}) + "\n";
    out += "ahead : Player -> Place -> Place\nahead(p) = up\nahead(" + c_.one_of({"q", "_"}) + ") = " + map() + "\n";
    out += "less : Num -> Num -> Bool\nless(A, B) = if A < B then 1 else 0\n";
    out +=
        "board : Cell -> Piece = { : empty; S(X, 0) = p where X in 0..1; S(X, " + top + ") = q where X in {0, 1} }\n";
    out += "here : Place = " + c_.one_of({"off", "S(0, 0)"}) + "\nthere : Place\nnum : Num = " + number() +
           "\ncount : Player -> Num = { : 0; q = " + number() + " }\n";
    out += "graph look(me : Player) {\n" + block(2, false) + "}\n";
    out += c_.one_of({"", "reusable "}) + "graph helper(me : Player, n : Num) {\n" + block(2, false) + "}\n";
    calls_ = true;
    out += "graph move(me : Player) {\n  here = Cell(*)\n" + c_.one_of({"", "  check(board[here] == me)\n"}) +
           "  $$ here\n" + block(3, true) + "}\n";
    out +=
        "graph turn(me : Player) {\n  player = me\n  branch {\n    move(me)\n  } or {\n    $ pass\n    num = inc[num]\n"
        "  }\n  player = keeper\n";
    if (c_.coin(50)) out += "  if reachable(look(me)) {\n    goals[me] = 100\n  } else {\n    goals[me] = 0\n  }\n";
    out += "}\ngraph rules() {\n  " + c_.one_of({"loop", "repeat 2", "repeat 3"}) +
           " {\n    turn(p)\n    turn(q)\n    if count[p] == 2 {\n      end()\n    }\n    count[p] = inc[count[p]]\n"
           "  }\n}\n";
    return out;
  }

 private:
  std::string function(const std::string& name) {
    std::string out = name + " : Place -> Place\n";
    out += name + "(S(X, Y)) = " +
           c_.one_of({"if S(X, Y + 1) in Cell then S(X, Y + 1) else off", "if X < 1 then S(X + 1, Y) else off",
                      "S((X + 1) % 2, Y)", "if S(X - 1, Y) in Cell then S(X - 1, Y) else S(X, 0)"}) +
           "\n" + name + "(" + c_.one_of({"off", "_"}) + ") = off\n";
    return out;
  }
  std::string number() { return std::to_string(c_.pick(0, 2)); }
  std::string map() { return c_.one_of({"up", "side"}); }
  std::string place(int depth = 0) {
    switch (c_.pick(0, depth > 1 ? 2 : 4)) {
      case 0:
      case 1:
        return c_.one_of({"here", "there"});
      case 2:
        return c_.one_of({"S(0, 1)", "S(1, 0)", "off"});
      case 3:
        return map() + "[" + place(depth + 1) + "]";
      default:
        return "ahead[me][" + place(depth + 1) + "]";
    }
  }
  std::string num(int depth = 0) {
    return c_.coin(60) || depth > 1 ? c_.one_of({"num", "count[me]", "count[other[me]]"})
                                    : "inc[" + num(depth + 1) + "]";
  }
  std::string condition(int depth = 0) {
    switch (c_.pick(0, depth > 1 ? 4 : 8)) {
      case 0:
        return place() + c_.one_of({" == ", " != "}) + place();
      case 1:
        return num() + c_.one_of({" == ", " != "}) + number();
      case 2:
        return "board[" + c_.one_of({"S(0, 0)", "S(1, 1)", "here"}) + "] == " + c_.one_of({"me", "empty", "other[me]"});
      case 3:
        return place() + " != off";
      case 4:
        return "less[" + num() + "][" + num() + "] == 1";
      case 5:
        return "(" + condition(depth + 1) + " && " + condition(depth + 1) + ")";
      case 6:
        return "(" + condition(depth + 1) + " || " + condition(depth + 1) + ")";
      case 7:
        return "!(" + condition(depth + 1) + ")";
      default:
        return calls_ ? c_.one_of({"reachable(look(me))", "not(reachable(look(other[me])))", "true()"}) : "false()";
    }
  }
  std::string block(int depth, bool tags) {
    std::string out;
    for (int n = c_.pick(1, 3); n > 0; --n) out += statement(depth, tags);
    return out;
  }
  std::string statement(int depth, bool tags) {
    switch (c_.pick(0, depth > 0 ? 15 : 7)) {
      case 0:
        return c_.one_of({"here = ", "there = "}) + place() + "\n";
      case 1:
        return c_.one_of({"num = ", "count[me] = "}) + num() + "\n";
      case 2:
        return "check(here != off)\nboard[here] = " + c_.one_of({"me", "empty", "other[me]"}) + "\n";
      case 3:
        return "check(" + condition() + ")\n";
      case 4:
        return tags ? c_.one_of({"$ a\n", "$ (a b)\n", "$$ here\n", "$$ num\n", "$_ mark\n"}) : "num = inc[num]\n";
      case 5:
        return c_.one_of({"there = Cell(*)\n", "num = Num(*)\n", "there = Place(*)\n"});
      case 6:
        return "goals[me] = " + c_.one_of({"0", "50", "100"}) + "\n";
      case 7:
        return calls_ ? c_.one_of({"look(me)\n", "helper(me, num)\n", "helper(other[me], 1)\n"}) : "there = here\n";
      case 8:
        return "branch {\n" + block(depth - 1, tags) + "} or {\n" + block(depth - 1, tags) + "}\n";
      case 9:
        return "branch f in {up, side} {\nhere = f[here]\n" + block(depth - 1, tags) + "}\n";
      case 10:
        return "if " + condition() + " {\n" + block(depth - 1, tags) + "} else {\n" + block(depth - 1, tags) + "}\n";
      case 11:
        return "repeat " + c_.one_of({"2", "N in {0, 1}"}) + " {\n" + block(depth - 1, tags) + "}\n";
      case 12:
        return "while " + num() + " != " + number() + " {\nnum = inc[num]\n" + block(depth - 1, false) + "}\n";
      case 13:
        return "forall s : Cell {\n" + c_.one_of({"check(board[s] == empty)", "board[s] = me"}) + "\n}\n";
      case 14:
        return "loop {\nhere = " + place() + "\nif " + condition() + " {\nbreak()\n}\n" + block(depth - 1, false) +
               "check(here != off)\n}\n";
      default:
        return "if " + condition() + " {\n" + block(depth - 1, tags) + "return()\n}\n";
    }
  }

  Choices& c_;
  bool calls_ = false;
};

}  // namespace

std::string random_hrg(Choices& choices) { return Generator(choices).run(); }

}  // namespace rgtrans::test
