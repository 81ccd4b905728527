// Sites are drawn where the graph has them, under their labels. Cells of a grid of squares or hexagons touch; those of
// other boards, vertices and edges are points, with lines between neighbours.
#include "frontends/ludii/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>

namespace rgtrans::ludii {

namespace {

double distance(const Vector& a, const Vector& b) { return std::hypot(a.x - b.x, a.y - b.y); }

class Drawing {
 public:
  Drawing(const Equipment& equipment, ir::Game& game)
      : e_(equipment),
        t_(*equipment.topology),
        g_(game),
        words_(game.words == nullptr ? std::make_shared<ir::Words>() : std::make_shared<ir::Words>(*game.words)) {}

  void run() {
    const std::vector<Topology::Site>& sites = t_.sites(e_.use);
    const double unit = spacing();
    for (int site = 0; site < e_.board_size(); ++site) {
      const Vector& at = sites[nth(site)].at;
      words_->places[symbol(site)] = {at.x / unit, -at.y / unit};
    }
    words_->shape = shape();
    if (words_->shape == ir::CellShape::point) add_lines();
    name_sites();
    name_pieces();
    hide_variables();
    words_->joint = '-';
    g_.words = words_;
  }

 private:
  // Numbers are symbols, for sites and for components.
  [[nodiscard]] SymbolId symbol(int number) const { return g_.symbols.find(std::to_string(number)); }

  [[nodiscard]] Sites neighbours(int site) const {
    const Sites sides = t_.neighbours(e_.use, site, Direction::orthogonal);
    return sides.empty() ? t_.neighbours(e_.use, site, Direction::adjacent) : sides;
  }

  // The least distance of neighbours.
  [[nodiscard]] double spacing() const {
    double least = 0;
    for (int site = 0; site < e_.board_size(); ++site) {
      for (const int next : neighbours(site)) {
        const double d = distance(t_.site(e_.use, site).at, t_.site(e_.use, next).at);
        if (d > 1e-6 && (least == 0 || d < least)) least = d;
      }
    }
    return least == 0 ? 1 : least;
  }

  // Squares have four corners and stand upright; hexagons have six, the rows of which are level.
  [[nodiscard]] ir::CellShape shape() const {
    if (e_.use != SiteType::cell) return ir::CellShape::point;
    const auto all_have = [&](std::size_t corners) {
      return std::ranges::all_of(t_.graph().faces,
                                 [&](const Graph::Face& face) { return face.vertices.size() == corners; });
    };
    const auto level = [&](int site, int next) {
      const Vector &a = t_.site(e_.use, site).at, &b = t_.site(e_.use, next).at;
      return std::abs(a.y - b.y) < 0.01 * distance(a, b);
    };
    const auto upright = [&](int site, int next) {
      const Vector &a = t_.site(e_.use, site).at, &b = t_.site(e_.use, next).at;
      return std::abs(a.x - b.x) < 0.01 * distance(a, b);
    };
    bool straight = true, has_level = false;
    for (int site = 0; site < e_.board_size(); ++site) {
      for (const int next : neighbours(site)) {
        straight = straight && (level(site, next) || upright(site, next));
        has_level = has_level || level(site, next);
      }
    }
    if (straight && all_have(4)) return ir::CellShape::square;
    if (has_level && all_have(6)) return ir::CellShape::hexagon;
    return ir::CellShape::point;
  }

  void add_lines() {
    if (e_.use == SiteType::vertex) {
      for (const Graph::Edge& edge : t_.graph().edges) words_->lines.emplace_back(symbol(edge.a), symbol(edge.b));
      return;
    }
    for (int site = 0; site < e_.board_size(); ++site) {
      for (const int next : neighbours(site)) {
        if (site < next) words_->lines.emplace_back(symbol(site), symbol(next));
      }
    }
  }

  void name_sites() {
    std::set<std::string> labels;
    for (const Topology::Site& site : t_.sites(e_.use)) {
      // A label that two sites share names neither.
      if (site.label.empty() || !labels.insert(site.label).second) return;
    }
    for (int site = 0; site < e_.board_size(); ++site) words_->texts[symbol(site)] = t_.site(e_.use, site).label;
  }

  void name_pieces() {
    words_->pieces[symbol(0)] = "empty";
    for (std::size_t i = 0; i < e_.components.size(); ++i) {
      const Component& one = e_.components[i];
      std::string name = one.base;
      std::ranges::replace(name, ' ', '_');
      const bool owned = one.owner >= 1 && one.owner <= e_.player_count();
      words_->pieces[symbol(static_cast<int>(i) + 1)] = owned ? fmt::format("{}(P{})", name, one.owner) : name;
    }
  }

  // The board, the scores and a limit that stops a play are the position; other variables are auxiliary.
  void hide_variables() {
    for (const ir::Variable& variable : g_.variables()) {
      const std::string_view name = g_.symbols.text(variable.name);
      if (!g_.is_arrow(g_.resolve(variable.type)) && !name.starts_with("score") && name != "limit_reached")
        words_->asides.insert(variable.name);
    }
  }

  const Equipment& e_;
  const Topology& t_;
  ir::Game& g_;
  std::shared_ptr<ir::Words> words_;
};

}  // namespace

void add_drawing(const Equipment& equipment, ir::Game& game) { Drawing(equipment, game).run(); }

}  // namespace rgtrans::ludii
