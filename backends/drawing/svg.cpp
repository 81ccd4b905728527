// Writes the SVG text. Styles are a few classes, so that pages can mark changes.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "backends/drawing/drawing.hpp"
#include "core/support/text.hpp"

namespace rgtrans::drawing {

namespace {

int rounded(double x) { return static_cast<int>(std::lround(x)); }

constexpr std::string_view kStyle =
    "<style>.rgt text{font:11px 'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,monospace;fill:#1d2733;white-space:pre}"
    ".rgt rect{fill:#fff;stroke:#8a97a6}.rgt .n rect{fill:#eef2f7}.rgt .n text{text-anchor:middle;fill:#41536b}"
    ".rgt .s rect{fill:#fff;stroke-dasharray:3 2}.rgt rect.b{stroke:none}.rgt .t rect{fill:#ffd978;stroke:#a57c12}.rgt "
    ".r rect{fill:#fff3b0}.rgt .u rect{fill:#d6ebff}"
    ".rgt .g{fill:#9aa7b5}.rgt .f rect{fill:#fafbfd;stroke:#b8c2cf;stroke-dasharray:5 4}.rgt .f text{fill:#5b6b7f}"
    ".rgt path{fill:none;stroke:#6d7b8c}.rgt path.h{fill:#6d7b8c;stroke:none}</style>";

std::string_view side_of(WhichHalf side) {
  return side == WhichHalf::both ? "" : side == WhichHalf::before ? " a" : " b";
}

class Picture {
 public:
  explicit Picture(const Drawing& drawing) : drawing_(drawing) {}

  Fragments run() {
    for (const Frame& frame : drawing_.frames) write(frame);
    for (const Arrow& arrow : drawing_.arrows) write(arrow);
    for (const Box& box : drawing_.boxes) write(box);
    return {rounded(std::ceil(drawing_.width)) + 2 * kBorder, rounded(std::ceil(drawing_.height)) + 2 * kBorder,
            kBorder, std::move(list_)};
  }

 private:
  static constexpr int kBorder = 4;

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Arguments>(arguments)...);
  }
  void end(Point place) {
    out_ += "</g>";
    list_.push_back({rounded(place.x), rounded(place.y), std::move(out_)});
    out_.clear();
  }

  void write(const Frame& frame) {
    if (frame.title.empty() || frame.width == 0) return;
    add("<g class=\"f\"><rect width=\"{}\" height=\"{}\" rx=\"6\"/><text x=\"8\" y=\"15\">{}</text>",
        rounded(frame.width), rounded(frame.height), xml_escaped(frame.title));
    end(frame.place);
  }

  void write(const Arrow& arrow) {
    if (arrow.points.empty()) return;
    const Point start = arrow.points[0];
    const auto x = [&](Point p) { return rounded(p.x) - rounded(start.x); };
    const auto y = [&](Point p) { return rounded(p.y) - rounded(start.y); };
    add("<g class=\"{}{}{}\"><path d=\"M0 0", arrow.edge.valid() ? "e" : "w", side_of(arrow.side),
        arrow.changed ? " x" : "");
    for (std::size_t i = 1; i + 2 < arrow.points.size(); i += 3) {
      const Point* p = &arrow.points[i];
      add("C{} {} {} {} {} {}", x(p[0]), y(p[0]), x(p[1]), y(p[1]), x(p[2]), y(p[2]));
    }
    out_ += "\"/>";
    write_head(arrow.points);
    end(start);
  }

  // A triangle at the tip, in the direction from the last distinct point.
  void write_head(const std::vector<Point>& points) {
    const Point tip = points.back();
    double dx = 0;
    double dy = 1;
    for (auto it = points.rbegin(); it != points.rend(); ++it) {
      const double length = std::hypot(tip.x - it->x, tip.y - it->y);
      if (length < 1) continue;
      dx = (tip.x - it->x) / length;
      dy = (tip.y - it->y) / length;
      break;
    }
    constexpr double kLong = 7;
    constexpr double kHalf = 3;
    const Point at{rounded(tip.x) - std::round(points[0].x), rounded(tip.y) - std::round(points[0].y)};
    const Point back{at.x - dx * kLong, at.y - dy * kLong};
    add("<path class=\"h\" d=\"M{} {}L{:.1f} {:.1f} {:.1f} {:.1f}Z\"/>", at.x, at.y, back.x - dy * kHalf,
        back.y + dx * kHalf, back.x + dy * kHalf, back.y - dx * kHalf);
  }

  void write(const Box& box) {
    const char* look = box.kind == Box::Kind::chain ? "c"
                       : box.stub                   ? "n s"
                       : box.terminal               ? "n t"
                       : box.look.unique            ? "n u"
                       : box.look.repeat            ? "n r"
                                                    : "n";
    add("<g class=\"{}{}\"><rect width=\"{}\" height=\"{}\" rx=\"{}\"{}/>", look, side_of(box.side), rounded(box.width),
        rounded(box.height), box.kind == Box::Kind::node ? 8 : 3,
        box.look.index > 1 ? fmt::format(" stroke-width=\"{}\"", box.look.index) : std::string());
    if (box.kind == Box::Kind::node) {
      add("<text x=\"{}\" y=\"13\">{}</text>", rounded(box.width / 2), xml_escaped(box.lines[0].text));
    } else {
      write_lines(box.lines);
    }
    end(box.place);
  }

  void write_lines(const std::vector<LabelLine>& lines) {
    std::size_t longest = 0;
    for (const LabelLine& line : lines) longest = std::max(longest, line.node.size());
    const int gutter = longest == 0 ? 0 : rounded(static_cast<double>(longest) * 6.7 + 8);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const LabelLine& line = lines[i];
      const int at = 15 + static_cast<int>(i) * 15;
      if (!line.node.empty()) add("<text class=\"g\" x=\"7\" y=\"{}\">{}</text>", at, xml_escaped(line.node));
      add("<text class=\"e{}\" x=\"{}\" y=\"{}\">{}{}</text>", line.changed ? " x" : "", 7 + gutter, at,
          xml_escaped(line.text), line.cut ? "<title>" + xml_escaped(line.whole) + "</title>" : "");
    }
  }

  const Drawing& drawing_;
  std::string out_;
  std::vector<Fragment> list_;
};

}  // namespace

Fragments fragments(const Drawing& drawing) { return Picture(drawing).run(); }

std::string svg(const Drawing& drawing) {
  const Fragments all = fragments(drawing);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rgt\" width=\"{0}\" height=\"{1}\" viewBox=\"{2} {2} {0} "
      "{1}\">{3}"
      "<rect class=\"b\" x=\"{2}\" y=\"{2}\" width=\"{0}\" height=\"{1}\"/>",
      all.width, all.height, -all.border, kStyle);
  for (const Fragment& piece : all.list) {
    // The text after "<g".
    fmt::format_to(std::back_inserter(out), "<g transform=\"translate({} {})\"{}", piece.x, piece.y,
                   std::string_view(piece.text).substr(2));
  }
  return out + "</svg>\n";
}

}  // namespace rgtrans::drawing
