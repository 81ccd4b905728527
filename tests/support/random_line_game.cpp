// Random definitions of line games: every kind of board with added and removed triangles, points and lines, and every
// rule. A few are contradictory and refused.
#include <fmt/format.h>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class LineGameDefinition {
 public:
  explicit LineGameDefinition(Choices& c) : c_(c) {}

  std::string text() {
    const std::string board = this->board(), pieces = this->pieces();
    return fmt::format("{{\"name\": \"random\", {}\"board\": {{{}}}, \"pieces\": [{}], \"rules\": {{{}}}}}\n",
                       c_.chance(6) ? "\"title\": \"A random game\", " : "", board, pieces, rules());
  }

 private:
  std::string board() {
    std::string text;
    const bool large = c_.chance(16), huge = c_.chance(60);
    switch (c_.below(6)) {
      case 0:
        width_ = huge ? 17 : large ? 9 : 3 + 2 * static_cast<int>(c_.below(2));
        height_ = huge ? 17 : large ? 9 : 3;
        text = fmt::format(R"("kind": "alquerque", "width": {}, "height": {})", width_, height_);
        break;
      case 1:
        width_ = huge ? 17 : large ? 9 : c_.pick(2, 4);
        height_ = huge ? 17 : large ? 9 : c_.pick(3, 4);
        text = fmt::format(R"("kind": "grid", "width": {}, "height": {})", width_, height_);
        break;
      case 2:
        width_ = large ? 11 : 3;
        height_ = large ? 11 : 5;
        text = fmt::format(R"("kind": "square_with_diagonals", "squares_x": {}, "squares_y": {})", width_ / 2,
                           height_ / 2);
        break;
      case 3:
        named_ = true;
        return custom();
      case 4:
        named_ = triangles_ = true;
        return R"("kind": "point", "triangles": [{"side": "north", "rows": 1}, {"side": "south", "rows": )" +
               std::to_string(c_.pick(1, 2)) +
               R"(}], "points": [{"name": "a", "edges": {"east": "cy0x0"}, "at": [-1, 0]}, )" +
               R"({"name": "b", "edges": {"west": "cy0x0"}, "at": [1, 0.5]}])";
      default:
        named_ = circle_ = true;
        spokes_ = 4 + 2 * static_cast<int>(c_.below(3));
        return fmt::format(R"("kind": "circle", "spokes": {}, "rings": {})", spokes_,
                           huge    ? 33
                           : large ? 10
                                   : c_.pick(1, 3));
    }
    if (height_ > 3 && c_.chance(5)) text += R"(, "remove": ["cy2x0"])";
    if (c_.chance(6))
      text += fmt::format(R"(, "lines": [{{"from": "cy0x0", "to": "cy{}x0", "direction": "right"}}])", height_ - 1);
    if (width_ % 2 == 1 && height_ < 5 && c_.chance(3))
      text += fmt::format(R"(, "triangles": [{{"side": "south", "rows": {}{}}}])", c_.pick(1, 2),
                          c_.chance(2) ? fmt::format(R"(, "root": "cy{}x{}")", height_ - 1, width_ / 2) : "");
    if (c_.chance(4))
      text += fmt::format(R"(, "points": [{{"name": "islet", "edges": {{"west": "cy0x{}"}}}}])", width_ - 1);
    return text;
  }

  // A row of points, and a row that crosses it.
  std::string custom() {
    const int length = c_.pick(4, 6);
    std::string points, lines;
    for (int i = 0; i < length + 3; ++i) points += fmt::format(R"({}{{"name": "p{}"}})", i == 0 ? "" : ", ", i);
    const auto join = [&](int from, int to, const std::string& direction) {
      lines += fmt::format(R"({}{{"from": "p{}", "to": "p{}", "direction": "{}"}})", lines.empty() ? "" : ", ", from,
                           to, direction);
    };
    for (int i = 0; i + 1 < length; ++i) join(i, i + 1, "east");
    join(length, 1, "south");
    join(1, length + 1, "south");
    join(length + 1, length + 2, c_.one_of({"south", "southeast"}));
    if (c_.chance(2)) join(length - 1, 0, "right");
    return fmt::format(R"("kind": "custom", {}"points": [{}], "lines": [{}])",
                       c_.chance(2) ? R"("directions": ["south", "east"], )" : "", points, lines);
  }

  std::string pieces() {
    if (triangles_) {
      kings_ = c_.chance(3);
      return R"({"player": "white", "triangle": "south"}, {"player": "black", "triangle": "north"}, )" +
             fmt::format(R"({{"player": "white", "points": ["a"], "king": {}}})", kings_);
    }
    if (named_ && !circle_) {
      kings_ = c_.chance(3);
      return R"({"player": "white", "points": ["p0", "p1"]}, {"player": "black", "points": ["p3"], "king": )" +
             fmt::format("{}}}", kings_) + (c_.chance(3) ? R"(, {"clear": "p1"})" : "");
    }
    if (circle_) {
      kings_ = c_.chance(3);
      return kings_
                 ? std::string(R"({"player": "white", "points": ["cy1x0", "cy1x1"]},
        {"player": "black", "points": ["cy1x2", "cy1x3"], "king": true})")
                 : fmt::format(R"({{"player": "white", "spokes": [0, 1]}}, {{"player": "black", "spokes": [2, 3]}})");
    }
    std::string text = c_.chance(4) && height_ % 2 == 1 && width_ % 2 == 1
                           ? R"({"halves": {"north": "black", "middle_row": ")" +
                                 c_.one_of({"west-north", "east-north", "empty"}) + "\"}}"
                           : R"({"player": "black", "rows": {"first": 1}}, {"player": "white", "rows": {"last": 1}})";
    kings_ = c_.chance(4);
    if (kings_)
      text += R"(, {"player": ")" + c_.one_of({"white", "black"}) +
              R"(", "points": ["cy0x0"], "king": true, "replace": true})";
    if (c_.chance(6)) text += R"(, {"clear": ["cy0x0"]})";
    return text;
  }

  std::string points() {
    if (triangles_) return R"({"white": ["b"], "black": ["a"]})";
    if (named_ && !circle_) return R"({"white": ["p3"], "black": ["p0", "p1"]})";
    return fmt::format(R"({{"white": ["cy0x0"], "black": ["cy{}x0"]}})", circle_ ? 1 : height_ - 1);
  }

  void say(std::string& text, const char* rule, const std::string& value) {
    text += fmt::format(", \"{}\": \"{}\"", rule, value);
  }

  std::string rules() {
    const std::string captures = c_.one_of({"optional", "mandatory", "optional", "mandatory", "none"});
    std::string text = fmt::format(R"("captures": "{}")", captures);
    const bool counted = c_.coin(85);
    if (counted) text += fmt::format(R"(, "max_turns": {})", c_.chance(20) ? 300 : c_.pick(4, 20));
    if (captures != "none" && c_.coin(80)) say(text, "sequence", c_.one_of({"single", "whole", "stepwise"}));
    bool kings = kings_;
    if (c_.chance(3)) {
      kings = true;
      if (named_ || c_.chance(3))
        text += R"(, "promotion": )" + points();
      else
        say(text, "promotion", "far-row");
    }
    if (c_.chance(3)) say(text, "flying", kings ? c_.one_of({"kings", "all"}) : "all");
    if (c_.chance(4)) text += R"(, "goals": )" + points();
    if (!counted || c_.chance(4)) text += fmt::format(R"(, "stagnation": {})", c_.pick(2, 6));
    if (c_.chance(4)) say(text, "first", "black");
    if (c_.chance(5)) text += R"(, "scores": [3, 1, 0])";
    if (!kings && text.find("flying") == std::string::npos && c_.chance(6)) say(text, "compat", "published");
    if (c_.chance(4)) text += R"(, "min_pieces": 1)";
    if (!named_ && c_.chance(3)) say(text, "steps", c_.one_of({"forward", "not-backward"}));
    if (!named_ && captures != "none" && c_.chance(4)) say(text, "jumps", c_.one_of({"forward", "not-backward"}));
    if (c_.chance(4)) say(text, "on_limit", "draw");
    if (c_.chance(4)) say(text, "no_move", c_.one_of({"draw", "win"}));
    return text;
  }

  Choices& c_;
  int width_ = 3, height_ = 3, spokes_ = 4;
  bool circle_ = false, named_ = false, triangles_ = false, kings_ = false;  // named: the board has no rows
};

}  // namespace

std::string random_line_game(Choices& choices) { return LineGameDefinition(choices).text(); }

}  // namespace rgtrans::test
