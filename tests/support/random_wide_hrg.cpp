// Random HRG with rare forms of the language: elements of one to three parts, including literals; functions of one to
// three patterns that recur and refer to each other; maps as parameters; all spellings of calls; loops over domains;
// redeclared initial values. Domains have a few elements, or more than 64 or 256. A turn counter ends plays.
#include <fmt/format.h>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class WideHrg {
 public:
  explicit WideHrg(Choices& c) : c_(c) {}

  std::string game() {
    const bool huge = c_.chance(12), large = c_.chance(5);
    width_ = huge ? 17 : large ? 8 + c_.below(3) : 2 + c_.below(3);
    height_ = huge ? 16 : large ? 9 : 2 + c_.below(2);
    top_ = c_.chance(10) ? 70 + c_.below(3) * 95 : 2 + c_.below(5);
    many_ = c_.chance(16);
    domains();
    functions();
    variables();
    graphs();
    return out_;
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  std::string player() { return many_ ? c_.one_of({"P(0)", "P(70)", "P(1)"}) : c_.one_of({"red", "blue"}); }
  std::string number() { return fmt::format("N({})", c_.chance(4) ? top_ : c_.below(3)); }
  std::string cell() {
    return c_.chance(3) ? fmt::format("S({} - 1, 1 + 0)", width_)
                        : fmt::format("S({}, {})", c_.below(width_), c_.below(height_));
  }
  std::string mark() { return c_.one_of({"free", "M(a, 1)", "M(c, 2)", "K(0, 1, 1)", "M(b, 1)"}); }
  std::string sign() { return c_.one_of({"small", "mixed"}); }

  void domains() {
    if (c_.chance(3)) line("// A random game.");
    line(many_ ? "domain Player = P(I) where I in 0..70" : "domain Player = red | blue");
    line("domain Score = 50 | 0 | 100");
    line("domain Sign = mixed | big | small | Odd");
    line(fmt::format("domain Cell = S(X, Y) where X in 0..{}, Y in 0..{}", width_ - 1, height_ - 1));
    line("domain Place = off | Cell");
    line(
        "domain Mark = free | M(A, 1) where A in {a, b} | M(A, B) where A in {c}, B in 1..2 | K(I, J, L) where I in "
        "0..1, J "
        "in 0..1, L in {1}");
    line(fmt::format("domain Num = N(I) where I in 0..{}", top_));
    line("domain Turn = T(I) where I in 0..8\ndomain Dir = east | south | none");
  }

  void functions() {
    line(c_.chance(2) ? "right : Place -> Place\nright(S(X, Y)) = if S(X + 1, Y) in Cell then S(X + 1, Y) else "
                        "off\nright(_) = off"
                      : fmt::format("right : Place -> Place\nright(S(X, Y)) = S((X + {}) % {}, Y)\nright(P) = P",
                                    1 + c_.below(2), width_));
    line("down : Place -> Place\ndown(off) = off");
    switch (c_.below(4)) {
      case 0:
        line(fmt::format("down(S(X, 0)) = {}\ndown(S(X, Y)) = S(X, Y - 1)", c_.chance(2) ? "off" : "S(X, 1)"));
        break;
      case 1:
        line(
            fmt::format("down(S(X, Y)) = if X >= 1 && Y <= {} || X == 0 && Y != 1 then S(X, Y) else off", height_ - 2));
        break;
      case 2:
        line(
            "down(S(X, Y)) = if (S(X - 1, Y + 1) in Cell) && X > 0 then right(S(X - 1, Y + 1)) else if X < 1 then off "
            "else S(X, Y)");
        break;
      default:
        line(fmt::format("down(S(_, Y)) = S((Y - 1) % {}, Y)", width_));
    }
    line("stay : Place -> Place\nstay(X) = X");
    line("along : Place -> Place\nalong() = right");
    line("way : Dir -> Place -> Place\nway(east) = right\nway(south) = down\nway(_) = stay");
    line(
        fmt::format("inc : Num -> Num\ninc(N(I)) = if I < {} then N(I + 1) else N({})", top_, c_.chance(2) ? 0 : top_));
    line("less : Num -> Num -> Bool\nless(N(I), N(J)) = if I < J then 1 else 0");
    line("shift : Turn -> Num -> Num\nshift(T(0), X) = X\nshift(T(I), X) = shift(T(I - 1), inc(X))");
    line(
        "mid : Turn -> Turn -> Turn -> Bool\nmid(T(0), _, _) = 0\nmid(T(I), T(J), T(K)) = if I <= J && J <= K then 1 "
        "else 0");
    line(
        "sign : Mark -> Sign\nsign(free) = mixed\nsign(M(a, _)) = small\nsign(M(A, B)) = if B == 1 then small else "
        "big\nsign(K(_, J, 1)) = if J != 0 then small else mixed");
    line(many_ ? "other : Player -> Player\nother(P(I)) = P((I + 1) % 71)"
               : "other : Player -> Player\nother(red) = blue\nother(X) = red");
    line("later : Turn -> Turn\nlater(T(I)) = if T(I + 1) in Turn then T(I + 1) else T(I)");
    line("part : Place -> Sign\npart(S(X, 0)) = big\npart(S(0, Y)) = small\npart(_) = mixed");
  }

  void variables() {
    line(fmt::format("board : Cell -> Mark = {{ : free; S(X, 0) = M(a, 1) where X in 0..{}{} }}", width_ - 1,
                     c_.chance(2) ? "; S(0, 1) = K(0, 1, 1)" : ""));
    line("keep : Cell -> Mark\nflags : Place -> Bool = { _ = 0 }");
    line(fmt::format("lamp : Cell -> Sign = {{ S(X, Y) = big where X in 0..{}, Y in {{0, 1}} }}", width_ - 1));
    line(fmt::format("count2 : Player -> Dir -> Num = {{ : {{ : N(0); east = {} }} }}", number()));
    line("bids : Player -> Num");
    line("dir : Place -> Place = right\nhere : Place = right(S(0, 0))\nplace : Place\ncell : Cell = S(0, 1)");
    line(fmt::format("num : Num = {}\nsign1 : Sign\nturn1 : Turn = T(0)\nme : Player\nd : Dir = south", number()));
    line("sort : {u, v, w} = v");
    if (c_.chance(4)) line("goals : Goals = { : " + c_.one_of({"0", "50"}) + " }");
    if (c_.chance(8)) line("player : PlayerOrSystem = keeper");
    if (c_.chance(8)) line("visible : Visibility = { : 1 }");
    if (c_.chance(3)) line("late : Late\ndomain Late = x | y");
  }

  std::string map(bool inside_call = false) {
    return c_.one_of({"right", "down", "along", "dir", "way[d]", inside_call ? "way(east)" : "way[south]"});
  }
  std::string place() {
    switch (c_.below(7)) {
      case 0:
        return "right(here)";
      case 1:
        return "way(d, here)";
      case 2:
        return "way(d)(place)";
      case 3:
        return "way[east](right[here])";
      case 4:
        return cell();
      case 5:
        return "dir[place]";
      default:
        return "down[" + cell() + "]";
    }
  }
  std::string condition(int depth = 0) {
    switch (c_.below(depth > 1 ? 9 : 14)) {
      case 0:
        return place() + c_.one_of({" == ", " != "}) + c_.one_of({"place", "off", "here"});
      case 1:
        return "sign(board[cell]) == " + sign();
      case 2:
        return "less(num, bids[me]) == 1";
      case 3:
        return "board[" + c_.one_of({"cell", cell()}) + "]" + c_.one_of({" == ", " != "}) + mark();
      case 4:
        return "part(place) != " + sign();
      case 5:
        return c_.one_of({"keep == board", "dir != right", "keep != board"});
      case 6:
        return "count2[me][d] == " + number();
      case 7:
        return "sort == sort";
      case 8:
        return "mid(turn1, T(3), later(turn1)) == 1";
      case 9:
        return "(" + condition(depth + 1) + " && " + condition(depth + 1) + ")";
      case 10:
        return "(" + condition(depth + 1) + " || " + condition(depth + 1) + ")";
      case 11:
        return "not(" + condition(depth + 1) + ")";
      case 12:
        return c_.one_of({"true()", "false()", "not(false())"});
      default:
        return reach_ ? c_.one_of({"reachable(runs(right))", "reachable(runs(way[d]))", "reachable(free())",
                                   "not(reachable(meets(me, place)))"})
                      : "flags[place] == 0";
    }
  }
  std::string change() {
    switch (c_.below(13)) {
      case 0:
        return "place = " + place();
      case 1:
        return "board[cell] = " + mark();
      case 2:
        return "num = " + c_.one_of({"inc(num)", "shift(T(2), num)", "bids[me]", "count2[me][d]"});
      case 3:
        return "count2[me][d] = " + c_.one_of({"num", "inc[num]", "N(0)"});
      case 4:
        return c_.one_of({"keep = board", "board = keep"});
      case 5:
        return "dir = " + map();
      case 6:
        return "flags[place] = 1";
      case 7:
        return "bids[me] = num";
      case 8:
        return "if " + condition() + " {\n    here = place\n  } else if " + condition() + " {\n    num = inc[num]\n  }";
      case 9:
        return "repeat i in {east, south} {\n    if count2[me][i] == " + number() + " {\n      " +
               c_.one_of({"continue()", "break()"}) + "\n    }\n    count2[me][i] = num\n  }";
      case 10:
        return "repeat q in Dir {\n    count2[me][q] = " + number() + "\n  }";
      case 11:
        return "while num != N(0) && num != N(" + std::to_string(top_) + ") {\n    num = inc[num]\n  }";
      default:
        return c_.one_of({"store(me, num)", "repeat 0 {\n    num = N(0)\n  }", "repeat 2 {\n    num = inc[num]\n  }",
                          "copies(count2[me])", "goals[me] = 0"});
    }
  }
  void changes(std::size_t most) {
    for (std::size_t i = c_.below(most + 1); i > 0; --i) line("  " + change());
  }

  void graphs() {
    line("graph free() {\n  cell = Cell(*)\n  check(board[cell] == free)\n}");
    line(
        "graph runs(f : Place -> Place) {\n  place = f[here]\n  loop {\n    if place == off || flags[place] == 1 {\n   "
        "   " +
        c_.one_of({"return()", "break()", "check(false())"}) +
        "\n    }\n    flags[place] = 1\n    place = f[place]\n  }\n  check(" + condition() + ")\n}");
    line("graph meets(who : Player, here : Place) {\n  place = way[d][here]\n  check(place != off && " +
         condition_of_meets() + ")\n}");
    line(c_.one_of({"", "reusable "}) +
         "graph store(who : Player, num : Num) {\n  bids[who] = num\n  if num == N(0) {\n    return()\n  }\n  "
         "count2[who][d] = num\n}");
    line("graph copies(f : Dir -> Num) {\n  num = f[d]\n  if f(east) != N(0) {\n    count2[me] = f\n  }\n}");
    reach_ = true;
    line("graph unused(z : Sign) {\n  sign1 = z\n}");
    for (const char* name : {"first", "second"}) move(name);
    turns();
  }
  std::string condition_of_meets() {
    return c_.one_of({"less[bids[who]][num] == 0", "part[place] == Odd", "here != place"});
  }

  void move(const std::string& name) {
    line(fmt::format("graph {}() {{", name));
    changes(1);
    switch (c_.below(6)) {
      case 0:
        line("  branch q in Dir {\n    $ q\n    d = q\n  }");
        break;
      case 1:
        line("  branch f in {right, down} {\n    place = f[here]\n    $ (go f)\n    dir = f\n  }");
        break;
      case 2:
        line("  branch {\n    while " + c_.one_of({"num != N(1)", "less(num, N(2)) == 1"}) +
             " {\n      num = inc[num]\n      check(num != N(0))\n    }\n    $ counted\n  } or {\n    $ waits\n  }");
        break;
      case 3:
        line("  sort = {u, w}(*)\n  $$ sort\n  bids[me] = Num(*)\n  num = bids[me]\n  $$ num");
        break;
      default:
        line("  cell = Cell(*)\n  check(board[cell] " + c_.one_of({"== free", "!= free"}) +
             ")\n  $$ cell\n  board[cell] = " + mark());
    }
    changes(2);
    if (c_.coin(30)) line("  check(" + condition() + ")");
    if (c_.coin(20)) line("  forall s : Cell {\n    check(board[s] != M(c, 2))\n  }");
    line("  $_ done\n}");
  }

  void turns() {
    line("graph turn(who : Player) {\n  me = who\n  turn1 = later(turn1)\n  if turn1 == T(8) {\n    end()\n  }");
    changes(1);
    if (c_.coin(40)) line("  if " + condition() + " {\n    goals[me] = 100\n    goals[other[me]] = 0\n    end()\n  }");
    if (c_.coin(20)) line("  player = random\n  num = Num(*)\n  $$ num\n  player = keeper");
    const bool hidden = c_.coin(20);
    line("  player = " + c_.one_of({"who", "me"}));
    if (hidden) line("  visible[other[me]] = 0");
    line("  branch {\n    first()\n  } or {\n    $ other\n    second()\n  } or {\n    $ pass\n  }");
    line(hidden ? "  visible[other[me]] = 1\n  player = keeper\n}" : "  player = keeper\n}");
    line("graph rules() {\n  loop {\n    turn(" + player() + ")\n    turn(" + c_.one_of({"other[me]", "other(me)"}) +
         ")\n  }\n}");
  }

  Choices& c_;
  std::string out_;
  std::size_t width_ = 2, height_ = 2, top_ = 2;
  bool many_ = false, reach_ = false;
};

}  // namespace

std::string random_wide_hrg(Choices& choices) { return WideHrg(choices).game(); }

}  // namespace rgtrans::test
