// Random Ludii: placements, steps, slides, hops and leaps on small boards of several tilings, with defines, options and
// all forms of ends. Most descriptions are translated; some ask for a direction that the board does not have.
#include <fmt/format.h>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class Generator {
 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  std::string game() {
    std::string text = c_.chance(5) ? "// a random game\n" : "";
    if (c_.chance(3)) {
      free_ = "\"IsFree\"";
      text += "(define \"IsFree\" (is Empty (to)))\n";
    }
    if (c_.chance(3)) {
      then_ = "(\"After\" (last To))";
      text += "(define \"After\" (then (if (is In #1 (sites Top)) (moveAgain))))\n";
    }
    const bool option = c_.chance(5);
    placing_ = c_.chance(3);
    kings_ = !placing_ && c_.chance(3);
    text += "(game \"Random\"\n (players " + players() + ")\n (equipment {\n  (board " +
            (option ? "<Board>" : board()) + ")\n  (piece \"Man\" Each" + (placing_ ? "" : " " + moves()) + ")\n";
    if (kings_) text += "  (piece \"King\" Each " + moves() + ")\n";
    text += "  (regions P1 (sites Top)) (regions P2 (sites Bottom))\n })\n (rules\n";
    if (!placing_ || c_.chance(4)) text += "  " + start() + "\n";
    text += "  (play " + play() + ")\n  (end {";
    for (std::size_t i = 1 + c_.below(2); i > 0; --i) text += "\n   (if " + condition(2) + " " + result() + ")";
    text += "\n   (if (no Moves Next) " + result() + ")\n  })))\n";
    if (option) {
      text += fmt::format(
          "(option \"Board Size\" <Board> args:{{ <b> }} {{ (item \"A\" <{}> \"\")* (item \"B\" <{}> "
          "\"\") }})\n(rulesets {{ (ruleset \"Ruleset/Small\" {{ \"Board Size/A\" }}) }})\n",
          board(), board());
    }
    return text;
  }

 private:
  std::string number(std::size_t from, std::size_t to) { return std::to_string(from + c_.below(to - from + 1)); }

  std::string players() { return c_.chance(2) ? "2" : "{(player N) (player S)}"; }

  std::string board() {
    switch (c_.below(9)) {
      case 0:
        return fmt::format("(rectangle {} {})", number(3, 4), number(2, 4));
      case 1:
        return fmt::format("(hex {})", number(2, 3));
      case 2:
        return fmt::format("(hex Diamond {})", number(2, 4));
      case 3:
        return fmt::format("(tri {}) use:Vertex", number(3, 4));
      case 4:
        return fmt::format("(square {} diagonals:Alternating) use:Vertex", number(3, 4));
      case 5:
        return fmt::format("(concentric Square rings:2) use:Vertex");
      case 6:
        return "(merge (rectangle 2 3) (shift 1 1 (rectangle 2 3)))";
      default:
        return fmt::format("(square {})", number(3, 5));
    }
  }

  std::string start() {
    std::string text = "(start {(place \"Man1\" " + c_.one_of({"(sites Bottom)", "(sites {0 1})", "0"}) +
                       ") (place \"Man2\" " + c_.one_of({"(sites Top)", "(sites {2 3})", "3"}) + ")";
    if (kings_) text += " (place \"King1\" 0) (place \"King2\" 2)";
    return text + "})";
  }

  std::string directions() { return c_.one_of({"", "", " Adjacent", " Orthogonal", " All"}); }
  std::string then() { return then_.empty() || c_.chance(2) ? "" : " " + then_; }

  // A target that is free, or holds an enemy that is captured.
  std::string to() {
    if (c_.chance(2)) return "(to if:" + free_ + ")";
    return c_.one_of({"(to if:(not (is Friend (who at:(to)))) (apply (remove (to))))",
                      "(to if:(is Enemy (who at:(to))) (apply (remove (to))))"});
  }

  std::string hop(const std::string& from = "") {
    return "(move Hop" + from + directions() +
           " (between if:" + c_.one_of({"(is Enemy (who at:(between)))", "(is Occupied (between))"}) +
           c_.one_of({" (apply (remove (between)))", " (apply (remove (between)))", ""}) + ") (to if:" + free_ + ")" +
           then() + ")";
  }
  std::string move() {
    switch (c_.below(6)) {
      case 0:
        return "(move Slide" + directions() + " " + to() + then() + ")";
      case 1:
        return hop();
      case 2:
        return "(move Leap " + c_.one_of({"{{F F R F} {F F L F}}", "{{F F}}", "{{F R F}}"}) + " " + to() + then() + ")";
      default:
        return "(move Step" + directions() + " " + to() + then() + ")";
    }
  }
  std::string moves() { return c_.chance(3) ? "(or " + move() + " " + move() + ")" : move(); }

  std::string play() {
    const std::string each =
        kings_ && c_.chance(3) ? "(or (forEach Piece \"King\") (forEach Piece \"Man\"))" : "(forEach Piece)";
    if (placing_) {
      const std::string where = c_.one_of({"(sites Empty)", "(difference (sites Empty) (sites Top))",
                                           "(forEach (sites Empty) if:(is Even (site)))",
                                           "(intersection (sites Empty) (union (sites Bottom) (sites Top)))"});
      std::string add = "(move Add (to " + where + ")" + then() + ")";
      if (c_.chance(4)) add = "(or " + add + " (move Remove (sites Occupied by:Next)))";
      return c_.chance(5) ? "(if (is Mover P1) " + add + " (move Add (to (sites Empty))))" : add;
    }
    switch (c_.below(5)) {
      case 0:
        return "(priority {(forEach Piece " + hop() + ") " + each + "})";
      case 1:
        return "(if (can Move (forEach Piece " + hop() + ")) " + each + " (forEach Piece (move Step (to if:" + free_ +
               "))))";
      default:
        return each;
    }
  }

  std::string condition(int depth) {
    if (depth > 0 && c_.chance(3)) {
      if (c_.chance(5)) return "(not " + condition(depth - 1) + ")";
      return "(and " + condition(depth - 1) + " " +
             c_.one_of({"(is Mover P1)", "(is Mover P2)", condition(depth - 1)}) + ")";
    }
    switch (c_.below(9)) {
      case 0:
        return "(is In (last To) (sites " + c_.one_of({"Mover", "Next", "Top", "Corners"}) + "))";
      case 1:
        return "(no Pieces " + c_.one_of({"Next", "Mover", "Enemy"}) + ")";
      case 2:
        return "(or " + condition(0) + " " + condition(0) + ")";
      case 3:
        return "(all Sites (sites " + c_.one_of({"Bottom", "Corners"}) + ") if:(is " +
               c_.one_of({"Occupied", "Empty"}) + " (site)))";
      case 4:
        return "(" + c_.one_of({"=", "!=", "<", ">="}) + " (last To) " + number(0, 3) + ")";
      case 5:
        return "(= (what at:(last To)) (id \"Man\" Mover))";
      default:
        return "(is Line 3" + c_.one_of({"", " exact:True", " Orthogonal"}) + ")";
    }
  }
  std::string result() {
    return "(result " + c_.one_of({"Mover Win", "Mover Loss", "Next Win", "P1 Win", "Mover Draw"}) + ")";
  }

  Choices& c_;
  bool placing_ = false, kings_ = false;
  std::string free_ = "(is Empty (to))", then_;
};

}  // namespace

std::string random_ludii(Choices& choices) { return Generator(choices).game(); }

}  // namespace rgtrans::test
