#include "frontends/rbg/board/boards.hpp"

#include <fmt/format.h>

#include <span>

namespace rgtrans::rbg {

namespace {

// Numbers the vertices in the order of the cells; holes get no number.
std::vector<std::uint32_t> number_cells(const BoardCells& layout, std::size_t& count) {
  std::vector<std::uint32_t> numbers(layout.cells.size(), kNone);
  count = 0;
  for (std::size_t i = 0; i < layout.cells.size(); ++i) {
    if (layout.cells[i].piece != kNone) numbers[i] = static_cast<std::uint32_t>(count++);
  }
  return numbers;
}

std::optional<ShapeError> prepare(const BoardCells& layout, Description& description, BoardShape shape,
                                  std::size_t count) {
  description.shape = shape;
  if (count == 0) return ShapeError{layout.rows.front().where, "the board has no vertex"};
  if (count * description.labels.size() > kMaxBoardEdges) {
    return ShapeError{layout.rows.front().where, fmt::format("the board has more than {} edges", kMaxBoardEdges),
                      kMaxBoardEdges.advice()};
  }
  description.board.reserve(count);
  description.neighbours.assign(count * description.labels.size(), kNone);
  return std::nullopt;
}

// Adds the vertex of the cell at position `x` of row `y`.
Vertex& add_vertex(Description& description, const BoardCells::Cell& cell, const std::string& name, std::int64_t x,
                   std::int64_t y) {
  Vertex& vertex = description.board.emplace_back();
  vertex = {description.symbols.intern(name), cell.piece, cell.where};
  vertex.x = static_cast<double>(x);
  vertex.y = static_cast<double>(y);
  vertex.column = static_cast<std::uint32_t>(x);
  vertex.row = static_cast<std::uint32_t>(y);
  return vertex;
}

// Rows of equal length in layers of equal height. A rectangle is a single layer, and the names of its cells omit the
// layer.
std::optional<ShapeError> make_box(const BoardCells& layout, std::span<const BoardCells::Layer> layers,
                                   BoardShape shape, Description& description) {
  const std::uint32_t height = layers.front().count;
  const std::uint32_t width = layout.rows.front().count;
  for (const BoardCells::Layer& layer : layers) {
    if (layer.count != height) {
      return ShapeError{layer.where, fmt::format("this layer has {} rows, the first one has {}", layer.count, height)};
    }
  }
  for (const BoardCells::Row& row : layout.rows) {
    if (row.count != width) {
      return ShapeError{row.where, fmt::format("this row has {} cells, the first one has {}", row.count, width)};
    }
  }
  std::size_t count = 0;
  const auto numbers = number_cells(layout, count);
  if (auto error = prepare(layout, description, shape, count)) return error;
  const auto depth = static_cast<std::int64_t>(layers.size());
  const auto cell = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const BoardCells::Layer& layer = layers[static_cast<std::size_t>(z)];
    return layout.rows[layer.first + static_cast<std::size_t>(y)].first + static_cast<std::size_t>(x);
  };
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const bool outside = x < 0 || y < 0 || z < 0 || x >= width || y >= height || z >= depth;
    return outside ? kNone : numbers[cell(x, y, z)];
  };
  const bool flat = shape == BoardShape::rectangle;
  for (std::int64_t z = 0; z < depth; ++z) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const std::uint32_t vertex = at(x, y, z);
        if (vertex == kNone) continue;
        const std::string name = flat ? fmt::format("rx{}y{}", x, y) : fmt::format("cx{}y{}z{}", x, y, z);
        Vertex& made = add_vertex(description, layout.cells[cell(x, y, z)], name, x, y);
        made.x += static_cast<double>(z * (width + 1));  // draws layers next to each other
        made.layer = static_cast<std::uint32_t>(z);
        const std::uint32_t targets[] = {at(x, y - 1, z), at(x, y + 1, z), at(x - 1, y, z),
                                         at(x + 1, y, z), at(x, y, z + 1), at(x, y, z - 1)};
        for (std::size_t label = 0; label < (flat ? 4 : 6); ++label)
          description.neighbours[label * count + vertex] = targets[label];
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ShapeError> make_rectangle(const BoardCells& layout, Description& description) {
  const BoardCells::Layer all{0, static_cast<std::uint32_t>(layout.rows.size()), {}};
  return make_box(layout, std::span(&all, 1), BoardShape::rectangle, description);
}

std::optional<ShapeError> make_cuboid(const BoardCells& layout, Description& description) {
  return make_box(layout, layout.layers, BoardShape::cuboid, description);
}

std::optional<ShapeError> make_hexagon(const BoardCells& layout, Description& description) {
  std::size_t peak = 0;
  for (std::size_t y = 0; y < layout.rows.size(); ++y) {
    const std::uint32_t length = layout.rows[y].count;
    if (length == 0) return ShapeError{layout.rows[y].where, "a row of a hexagon needs at least one cell"};
    if (y == 0) continue;
    const std::uint32_t before = layout.rows[y - 1].count;
    const bool still_growing = peak == y - 1;
    if (length == before + 1 && still_growing) {
      peak = y;
    } else if (length + 1 != before) {
      return ShapeError{layout.rows[y].where,
                        fmt::format("this row has {} cells after one of {}; rows of a hexagon first grow by one cell a "
                                    "row and then shrink by one",
                                    length, before)};
    }
  }
  std::size_t count = 0;
  const auto numbers = number_cells(layout, count);
  if (auto error = prepare(layout, description, BoardShape::hexagon, count)) return error;
  auto at = [&](std::int64_t x, std::int64_t y) {
    if (x < 0 || y < 0 || y >= static_cast<std::int64_t>(layout.rows.size())) return kNone;
    const BoardCells::Row& row = layout.rows[static_cast<std::size_t>(y)];
    return x < row.count ? numbers[row.first + static_cast<std::size_t>(x)] : kNone;
  };
  for (std::size_t row = 0; row < layout.rows.size(); ++row) {
    const auto y = static_cast<std::int64_t>(row);
    const std::int64_t up = row > peak ? 1 : 0;    // the row above is longer
    const std::int64_t down = row < peak ? 1 : 0;  // the row below is longer
    for (std::int64_t x = 0; x < layout.rows[row].count; ++x) {
      const std::uint32_t vertex = at(x, y);
      if (vertex == kNone) continue;
      add_vertex(description, layout.cells[layout.rows[row].first + static_cast<std::size_t>(x)],
                 fmt::format("hx{}y{}", x, y), x, y)
          .x -= layout.rows[row].count / 2.0;
      const std::uint32_t targets[] = {at(x - 1 + up, y - 1), at(x + up, y - 1),       at(x + 1, y),
                                       at(x + down, y + 1),   at(x - 1 + down, y + 1), at(x - 1, y)};
      for (std::size_t label = 0; label < 6; ++label) description.neighbours[label * count + vertex] = targets[label];
    }
  }
  return std::nullopt;
}

}  // namespace rgtrans::rbg
