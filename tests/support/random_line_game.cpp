// Random definitions of line games: every kind of board, with triangles, points and lines added and taken away, and
// every rule. A few contradict themselves and are refused.
#include <fmt/format.h>

#include "tests/support/random_game.hpp"

namespace rgtrans::test {

namespace {

class LineGameDefinition {
 public:
  explicit LineGameDefinition(Choices& c) : c_(c) {}

  std::string text() {
    const std::string board = this->board(), pieces = this->pieces();
    return fmt::format("{{\"name\": \"random\", \"board\": {{{}}}, \"pieces\": [{}], \"rules\": {{{}}}}}\n", board,
                       pieces, rules());
  }

 private:
  std::string board() {
    std::string text;
    switch (c_.below(4)) {
      case 0:
        width_ = 3 + 2 * static_cast<int>(c_.below(2));
        height_ = 3;
        text = fmt::format(R"("kind": "alquerque", "width": {}, "height": {})", width_, height_);
        break;
      case 1:
        width_ = c_.pick(2, 4);
        height_ = c_.pick(3, 4);
        text = fmt::format(R"("kind": "grid", "width": {}, "height": {})", width_, height_);
        break;
      case 2:
        width_ = 3;
        height_ = 5;
        text = R"("kind": "square_with_diagonals", "squares_x": 1, "squares_y": 2)";
        break;
      default:
        circle_ = true;
        spokes_ = 4 + 2 * static_cast<int>(c_.below(3));
        return fmt::format(R"("kind": "circle", "spokes": {}, "rings": {})", spokes_, c_.pick(1, 3));
    }
    if (width_ % 2 == 1 && height_ < 5 && c_.chance(3))
      text += fmt::format(R"(, "triangles": [{{"side": "south", "rows": {}}}])", c_.pick(1, 2));
    if (c_.chance(4))
      text += fmt::format(R"(, "points": [{{"name": "islet", "edges": {{"west": "cy0x{}"}}}}])", width_ - 1);
    return text;
  }

  std::string pieces() {
    if (circle_) {
      return c_.chance(3)
                 ? std::string(R"({"player": "white", "points": ["cy1x0", "cy1x1"]},
        {"player": "black", "points": ["cy1x2", "cy1x3"], "king": true})")
                 : fmt::format(R"({{"player": "white", "spokes": [0, 1]}}, {{"player": "black", "spokes": [2, 3]}})");
    }
    std::string text = c_.chance(4) && height_ % 2 == 1 && width_ % 2 == 1
                           ? R"({"halves": {"north": "black", "middle_row": "west-north"}})"
                           : R"({"player": "black", "rows": {"first": 1}}, {"player": "white", "rows": {"last": 1}})";
    kings_ = c_.chance(4);
    if (kings_)
      text += R"(, {"player": ")" + c_.one_of({"white", "black"}) +
              R"(", "points": ["cy0x0"], "king": true, "replace": true})";
    if (c_.chance(6)) text += R"(, {"clear": ["cy0x0"]})";
    return text;
  }

  std::string points() {
    return fmt::format(R"({{"white": ["cy0x0"], "black": ["cy{}x0"]}})", circle_ ? 1 : height_ - 1);
  }

  void say(std::string& text, const char* rule, const std::string& value) {
    text += fmt::format(", \"{}\": \"{}\"", rule, value);
  }

  std::string rules() {
    const std::string captures = c_.one_of({"optional", "mandatory", "optional", "mandatory", "none"});
    std::string text = fmt::format(R"("captures": "{}", "max_turns": {})", captures, c_.pick(4, 20));
    if (captures != "none" && c_.coin(80)) say(text, "sequence", c_.one_of({"single", "whole", "stepwise"}));
    bool kings = kings_;
    if (c_.chance(3)) {
      kings = true;
      if (circle_ || c_.chance(3))
        text += R"(, "promotion": )" + points();
      else
        say(text, "promotion", "far-row");
    }
    if (c_.chance(3)) say(text, "flying", kings && c_.coin(70) ? "kings" : "all");
    if (c_.chance(4)) text += R"(, "goals": )" + points();
    if (c_.chance(4)) text += fmt::format(R"(, "stagnation": {})", c_.pick(2, 6));
    if (c_.chance(4)) text += R"(, "min_pieces": 1)";
    if (!circle_ && c_.chance(3)) say(text, "steps", c_.one_of({"forward", "not-backward"}));
    if (!circle_ && captures != "none" && c_.chance(4)) say(text, "jumps", c_.one_of({"forward", "not-backward"}));
    if (c_.chance(4)) say(text, "on_limit", "draw");
    if (c_.chance(4)) say(text, "no_move", c_.one_of({"draw", "win"}));
    return text;
  }

  Choices& c_;
  int width_ = 3, height_ = 3, spokes_ = 4;
  bool circle_ = false, kings_ = false;
};

}  // namespace

std::string random_line_game(Choices& choices) { return LineGameDefinition(choices).text(); }

}  // namespace rgtrans::test
