// Draws a scene as one SVG image. Chess and draughts get a chequered board. Stones on large odd boards are on crossings
// of lines, as in go. Hexagons are hexagons, and points are joined by their lines. Every cell has its name as a
// tooltip.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "backends/scene/blueprint.hpp"
#include "backends/scene/bounds.hpp"
#include "backends/scene/picture.hpp"
#include "core/support/text.hpp"

namespace rgtrans::scene {

namespace {

constexpr double kUnit = 48;
constexpr double kMargin = 34;
constexpr double kLetter = 8;         // wide
constexpr double kGap = 24;           // between boards
constexpr double kWidth = 1100;       // of a row of boards
constexpr double kRowHeight = 0.866;  // of hexagons

struct Colours {
  std::string fill, line;
};

// By the player's name if it is a colour, else by number.
Colours colours(const Scene& scene, std::optional<std::size_t> owner) {
  static const std::map<std::string, Colours, std::less<>> kNamed = {
      {"white", {"#fdfdf8", "#333"}},   {"black", {"#2b2b2b", "#000"}},     {"red", {"#c8372d", "#7c1a13"}},
      {"blue", {"#2f62b5", "#173766"}}, {"yellow", {"#f0c330", "#8d6f0b"}}, {"green", {"#3b8f4d", "#1c5229"}}};
  static const Colours kByNumber[] = {{"#f3f0e4", "#333"},    {"#39424e", "#111"},    {"#b3543c", "#5e2416"},
                                      {"#4a7d9c", "#1f4358"}, {"#7a9448", "#3c4d1c"}, {"#8c6aa0", "#46305a"}};
  if (!owner) return {"#8a8378", "#4d4841"};
  if (*owner < scene.colours.size() && !scene.colours[*owner].empty()) return {scene.colours[*owner], "#333"};
  const auto it = kNamed.find(scene.players[*owner]);
  return it != kNamed.end() ? it->second : kByNumber[*owner % 6];
}

class Drawing {
 public:
  Drawing(const Scene& scene, bool flipped) : scene_(scene), flipped_(flipped) {}

  [[nodiscard]] const std::vector<std::vector<ir::Words::Place>>& places() const { return places_; }

  // At the origin.
  std::vector<std::string> pieces(Cell::Line line) {
    std::vector<std::string> pictures;
    for (const PieceLook& p : scene_.pieces) {
      out_.clear();
      if (line == Cell::Line::none) {
        piece(p, "", 0, 0);
      } else {
        stroke(p, line, 0, 0);
      }
      pictures.push_back(out_);
    }
    return pictures;
  }

  std::string faces(const std::vector<Face>& list) {
    double x = 1;
    for (const Face& face : list) x += face_at(face, x, 1) + 6;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "font-family=\"DejaVu Sans, Noto Sans, sans-serif\">{2}</svg>",
        x, kCardHigh + 2, out_);
  }

  std::string run() {
    double x = 0, y = 0, line = 0, width = 0;
    // Several boards make about a square.
    const auto most = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(scene_.boards.size()))));
    std::size_t in_row = 0;
    for (const BoardPicture& board : scene_.boards) {
      const Bounds extent = bounds(board.cells);
      const double wide = (extent.high_x - extent.low_x + 1) * kUnit + margin(board) + kMargin;
      const double high = (extent.high_y - extent.low_y) * vertical(board) + kUnit + 2 * kMargin + title(board);
      if (x > 0 && (in_row == most || x + wide > kWidth)) {
        y += line + kGap;
        x = line = 0;
        in_row = 0;
      }
      ++in_row;
      draw(board, extent, x, y);
      x += wide + kGap;
      line = std::max(line, high);
      width = std::max(width, x - kGap);
    }
    double bottom = y + line;
    bottom = captions(bottom, width);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "font-family=\"DejaVu Sans, Noto Sans, Segoe UI Symbol, sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fbf8f1\"/>\n{2}</svg>\n",
        std::max(width, 280.0), bottom + 10, out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  static double vertical(const BoardPicture& board) {
    return board.shape == ir::CellShape::hexagon ? kUnit * kRowHeight : kUnit;
  }
  // The space left of the rows, for their labels.
  static double margin(const BoardPicture& board) {
    std::size_t longest = 1;
    for (const Label& label : board.rows) longest = std::max(longest, label.text.size());
    return std::max(kMargin, 20 + static_cast<double>(longest) * kLetter);
  }
  static double title(const BoardPicture& board) { return board.title.empty() ? 0 : 22; }

  void draw(const BoardPicture& board, const Bounds& e, double left, double top) {
    const double down = vertical(board);
    const auto x = [&](double at) {
      return left + margin(board) + kUnit / 2 + ((flipped_ ? e.turned_x(at) : at) - e.low_x) * kUnit;
    };
    const auto y = [&](double at) {
      return top + title(board) + kMargin + kUnit / 2 + ((flipped_ ? e.turned_y(at) : at) - e.low_y) * down;
    };
    if (!board.title.empty()) {
      put("<text x=\"{:.0f}\" y=\"{:.0f}\" font-size=\"15\" fill=\"#333\">{}</text>\n", left + kMargin, top + 22,
          xml_escaped(board.title));
    }
    if (board.ground == Ground::triangles) {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"6\" fill=\"#ecdcb9\" "
          "stroke=\"#8a6d3f\" "
          "stroke-width=\"4\"/>\n",
          std::min(x(e.low_x), x(e.high_x)) - kUnit / 2 - 3, std::min(y(e.low_y), y(e.high_y)) - kUnit / 2 - 3,
          (e.high_x - e.low_x + 1) * kUnit + 6, (e.high_y - e.low_y + 1) * kUnit + 6);
    }
    put("<g stroke=\"#5b4636\" stroke-width=\"2\">\n");
    for (const auto& [a, b] : board.lines) {
      put("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x(board.cells[a].x), y(board.cells[a].y),
          x(board.cells[b].x), y(board.cells[b].y));
    }
    put("</g>\n");
    edges(board, e, [&](const Cell& cell) { return std::pair(x(cell.x), y(cell.y)); });
    auto& places = places_.emplace_back();
    for (const Cell& cell : board.cells) {
      places.push_back({x(cell.x), y(cell.y)});
      const bool full = cell.piece || cell.unknown || (!cell.text.empty() && board.shape != ir::CellShape::point);
      put("<g data-cell=\"{0}\" data-at=\"{2:.0f} {3:.0f}\"{1}{4}><title>{5}</title>", xml_escaped(cell.name),
          full ? " data-full=\"\"" : "", x(cell.x), y(cell.y),
          board.of.empty() ? "" : fmt::format(" data-of=\"{}\"", xml_escaped(board.of)),
          xml_escaped(cell.label.empty() ? cell.name : cell.label));
      ground(board, cell, e, x(cell.x), y(cell.y));
      if (!cell.fill.empty()) special(board, cell, x(cell.x), y(cell.y));
      if (cell.piece) put("<g data-piece=\"\">");
      what_is_there(board, cell, x(cell.x), y(cell.y));
      if (cell.piece) put("</g>");
      put("</g>\n");
    }
    if (board.ground == Ground::dots) {
      for (const Cell& cell : board.cells) {
        if (cell.line != Cell::Line::along) continue;
        for (const double end : {-0.5, 0.5}) {
          put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#4b3f33\"/>", x(cell.x + end), y(cell.y));
        }
      }
      put("\n");
    }
    put("<g font-size=\"13\" fill=\"#6b5d4d\" text-anchor=\"middle\">\n");
    for (const Label& label : board.columns) {
      if (label.across) {
        put("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x(label.at), y(*label.across) + (flipped_ ? -4 : 14),
            xml_escaped(label.text));
        continue;
      }
      put("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x(label.at),
          std::max(y(e.low_y), y(e.high_y)) + kUnit / 2 + 17, xml_escaped(label.text));
    }
    for (const Label& label : board.rows) {
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left + margin(board) - 10, y(label.at) + 5,
          xml_escaped(label.text));
    }
    put("</g>\n");
  }

  // Draws the outer sides of the board in the colours of their owners. `at` returns the middle of a cell in the
  // drawing.
  template <class At>
  void edges(const BoardPicture& board, const Bounds& e, const At& at) {
    const bool hexagons = board.shape == ir::CellShape::hexagon;
    if (board.edges.empty() || board.shape == ir::CellShape::point) return;
    struct Outside {
      double x, y;                        // the neighbour's place, from the cell
      double from_x, from_y, to_x, to_y;  // the side, in halves of a cell
    };
    constexpr double kTip = 1 / kRowHeight;  // of a hexagon, above its middle
    static const std::vector<Outside> kHexagon = {
        {-0.5, -1, -1, -kTip / 2, 0, -kTip}, {0.5, -1, 0, -kTip, 1, -kTip / 2}, {1, 0, 1, -kTip / 2, 1, kTip / 2},
        {0.5, 1, 1, kTip / 2, 0, kTip},      {-0.5, 1, 0, kTip, -1, kTip / 2},  {-1, 0, -1, kTip / 2, -1, -kTip / 2}};
    static const std::vector<Outside> kSquare = {
        {0, -1, -1, -1, 1, -1}, {1, 0, 1, -1, 1, 1}, {0, 1, 1, 1, -1, 1}, {-1, 0, -1, 1, -1, -1}};
    std::set<std::pair<long, long>> places;  // in quarters of a cell
    const auto place = [](double x, double y) { return std::pair(std::lround(4 * x), std::lround(4 * y)); };
    for (const Cell& cell : board.cells) places.insert(place(cell.x, cell.y));
    std::string rim, sides;  // a light colour is visible on light ground by its rim
    for (const Cell& cell : board.cells) {
      if (cell.line != Cell::Line::none) continue;
      for (const Outside& side : hexagons ? kHexagon : kSquare) {
        if (places.contains(place(cell.x + side.x, cell.y + side.y))) continue;
        const bool top = side.y < 0 && cell.y == e.low_y;
        const bool bottom = side.y > 0 && cell.y == e.high_y;
        const bool upper = 2 * cell.y < e.low_y + e.high_y || (2 * cell.y == e.low_y + e.high_y && side.y <= 0);
        auto owner = board.edges.find(top ? "top" : bottom ? "bottom" : side.x < 0 ? "left" : "right");
        if (owner == board.edges.end()) {
          owner = board.edges.find(upper ? (side.x < 0 ? "upper-left" : "upper-right")
                                         : (side.x < 0 ? "lower-left" : "lower-right"));
        }
        if (owner == board.edges.end()) continue;
        const auto player = std::ranges::find(scene_.players, owner->second);
        const std::string fill = player == scene_.players.end()
                                     ? owner->second
                                     : colours(scene_, static_cast<std::size_t>(player - scene_.players.begin())).fill;
        const double half = (flipped_ ? -1 : 1) * kUnit / 2;
        const auto [x, y] = at(cell);
        const std::string line = fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x + half * side.from_x,
                                             y + half * side.from_y, x + half * side.to_x, y + half * side.to_y);
        rim += line;
        sides += fmt::format("<path d=\"{}\" stroke=\"{}\"/>", line, fill);
      }
    }
    put("<g stroke-linecap=\"round\"><path d=\"{}\" stroke=\"#6b5b45\" stroke-width=\"13\"/><g "
        "stroke-width=\"10\">{}</g></g>\n",
        rim, sides);
  }

  // The point of a board of backgammon: it begins at the rim and ends before the middle.
  void triangle(const Cell& cell, const Bounds& e, double x, double y) {
    const double half = kUnit / 2;
    const bool rim = cell.y == e.low_y || cell.y == e.high_y;
    if (!rim) return;
    const bool down = (cell.y == e.low_y) != flipped_;
    const double base = down ? y - half : y + half;
    const double tip = base + (down ? 1 : -1) * kUnit * ((e.high_y - e.low_y + 1) / 2 - 0.6);
    const bool dark = (std::lround(std::floor(cell.x)) + (cell.y == e.low_y ? 1 : 0)) % 2 == 0;
    put("<path d=\"M{:.1f} {:.1f}H{:.1f}L{:.1f} {:.1f}Z\" fill=\"{}\"/>", x - half + 2, base, x + half - 2, x, tip,
        dark ? "#b07b4f" : "#d9bf94");
  }

  // Where a line can be drawn: a wide place to point at, and a thin one to see.
  void stroke_place(const Cell& cell, double x, double y) {
    const bool along = cell.line == Cell::Line::along;
    const double wide = along ? kUnit - 12 : 20;
    const double high = along ? 20 : kUnit - 12;
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"#fbf8f1\" fill-opacity=\"0.01\"/>",
        x - wide / 2, y - high / 2, wide, high);
    const double reach = kUnit / 2 - 7;
    put("<path d=\"M{:.1f} {:.1f}{}{:.1f}\" stroke=\"#cbbfa8\" stroke-width=\"1.5\" stroke-dasharray=\"2 5\"/>",
        along ? x - reach : x, along ? y : y - reach, along ? "h" : "v", 2 * reach);
  }

  void ground(const BoardPicture& board, const Cell& cell, const Bounds& e, double x, double y) {
    const double half = kUnit / 2;
    if (cell.line != Cell::Line::none) return stroke_place(cell, x, y);
    if (board.ground == Ground::dots) {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\"/>", x - 12, y - 12, 24, 24);
      return;
    }
    if (board.ground == Ground::triangles) triangle(cell, e, x, y);
    if (board.shape == ir::CellShape::hexagon) {
      put("<path d=\"M{:.1f} {:.1f}", x, y - half / kRowHeight);
      const double side = half / kRowHeight / 2;
      put("L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"#ecdcb9\" "
          "stroke=\"#a08a66\"/>",
          x + half, y - side, x + half, y + side, x, y + half / kRowHeight, x - half, y + side, x - half, y - side);
      return;
    }
    if (board.shape == ir::CellShape::point) {
      const bool pit = !cell.text.empty() && board.lines.empty();
      if (pit) put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"22\" fill=\"#d9bf94\" stroke=\"#a08a66\"/>", x, y);
      if (!board.lines.empty()) put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"#5b4636\"/>", x, y);
      return;
    }
    if (board.ground == Ground::crossings) {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"#e3bf7c\" "
          "shape-rendering=\"crispEdges\"/>",
          x - half, y - half, kUnit, kUnit);
      const auto end = [&](double at, double border) { return std::abs(at - border) < 0.1 ? 0.0 : half; };
      const double west = end(cell.x, flipped_ ? e.high_x : e.low_x), east = end(cell.x, flipped_ ? e.low_x : e.high_x);
      const double north = end(cell.y, flipped_ ? e.high_y : e.low_y);
      const double south = end(cell.y, flipped_ ? e.low_y : e.high_y);
      put("<path d=\"M{:.1f} {:.1f}H{:.1f}M{:.1f} {:.1f}V{:.1f}\" stroke=\"#6b5327\"/>", x - west, y, x + east, x,
          y - north, y + south);
      return;
    }
    const bool dark = board.ground == Ground::chequered && std::lround(cell.x - e.low_x + e.high_y - cell.y) % 2 == 0;
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\"/>", x - half, y - half,
        kUnit, kUnit,
        board.ground == Ground::sea         ? "#cfe3f1"
        : board.ground != Ground::chequered ? "#ecdcb9"
        : dark                              ? "#b58863"
                                            : "#f0dcb8",
        board.ground == Ground::chequered ? "none"
        : board.ground == Ground::sea     ? "#8fb2cb"
                                          : "#a08a66");
  }

  // A cell whose ground a hint has coloured.
  void special(const BoardPicture& board, const Cell& cell, double x, double y) {
    const bool square = board.shape == ir::CellShape::square && board.ground != Ground::crossings;
    const double half = square ? kUnit / 2 - 1 : board.shape == ir::CellShape::hexagon ? 17 : 9;
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"{}\" fill=\"{}\"/>", x - half,
        y - half, 2 * half, 2 * half, square ? 0 : half, cell.fill);
  }

  void word(double x, double y, std::string_view text, double size, std::string_view fill) {
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.0f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>", x,
        y + size * 0.36, size, fill, xml_escaped(text));
  }

  void what_is_there(const BoardPicture& board, const Cell& cell, double x, double y) {
    const double half = kUnit / 2;
    if (cell.unknown && cell.line != Cell::Line::none) {
      word(x, y, "?", 18, "#777");
      return;
    }
    if (cell.unknown) {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"#777\" fill-opacity=\"0.35\"/>",
          x - half + 1, y - half + 1, kUnit - 2, kUnit - 2);
      word(x, y, "?", 24, "#555");
      return;
    }
    if (cell.piece && cell.line != Cell::Line::none) {
      stroke(scene_.pieces[*cell.piece], cell.line, x, y);
    } else if (cell.piece) {
      piece(scene_.pieces[*cell.piece], cell.text, x, y);
    } else if (!cell.text.empty()) {
      word(x, y, cell.text, cell.text.size() > 2 ? 16 : 22, "#333");
    } else if (board.shape == ir::CellShape::point && board.lines.empty() && board.ground != Ground::triangles) {
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#d8cdb8\"/>", x, y);
    }
  }

  // A line that a player has drawn.
  void stroke(const PieceLook& p, Cell::Line line, double x, double y) {
    const double reach = kUnit / 2 - 4;
    const bool along = line == Cell::Line::along;
    const std::string fill = p.owner || !p.colour.empty() ? colours_of(p).fill : "#2f62b5";
    put("<path d=\"M{:.1f} {:.1f}{}{:.1f}\" stroke=\"{}\" stroke-width=\"6\" stroke-linecap=\"round\"/>",
        along ? x - reach : x, along ? y : y - reach, along ? "h" : "v", 2 * reach, fill);
  }

  [[nodiscard]] Colours colours_of(const PieceLook& p) const {
    return p.colour.empty() ? colours(scene_, p.owner) : Colours{p.colour, "#333"};
  }

  void piece(const PieceLook& p, const std::string& number, double x, double y) {
    static const std::map<std::string, std::string, std::less<>> kSolid = {{"♔", "♚"}, {"♕", "♛"}, {"♖", "♜"},
                                                                           {"♗", "♝"}, {"♘", "♞"}, {"♙", "♟"}};
    const Colours c = colours_of(p);
    if (p.figure) {
      const auto it = kSolid.find(p.glyph);
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"38\" text-anchor=\"middle\" fill=\"{}\" stroke=\"{}\" "
          "stroke-width=\"1.2\">{}</text>",
          x, y + 14, c.fill, c.line, it == kSolid.end() ? p.glyph : it->second);
      return;
    }
    if (p.glyph == "X") {
      put("<path d=\"M{:.1f} {:.1f}l26 26m0 -26l-26 26\" stroke=\"#b3432f\" stroke-width=\"5\" fill=\"none\"/>", x - 13,
          y - 13);
      return;
    }
    if (p.glyph == "O") {
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"14\" fill=\"none\" stroke=\"#2f5f9e\" stroke-width=\"5\"/>", x, y);
      return;
    }
    if (battle(p, x, y)) return;
    if (p.traits) return with_traits(p, x, y);
    const bool stone = p.word.empty() || p.stone;
    if (!p.owner && !stone) {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"36\" height=\"36\" rx=\"6\" fill=\"{}\"/>", x - 18, y - 18, c.fill);
      word(x, y, p.letter, p.letter.size() > 2 ? 15 : 20, "#fff");
      return;
    }
    put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"18\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>", x, y, c.fill,
        c.line);
    if (p.crowned) {
      put("<path d=\"M{:.1f} {:.1f}l-3 -13l7 5l5 -9l5 9l7 -5l-3 13z\" fill=\"#d8a520\" stroke=\"#5e460a\"/>", x - 9,
          y + 7);
    }
    const std::string text = !number.empty() ? number : stone ? "" : p.letter;
    if (!text.empty()) word(x, y, text, 18, bright(c.fill) ? "#222" : "#fff");
  }

  // Height is size, a hollow piece shows the board, and its name is small in the middle.
  void with_traits(const PieceLook& p, double x, double y) {
    const Traits& traits = *p.traits;
    const std::string fill = traits.dark ? "#5a3a22" : "#fff3cf";
    const double reach = traits.tall ? 20 : 14;
    const auto shape = [&](double radius, const std::string& inside, double line) {
      if (traits.round) {
        put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"#2b1a0c\" stroke-width=\"{}\"/>", x,
            y, radius, inside, line);
      } else {
        put("<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{2:.1f}\" fill=\"{3}\" stroke=\"#2b1a0c\" "
            "stroke-width=\"{4}\"/>",
            x - radius, y - radius, 2 * radius, inside, line);
      }
    };
    shape(reach, fill, 2);
    if (traits.hollow) shape(reach * 0.55, "#c9ad7a", 1.5);
    word(x, y, p.word, 10, traits.hollow || !traits.dark ? "#2b1a0c" : "#fff3cf");
  }

  // Ships, and shots at them.
  bool battle(const PieceLook& p, double x, double y) {
    if (p.owner) return false;
    if (p.kind == "ship") {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"44\" height=\"26\" rx=\"9\" fill=\"#5c6670\" stroke=\"#2f373f\" "
          "stroke-width=\"2\"/><circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#9aa5b0\"/>",
          x - 22, y - 13, x, y);
    } else if (p.kind == "hit") {
      put("<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"15\" fill=\"#c8372d\"/><path d=\"M{2:.1f} {3:.1f}l14 14m0 -14l-14 "
          "14\" "
          "stroke=\"#fff\" stroke-width=\"4\" fill=\"none\"/>",
          x, y, x - 7, y - 7);
    } else if (p.kind == "miss") {
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"#fff\" stroke=\"#7d97ab\" stroke-width=\"3\"/>", x, y);
    } else {
      return false;
    }
    return true;
  }

  static bool bright(const std::string& fill) {
    const int red = fill.size() == 7 ? std::stoi(fill.substr(1, 2), nullptr, 16) : 0;
    const int green = fill.size() == 7 ? std::stoi(fill.substr(3, 2), nullptr, 16) : 0;
    return red + 2 * green > 420;
  }

  // Draws dice and cards after the name of the variable that holds them.
  double faces(double y, double& width) {
    double x = kMargin;
    const double most = std::max(width, 420.0);
    for (const ShownValue& fact : scene_.facts) {
      if (fact.faces.empty()) continue;
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"14\" fill=\"#333\">{}</text>", x, y + 41,
          xml_escaped(fact.name));
      const double begin = x + static_cast<double>(fact.name.size()) * 8.5 + 10;
      x = begin;
      for (const Face& face : fact.faces) {
        if (x > begin && x + kCardWide > most) {
          y += kCardHigh;
          x = begin;
        }
        x += face_at(face, x, y + 8) + 8;
        width = std::max(width, x);
      }
      put("\n");
      x += 14;
    }
    width = std::max(width, x);
    return x > kMargin ? y + 8 + kCardHigh : y;
  }

 public:
  static constexpr double kCardHigh = 58;
  static constexpr double kCardWide = 42;

  // Returns how wide it is.
  double face_at(const Face& face, double x, double y) {
    const bool hidden = face.text == "?";
    if (face.look) {
      piece(*face.look, "", x + kCardWide / 2, y + kCardHigh / 2);
      return kCardWide;
    }
    if (face.die && !hidden) {
      die(face.text[0] - '0', x, y + (kCardHigh - kCardWide) / 2);
      return kCardWide;
    }
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"{}\" stroke=\"#555\" "
        "stroke-width=\"1.5\"/>",
        x, y, kCardWide, kCardHigh, hidden ? "#7d3b45" : "#fffdf8");
    if (hidden) {
      put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"none\" stroke=\"#e8c9a8\" "
          "stroke-dasharray=\"3 3\"/>",
          x + 5, y + 5, kCardWide - 10, kCardHigh - 10);
      word(x + kCardWide / 2, y + kCardHigh / 2, "?", 20, "#e8c9a8");
      return kCardWide;
    }
    const bool court = face.text == "jack" || face.text == "queen" || face.text == "king" || face.text == "ace";
    const std::string rank = court ? std::string(1, static_cast<char>(face.text[0] - 'a' + 'A')) : face.text;
    word(x + kCardWide / 2, y + kCardHigh / 2 - (court ? 6 : 0), rank, rank.size() > 3 ? 11 : 26, "#a3262b");
    if (court) word(x + kCardWide / 2, y + kCardHigh - 12, face.text, 10, "#555");
    return kCardWide;
  }

 private:
  void die(int number, double x, double y) {
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#fffdf8\" stroke=\"#555\" "
        "stroke-width=\"1.5\"/>",
        x, y, kCardWide, kCardWide);
    // Which of the nine places have a pip.
    static constexpr std::array<std::string_view, 6> kPips = {"....o....", "o.......o", "o...o...o",
                                                              "o.o...o.o", "o.o.o.o.o", "o.oo.oo.o"};
    for (int i = 0; i < 9; ++i) {
      if (kPips[static_cast<std::size_t>(number - 1)][static_cast<std::size_t>(i)] != 'o') continue;
      const int column = i % 3 - 1, row = i / 3 - 1;
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#2b2b2b\"/>", x + kCardWide / 2 + column * 12.0,
          y + kCardWide / 2 + row * 12.0);
    }
  }

  // The lines below the boards: the player to move, and the rest of the position.
  double captions(double y, double& width) {
    y = faces(y, width);
    std::vector<std::string> lines;
    if (!scene_.mover.empty()) lines.push_back(scene_.mover + " to move");
    for (std::size_t p = 0; p < scene_.outcome.size(); ++p) {
      lines.push_back(fmt::format("{}: {}", scene_.players[p], scene_.outcome[p]));
    }
    for (const ShownValue& fact : scene_.facts) {
      if (!fact.faces.empty()) continue;
      lines.push_back(fact.name.empty() ? fact.value : fact.name + ": " + fact.value);
    }
    for (const std::string& line : lines) {
      y += 20;
      put("<text x=\"{}\" y=\"{:.0f}\" font-size=\"14\" fill=\"#333\">{}</text>\n", kMargin, y, xml_escaped(line));
      width = std::max(width, kMargin + static_cast<double>(line.size()) * 8.5);
    }
    return y;
  }

  const Scene& scene_;
  bool flipped_;
  std::string out_;
  std::vector<std::vector<ir::Words::Place>> places_;  // by board and cell
};

}  // namespace

std::string svg(const Scene& scene, bool flipped) { return Drawing(scene, flipped).run(); }

std::string svg(const std::vector<Face>& faces) {
  const Scene nothing;
  return Drawing(nothing, false).faces(faces);
}

Sheet sheet(const Blueprint& blueprint) {
  Drawing drawing(blueprint.empty, false);
  Sheet sheet;
  sheet.svg = drawing.run();
  sheet.places = drawing.places();
  sheet.pieces = drawing.pieces(Cell::Line::none);
  sheet.strokes = {drawing.pieces(Cell::Line::along), drawing.pieces(Cell::Line::upright)};
  return sheet;
}

}  // namespace rgtrans::scene
