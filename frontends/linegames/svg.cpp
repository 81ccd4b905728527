// The drawing: first lines (arcs around circles), then points, then pieces; a king has a ring. Every point shows its
// name as a tooltip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/support/text.hpp"
#include "frontends/linegames/line_game.hpp"

namespace rgtrans::linegames {
namespace {

constexpr double kUnit = 48;  // between adjacent points
constexpr double kMargin = 32;
constexpr double kRadius = 15;  // radius of a piece

class Drawing {
 public:
  explicit Drawing(const LineGame& game) : game_(game) {
    for (const Board::Point& p : game.board.points()) {
      low_ = {std::min(low_.x, p.place.x), std::min(low_.y, p.place.y)};
      high_ = {std::max(high_.x, p.place.x), std::max(high_.y, p.place.y)};
    }
  }

  std::string run() {
    const double width = (high_.x - low_.x) * kUnit + 2 * kMargin;
    const double height = (high_.y - low_.y) * kUnit + 2 * kMargin;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\">\n",
        width, height);
    put("<title>{}</title>\n", xml_escaped(game_.name));
    put("<rect width=\"100%\" height=\"100%\" fill=\"#f3ead7\"/>\n");
    put("<g stroke=\"#5b4636\" stroke-width=\"2\" fill=\"none\">\n");
    for (std::uint32_t id = 0; id < game_.board.points().size(); ++id) edges(id);
    put("</g>\n");
    for (const Board::Point& point : game_.board.points()) draw(point);
    put("</svg>\n");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  [[nodiscard]] Place on_paper(Place p) const {
    return {(p.x - low_.x) * kUnit + kMargin, (p.y - low_.y) * kUnit + kMargin};
  }

  void edges(std::uint32_t id) {
    const auto& points = game_.board.points();
    for (const Direction d :
         {Direction::north, Direction::northeast, Direction::east, Direction::southeast, Direction::right}) {
      const std::uint32_t to = points[id].next[static_cast<std::size_t>(d)];
      if (to == kNone) continue;
      const Place a = on_paper(points[id].place);
      const Place b = on_paper(points[to].place);
      if (d == Direction::right && game_.board.kind() == Board::Kind::circle) {
        const double radius = std::hypot(points[id].place.x, points[id].place.y) * kUnit;
        put("<path d=\"M{:.1f} {:.1f}A{:.1f} {:.1f} 0 0 1 {:.1f} {:.1f}\"/>\n", a.x, a.y, radius, radius, b.x, b.y);
      } else {
        put("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", a.x, a.y, b.x, b.y);
      }
    }
  }

  void draw(const Board::Point& point) {
    const Place at = on_paper(point.place);
    const auto piece = game_.setup.pieces().find(point.name);
    put("<g><title>{}</title>", point.name);
    if (piece == game_.setup.pieces().end()) {
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#5b4636\"/>", at.x, at.y);
    } else {
      const bool white = piece->second.owner == Player::white;
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"#222\" stroke-width=\"2\"/>", at.x, at.y,
          kRadius, white ? "#fff" : "#333");
      if (piece->second.king) {
        put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"none\" stroke=\"#c8a02a\" stroke-width=\"3\"/>", at.x,
            at.y, kRadius / 2);
      }
    }
    put("</g>\n");
  }

  const LineGame& game_;
  Place low_, high_;
  std::string out_;
};

}  // namespace

std::string LineGame::svg() const { return Drawing(*this).run(); }

}  // namespace rgtrans::linegames
