// Boards drawn as text. A map is a board when its keys name the squares of a grid, whatever the notation: two numbers
// (V__3_4, "3 4"), a letter and a number (b7), or two digits (v34); or when it has two small index types.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "backends/play/play.hpp"

namespace rgtrans::play {

namespace {

constexpr std::size_t kMaxSide = 40;
constexpr std::size_t kMaxCellWidth = 8;

struct Square {
  std::string prefix;
  std::size_t x = 0, y = 0;
};

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The last two numbers of a key, or its last letter and number, or its last two digits.
std::optional<Square> square(const std::string& key) {
  std::vector<std::pair<std::size_t, std::size_t>> numbers;  // begin, end
  for (std::size_t i = 0; i < key.size();) {
    std::size_t end = i;
    while (end < key.size() && digit(key[end])) ++end;
    if (end > i) numbers.emplace_back(i, end);
    i = std::max(end, i + 1);
  }
  if (numbers.empty() || numbers.back().second != key.size()) return std::nullopt;
  const auto value = [&](std::pair<std::size_t, std::size_t> n) -> std::size_t {
    return n.second - n.first > 6 ? kMaxSide * 1000 : std::stoul(key.substr(n.first, n.second - n.first));
  };
  if (numbers.size() >= 2) {
    const auto& x = numbers[numbers.size() - 2];
    return Square{key.substr(0, x.first), value(x), value(numbers.back())};
  }
  const auto last = numbers.back();
  if (last.second - last.first == 2 && (last.first == 0 || key.size() > 2)) {
    return Square{key.substr(0, last.first), std::size_t(key[last.first] - '0'),
                  std::size_t(key[last.first + 1] - '0')};
  }
  if (last.first == 0) return std::nullopt;
  const char letter = key[last.first - 1];
  if (!std::islower(static_cast<unsigned char>(letter)) || last.first > 1) return std::nullopt;
  return Square{"", std::size_t(letter - 'a'), value(last)};
}

struct Grid {
  std::map<std::pair<std::size_t, std::size_t>, std::string> cells;  // (row, column)
  std::vector<std::string> row_names, column_names;
};

std::string cut(const std::string& text, std::size_t width) { return text.substr(0, width); }

std::string draw(const std::string& name, const Grid& grid) {
  std::map<std::string, std::size_t> uses;
  for (const auto& [at, value] : grid.cells) ++uses[value];
  std::string common;
  for (const auto& [value, count] : uses) {
    if (common.empty() || count > uses[common]) common = value;
  }
  std::size_t width = 1;
  for (const auto& [value, count] : uses) {
    if (value != common) width = std::max(width, std::min(value.size(), kMaxCellWidth));
  }
  std::size_t margin = 0;
  for (const std::string& row : grid.row_names) margin = std::max(margin, row.size());
  for (const std::string& column : grid.column_names) width = std::max(width, std::min(column.size(), kMaxCellWidth));
  std::string out = fmt::format("{} (. is {})\n", name, common);
  for (std::size_t row = 0; row < grid.row_names.size(); ++row) {
    std::string line = fmt::format("  {:>{}} ", grid.row_names[row], margin);
    for (std::size_t column = 0; column < grid.column_names.size(); ++column) {
      const auto it = grid.cells.find({row, column});
      const std::string shown = it == grid.cells.end() ? "" : it->second == common ? "." : cut(it->second, width);
      line += fmt::format(" {:<{}}", shown, width);
    }
    while (line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  std::string line = fmt::format("  {:>{}} ", "", margin);
  for (const std::string& column : grid.column_names) line += fmt::format(" {:<{}}", cut(column, width), width);
  while (line.back() == ' ') line.pop_back();
  return out + line + "\n";
}

std::optional<Grid> grid_of_squares(const VariableView& variable) {
  std::map<std::string, std::size_t> prefixes;
  std::vector<std::pair<Square, const VariableView::Cell*>> squares;
  for (const VariableView::Cell& cell : variable.cells) {
    const auto at = square(cell.keys[0]);
    if (!at || at->x >= 1000 || at->y >= 1000) continue;
    squares.emplace_back(*at, &cell);
    ++prefixes[at->prefix];
  }
  // All but a few (an off-board square, for instance) must be of one kind.
  if (squares.size() < 4 || squares.size() + 2 < variable.cells.size() || prefixes.size() != 1) return std::nullopt;
  std::map<std::size_t, std::size_t> columns;
  std::map<std::size_t, std::size_t> rows;
  for (const auto& [at, cell] : squares) {
    columns[at.x] = 0;
    rows[at.y] = 0;
  }
  if (columns.size() > kMaxSide || rows.size() > kMaxSide || columns.size() < 2 || rows.size() < 2) return std::nullopt;
  if (squares.size() * 3 < columns.size() * rows.size()) return std::nullopt;
  const bool letters =
      std::islower(static_cast<unsigned char>(variable.cells[0].keys[0][0])) != 0 && prefixes.begin()->first.empty();
  Grid grid;
  for (auto& [x, index] : columns) {
    index = grid.column_names.size();
    grid.column_names.push_back(letters ? std::string(1, static_cast<char>('a' + x)) : std::to_string(x));
  }
  // The first row at the bottom, as on a chess board.
  for (auto it = rows.rbegin(); it != rows.rend(); ++it) {
    it->second = grid.row_names.size();
    grid.row_names.push_back(std::to_string(it->first));
  }
  for (const auto& [at, cell] : squares) grid.cells[{rows[at.y], columns[at.x]}] = cell->value;
  return grid;
}

std::optional<Grid> grid_of_indices(const VariableView& variable) {
  Grid grid;
  std::map<std::string, std::size_t> columns;
  std::map<std::string, std::size_t> rows;
  for (const VariableView::Cell& cell : variable.cells) {
    const auto [column, new_column] = columns.try_emplace(cell.keys[0], columns.size());
    if (new_column) grid.column_names.push_back(cell.keys[0]);
    const auto [row, new_row] = rows.try_emplace(cell.keys[1], rows.size());
    if (new_row) grid.row_names.push_back(cell.keys[1]);
    if (columns.size() > kMaxSide || rows.size() > kMaxSide) return std::nullopt;
    grid.cells[{row->second, column->second}] = cell.value;
  }
  if (columns.size() < 2 || rows.size() < 2) return std::nullopt;
  Grid turned = grid;
  std::ranges::reverse(turned.row_names);
  turned.cells.clear();
  for (const auto& [at, value] : grid.cells) turned.cells[{grid.row_names.size() - 1 - at.first, at.second}] = value;
  return turned;
}

}  // namespace

std::string picture(std::span<const VariableView> variables) {
  std::string boards;
  std::string rest;
  for (const VariableView& variable : variables) {
    if (!variable.alive) continue;
    std::optional<Grid> grid;
    if (!variable.cells.empty()) {
      const std::size_t levels = variable.cells.front().keys.size();
      if (levels == 1) grid = grid_of_squares(variable);
      if (levels == 2) grid = grid_of_indices(variable);
    }
    if (grid) {
      boards += draw(variable.name, *grid);
    } else {
      rest += fmt::format("{}: {}\n", variable.name, variable.value);
    }
  }
  return boards + rest;
}

}  // namespace rgtrans::play
