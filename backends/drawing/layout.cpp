// Positions in layers, by the method of Sugiyama, Tagawa and Toda, for each frame separately. Arrows that close a cycle
// are reversed. Every box is placed one layer below its last predecessor, and an arrow across several layers has a bend
// in each of them. Boxes and bends of a layer are ordered by the mean position of their neighbours. Finally they move
// as close to their neighbours as this order allows (isotonic regression by pooling). Arrows run straight through
// layers and turn between them, so they touch no box.
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/topological_sort.hpp>

#include "backends/drawing/drawing.hpp"

namespace rgtrans::drawing {

namespace {

constexpr double kBetweenBoxes = 26;
constexpr double kBetweenBends = 12;
constexpr double kBetweenLayers = 30;
constexpr double kMargin = 16;
constexpr double kTitle = 20;
constexpr int kOrderSweeps = 16;
constexpr int kPlaceSweeps = 24;

// The layout of one frame. Vertices are its boxes, followed by the bends.
class Layers {
 public:
  Layers(Drawing& drawing, std::uint32_t frame) : drawing_(drawing) {
    local_.assign(drawing.boxes.size(), kNone);
    for (std::uint32_t box = 0; box < drawing.boxes.size(); ++box) {
      if (drawing.boxes[box].frame != frame) continue;
      local_[box] = static_cast<std::uint32_t>(boxes_.size());
      boxes_.push_back(box);
      width_.push_back(drawing.boxes[box].width);
    }
    for (std::uint32_t arrow = 0; arrow < drawing.arrows.size(); ++arrow) {
      const Arrow& a = drawing.arrows[arrow];
      if (local_[a.from] != kNone && a.from != a.to) routes_.push_back({arrow, false, {}});
    }
  }

  // Returns width and height. Boxes and arrows get positions relative to the origin.
  Point run() {
    if (boxes_.empty()) return {};
    turn_round();
    find_layers();
    add_bends();
    find_order();
    find_columns();
    return place();
  }

 private:
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                      boost::property<boost::edge_index_t, std::size_t>>;

  struct Route {
    std::uint32_t arrow;
    bool turned;
    std::vector<std::uint32_t> stops;  // vertices from the upper to the lower box
  };

  std::uint32_t upper(const Route& r) const {
    const Arrow& a = drawing_.arrows[r.arrow];
    return local_[r.turned ? a.to : a.from];
  }
  std::uint32_t lower(const Route& r) const {
    const Arrow& a = drawing_.arrows[r.arrow];
    return local_[r.turned ? a.from : a.to];
  }

  Graph graph() const {
    Graph graph(boxes_.size());
    for (std::size_t i = 0; i < routes_.size(); ++i) boost::add_edge(upper(routes_[i]), lower(routes_[i]), i, graph);
    return graph;
  }

  void turn_round() {
    struct Circles : boost::default_dfs_visitor {
      std::vector<bool>* closes;
      void back_edge(Graph::edge_descriptor edge, const Graph& g) { (*closes)[get(boost::edge_index, g, edge)] = true; }
    };
    std::vector<bool> closes(routes_.size());
    Circles circles;
    circles.closes = &closes;
    boost::depth_first_search(graph(), boost::visitor(circles));
    for (std::size_t i = 0; i < routes_.size(); ++i) routes_[i].turned = closes[i];
  }

  void find_layers() {
    std::vector<Graph::vertex_descriptor> order;
    const Graph g = graph();
    boost::topological_sort(g, std::back_inserter(order));
    std::vector<std::vector<std::uint32_t>> below(boxes_.size());
    for (const Route& route : routes_) below[upper(route)].push_back(lower(route));
    layer_.assign(boxes_.size(), 0);
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      for (const std::uint32_t next : below[*it]) layer_[next] = std::max(layer_[next], layer_[*it] + 1);
    }
  }

  void add_bends() {
    for (Route& route : routes_) {
      const std::uint32_t from = upper(route);
      const std::uint32_t to = lower(route);
      route.stops.push_back(from);
      for (std::uint32_t layer = layer_[from] + 1; layer < layer_[to]; ++layer) {
        route.stops.push_back(static_cast<std::uint32_t>(layer_.size()));
        layer_.push_back(layer);
        width_.push_back(0);
      }
      route.stops.push_back(to);
    }
    above_.resize(layer_.size());
    below_.resize(layer_.size());
    for (const Route& route : routes_) {
      for (std::size_t i = 1; i < route.stops.size(); ++i) {
        below_[route.stops[i - 1]].push_back(route.stops[i]);
        above_[route.stops[i]].push_back(route.stops[i - 1]);
      }
    }
    rows_.resize(*std::ranges::max_element(layer_) + 1);
    for (std::uint32_t v = 0; v < layer_.size(); ++v) rows_[layer_[v]].push_back(v);
  }

  void number(const std::vector<std::uint32_t>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) position_[row[i]] = static_cast<double>(i);
  }

  void sort_by(std::vector<std::uint32_t>& row, const std::vector<std::vector<std::uint32_t>>& neighbours) {
    std::vector<std::pair<double, std::uint32_t>> keys;
    for (const std::uint32_t v : row) {
      double sum = 0;
      for (const std::uint32_t n : neighbours[v]) sum += position_[n];
      const auto count = static_cast<double>(neighbours[v].size());
      keys.emplace_back(count == 0 ? position_[v] : sum / count, v);
    }
    std::ranges::stable_sort(keys, {}, &std::pair<double, std::uint32_t>::first);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = keys[i].second;
    number(row);
  }

  // The number of crossings between consecutive rows.
  std::size_t crossings() const {
    std::size_t total = 0;
    for (std::size_t r = 0; r + 1 < rows_.size(); ++r) {
      std::vector<std::size_t> counts(rows_[r + 1].size() + 1);  // a Fenwick tree over the lower ends so far
      std::size_t seen = 0;
      for (const std::uint32_t v : rows_[r]) {
        std::vector<std::size_t> ends;
        for (const std::uint32_t n : below_[v]) ends.push_back(static_cast<std::size_t>(position_[n]) + 1);
        for (const std::size_t end : ends) {
          std::size_t before = 0;
          for (std::size_t i = end; i > 0; i &= i - 1) before += counts[i];
          total += seen - before;
        }
        for (const std::size_t end : ends) {
          for (std::size_t i = end; i < counts.size(); i += i & (~i + 1)) ++counts[i];
          ++seen;
        }
      }
    }
    return total;
  }

  void find_order() {
    position_.assign(layer_.size(), 0);
    for (const auto& row : rows_) number(row);
    auto best = rows_;
    std::size_t fewest = crossings();
    for (int sweep = 0; sweep < kOrderSweeps && fewest > 0; ++sweep) {
      if (sweep % 2 == 0) {
        for (std::size_t r = 1; r < rows_.size(); ++r) sort_by(rows_[r], above_);
      } else {
        for (std::size_t r = rows_.size() - 1; r-- > 0;) sort_by(rows_[r], below_);
      }
      if (const std::size_t now = crossings(); now < fewest) {
        fewest = now;
        best = rows_;
      }
    }
    rows_ = std::move(best);
  }

  bool bend(std::uint32_t v) const { return v >= boxes_.size(); }
  double gap(std::uint32_t left, std::uint32_t right) const {
    return (width_[left] + width_[right]) / 2 + (bend(left) || bend(right) ? kBetweenBends : kBetweenBoxes);
  }

  // Moves the members of a row to their wanted positions by least squares, within their order and gaps (pooling).
  void settle_row(const std::vector<std::uint32_t>& row, const std::vector<double>& wanted,
                  const std::vector<double>& weight) {
    struct Pool {
      double sum, weight;
      std::size_t count;
      double at() const { return sum / weight; }
    };
    std::vector<double> offset(row.size());
    for (std::size_t i = 1; i < row.size(); ++i) offset[i] = offset[i - 1] + gap(row[i - 1], row[i]);
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < row.size(); ++i) {
      pools.push_back({(wanted[i] - offset[i]) * weight[i], weight[i], 1});
      while (pools.size() > 1 && pools[pools.size() - 2].at() >= pools.back().at()) {
        const Pool last = pools.back();
        pools.pop_back();
        pools.back().sum += last.sum;
        pools.back().weight += last.weight;
        pools.back().count += last.count;
      }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools) {
      for (std::size_t k = 0; k < pool.count; ++k, ++i) position_[row[i]] = pool.at() + offset[i];
    }
  }

  void find_columns() {
    for (const auto& row : rows_) {
      double x = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        x += i == 0 ? 0 : gap(row[i - 1], row[i]);
        position_[row[i]] = x;
      }
    }
    for (int sweep = 0; sweep < kPlaceSweeps; ++sweep) {
      const bool down = sweep % 2 == 0;
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        const auto& row = rows_[down ? k : rows_.size() - 1 - k];
        std::vector<double> wanted;
        std::vector<double> weight;
        for (const std::uint32_t v : row) {
          double sum = 0;
          double total = 0;
          auto look = [&](const std::vector<std::uint32_t>& neighbours, double factor) {
            for (const std::uint32_t n : neighbours) {
              const double pull = factor * (bend(v) && bend(n) ? 8 : 1);  // keeps long arrows straight
              sum += pull * position_[n];
              total += pull;
            }
          };
          look(above_[v], down ? 1 : 0.3);
          look(below_[v], down ? 0.3 : 1);
          wanted.push_back(total == 0 ? position_[v] : sum / total);
          weight.push_back(std::max(total, 0.1));
        }
        settle_row(row, wanted, weight);
      }
    }
  }

  Point place() {
    double left = 0;
    double right = 0;
    for (std::uint32_t v = 0; v < layer_.size(); ++v) {
      const double half = width_[v] / 2;
      left = v == 0 ? position_[v] - half : std::min(left, position_[v] - half);
      right = v == 0 ? position_[v] + half : std::max(right, position_[v] + half);
    }
    std::vector<double> top;
    std::vector<double> bottom;
    double y = 0;
    for (const auto& row : rows_) {
      double height = 0;
      for (const std::uint32_t v : row) {
        if (!bend(v)) height = std::max(height, drawing_.boxes[boxes_[v]].height);
      }
      top.push_back(y);
      bottom.push_back(y + height);
      y += height + kBetweenLayers;
    }
    for (std::uint32_t v = 0; v < boxes_.size(); ++v) {
      Box& box = drawing_.boxes[boxes_[v]];
      box.place = {position_[v] - left - box.width / 2, top[layer_[v]]};
    }
    spread_ends();
    for (Route& route : routes_) draw(route, left, top, bottom);
    return {right - left, bottom.back()};
  }

  // Spreads the ends of arrows along each box, in the order of their other ends.
  void spread_ends() {
    start_.assign(routes_.size(), 0);
    end_.assign(routes_.size(), 0);
    auto spread = [&](bool upper_end) {
      std::vector<std::vector<std::size_t>> at(boxes_.size());
      for (std::size_t i = 0; i < routes_.size(); ++i)
        at[upper_end ? upper(routes_[i]) : lower(routes_[i])].push_back(i);
      for (std::uint32_t v = 0; v < boxes_.size(); ++v) {
        auto& list = at[v];
        auto towards = [&](std::size_t i) {
          const auto& stops = routes_[i].stops;
          return position_[upper_end ? stops[1] : stops[stops.size() - 2]];
        };
        std::ranges::stable_sort(list, {}, towards);
        const double room = width_[v] * 0.7;
        const double step = std::min(14.0, room / static_cast<double>(list.size()));
        for (std::size_t k = 0; k < list.size(); ++k) {
          const double middle = (static_cast<double>(list.size()) - 1) / 2;
          (upper_end ? start_ : end_)[list[k]] = position_[v] + (static_cast<double>(k) - middle) * step;
        }
      }
    };
    spread(true);
    spread(false);
  }

  void draw(Route& route, double left, const std::vector<double>& top, const std::vector<double>& bottom) {
    const auto index = static_cast<std::size_t>(&route - routes_.data());
    const Box& first = drawing_.boxes[boxes_[route.stops.front()]];
    std::vector<Point> points;
    auto straight = [&](Point to) {
      const Point from = points.back();
      points.insert(points.end(), {from, to, to});
    };
    auto curve = [&](Point to) {
      const Point from = points.back();
      const double half = (to.y - from.y) * 0.55;
      points.insert(points.end(), {{from.x, from.y + half}, {to.x, to.y - half}, to});
    };
    const double start = start_[index] - left;
    points.push_back({start, first.place.y + first.height});
    const double edge = bottom[layer_[route.stops.front()]];
    if (edge > points.back().y) straight({start, edge});
    for (std::size_t i = 1; i + 1 < route.stops.size(); ++i) {
      const std::uint32_t v = route.stops[i];
      const double x = position_[v] - left;
      curve({x, top[layer_[v]]});
      straight({x, bottom[layer_[v]]});
    }
    curve({end_[index] - left, top[layer_[route.stops.back()]]});
    if (route.turned) std::ranges::reverse(points);
    drawing_.arrows[route.arrow].points = std::move(points);
  }

  Drawing& drawing_;
  std::vector<std::uint32_t> local_;  // by box: its vertex
  std::vector<std::uint32_t> boxes_;  // by vertex: its box
  std::vector<Route> routes_;
  std::vector<double> width_;         // by vertex
  std::vector<std::uint32_t> layer_;  // by vertex
  std::vector<std::vector<std::uint32_t>> above_, below_;
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<double> position_;  // by vertex: its center
  std::vector<double> start_, end_;
};

void move_by(Drawing& drawing, std::uint32_t frame, Point by) {
  for (Box& box : drawing.boxes) {
    if (box.frame != frame) continue;
    box.place.x += by.x;
    box.place.y += by.y;
  }
  for (Arrow& arrow : drawing.arrows) {
    if (drawing.boxes[arrow.from].frame != frame) continue;
    for (Point& point : arrow.points) {
      point.x += by.x;
      point.y += by.y;
    }
  }
}

// An arrow from a box to itself.
void draw_loop(const Box& box, Arrow& arrow) {
  const Point start{box.place.x + box.width, box.place.y + box.height * 0.3};
  const Point end{start.x, box.place.y + box.height * 0.7};
  arrow.points = {start, {start.x + 24, start.y - 8}, {start.x + 24, end.y + 8}, end};
}

}  // namespace

void lay_out(Drawing& drawing) {
  std::vector<Point> sizes;
  for (std::uint32_t f = 0; f < drawing.frames.size(); ++f) sizes.push_back(Layers(drawing, f).run());

  // Places the main automaton on the left and the other frames in columns of the same height next to it.
  double column = kMargin;
  double next_column = kMargin;
  double y = kMargin;
  const double room = std::max(sizes.empty() ? 0 : sizes[0].y, 400.0) + kMargin;
  for (std::uint32_t f = 0; f < drawing.frames.size(); ++f) {
    Frame& frame = drawing.frames[f];
    if (sizes[f].x == 0) continue;
    const bool border = f > 0;
    const double head = border ? kTitle + kMargin / 2 : 0;
    frame.width =
        std::max(sizes[f].x + (border ? 2 * kMargin : 0), static_cast<double>(frame.title.size()) * 7 + kMargin);
    frame.height = sizes[f].y + head + (border ? kMargin : 0);
    if (f == 1 || (y > kMargin && y + frame.height > room)) {
      column = next_column;
      y = kMargin;
    }
    frame.place = {column, y};
    move_by(drawing, f, {column + (border ? (frame.width - sizes[f].x) / 2 : 0), y + head});
    y += frame.height + kMargin;
    next_column = std::max(next_column, column + frame.width + 2 * kMargin);
    drawing.width = std::max(drawing.width, column + frame.width + kMargin);
    drawing.height = std::max(drawing.height, y);
  }
  for (Arrow& arrow : drawing.arrows) {
    if (arrow.from == arrow.to) draw_loop(drawing.boxes[arrow.from], arrow);
  }
}

}  // namespace rgtrans::drawing
