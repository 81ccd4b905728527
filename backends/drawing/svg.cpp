// The picture. Its style is a few classes, so that pages can mark what changed.
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

class Picture {
 public:
  explicit Picture(const Drawing& drawing) : drawing_(drawing) {}

  std::string run() {
    const int width = rounded(std::ceil(drawing_.width)) + 2 * kBorder;
    const int height = rounded(std::ceil(drawing_.height)) + 2 * kBorder;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rgt\" width=\"{}\" height=\"{}\" viewBox=\"{} {} {} {}\">",
        width, height, -kBorder, -kBorder, width, height);
    out_ += kStyle;
    add("<rect class=\"b\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", -kBorder, -kBorder, width, height);
    for (const Frame& frame : drawing_.frames) write(frame);
    for (const Arrow& arrow : drawing_.arrows) write(arrow);
    for (const Box& box : drawing_.boxes) write(box);
    return out_ + "</svg>\n";
  }

 private:
  static constexpr int kBorder = 4;

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Arguments>(arguments)...);
  }

  void write(const Frame& frame) {
    if (frame.title.empty() || frame.width == 0) return;
    add("<g class=\"f\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text x=\"{}\" "
        "y=\"{}\">{}</text></g>",
        rounded(frame.place.x), rounded(frame.place.y), rounded(frame.width), rounded(frame.height),
        rounded(frame.place.x + 8), rounded(frame.place.y + 15), xml_escaped(frame.title));
  }

  void write(const Arrow& arrow) {
    if (arrow.points.empty()) return;
    add("<g{}><path d=\"M{} {}", arrow.edge.valid() ? " class=\"e\"" : "", rounded(arrow.points[0].x),
        rounded(arrow.points[0].y));
    for (std::size_t i = 1; i + 2 < arrow.points.size(); i += 3) {
      const Point* p = &arrow.points[i];
      add("C{} {} {} {} {} {}", rounded(p[0].x), rounded(p[0].y), rounded(p[1].x), rounded(p[1].y), rounded(p[2].x),
          rounded(p[2].y));
    }
    out_ += "\"/>";
    write_head(arrow.points);
    out_ += "</g>";
  }

  // A triangle at the end, in the direction from the last point that lies apart from it.
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
    const Point back{tip.x - dx * kLong, tip.y - dy * kLong};
    add("<path class=\"h\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}Z\"/>", tip.x, tip.y, back.x - dy * kHalf,
        back.y + dx * kHalf, back.x + dy * kHalf, back.y - dx * kHalf);
  }

  void write(const Box& box) {
    const char* look = box.stub          ? "n s"
                       : box.terminal    ? "n t"
                       : box.look.unique ? "n u"
                       : box.look.repeat ? "n r"
                                         : "n";
    const int x = rounded(box.place.x);
    const int y = rounded(box.place.y);
    add("<g class=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}/>",
        box.kind == Box::Kind::node ? look : "c", x, y, rounded(box.width), rounded(box.height),
        box.kind == Box::Kind::node ? 8 : 3,
        box.look.index > 1 ? fmt::format(" stroke-width=\"{}\"", box.look.index) : std::string());
    if (box.kind == Box::Kind::node) {
      add("<text x=\"{}\" y=\"{}\">{}</text></g>", rounded(box.place.x + box.width / 2), y + 13,
          xml_escaped(box.lines[0].text));
      return;
    }
    std::size_t longest = 0;
    for (const Line& line : box.lines) longest = std::max(longest, line.node.size());
    const int gutter = longest == 0 ? 0 : rounded(static_cast<double>(longest) * 6.7 + 8);
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
      const Line& line = box.lines[i];
      const int at = y + 15 + static_cast<int>(i) * 15;
      if (!line.node.empty()) add("<text class=\"g\" x=\"{}\" y=\"{}\">{}</text>", x + 7, at, xml_escaped(line.node));
      add("<text class=\"e\" x=\"{}\" y=\"{}\">{}{}</text>", x + 7 + gutter, at, xml_escaped(line.text),
          line.cut ? "<title>" + xml_escaped(line.whole) + "</title>" : "");
    }
    out_ += "</g>";
  }

  const Drawing& drawing_;
  std::string out_;
};

}  // namespace

std::string svg(const Drawing& drawing) { return Picture(drawing).run(); }

}  // namespace rgtrans::drawing
