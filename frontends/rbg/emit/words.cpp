// Cells of a generated board are named as on a chess board: a letter for the column and the number of the row, counted
// from the bottom. The vertices of a graph have names already. If these follow the scheme of a generator (in low-level
// descriptions), the board is treated like a generated one.
#include "frontends/rbg/emit/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string>

namespace rgtrans::rbg {

namespace {

// Column names: a, …, z, aa, ab, …
std::string letters(std::uint32_t column) {
  std::string out(1, static_cast<char>('a' + column % 26));
  return column < 26 ? out : letters(column / 26 - 1) + out;
}

// Reconstructs the board's shape and the vertices' positions from the names of a low-level description.
BoardShape read_names(const Description& d, std::vector<Vertex>& board) {
  static const std::regex kName("([rhc])x([0-9]{1,6})y([0-9]{1,6})(z([0-9]{1,6}))?");
  BoardShape shape = BoardShape::graph;
  std::map<std::uint32_t, std::uint32_t> widths;  // widths of rows
  for (Vertex& vertex : board) {
    std::smatch match;
    const std::string name = d.symbols.str(vertex.name);
    if (!std::regex_match(name, match, kName)) return BoardShape::graph;
    const char kind = name.front();
    shape = kind == 'r' ? BoardShape::rectangle : kind == 'h' ? BoardShape::hexagon : BoardShape::cuboid;
    vertex.column = static_cast<std::uint32_t>(std::stoul(match[2]));
    vertex.row = static_cast<std::uint32_t>(std::stoul(match[3]));
    if (match[5].matched) vertex.layer = static_cast<std::uint32_t>(std::stoul(match[5]));
    widths[vertex.row] = std::max(widths[vertex.row], vertex.column + 1);
  }
  std::uint32_t widest = 0;
  for (const auto& [row, width] : widths) widest = std::max(widest, width);
  for (Vertex& vertex : board) {
    vertex.x = vertex.column + vertex.layer * (widest + 1.0);
    if (shape == BoardShape::hexagon) vertex.x -= widths[vertex.row] / 2.0;
    vertex.y = vertex.row;
  }
  return shape;
}

}  // namespace

void add_words(const Description& d, ir::Game& game) {
  auto words = std::make_shared<ir::Words>();
  std::vector<Vertex> board = d.board;
  const BoardShape shape = d.shape == BoardShape::graph ? read_names(d, board) : d.shape;
  const auto symbol = [&](const Vertex& vertex) { return game.symbols.find(d.symbols.str(vertex.name)); };
  if (shape == BoardShape::graph) {
    words->shape = ir::CellShape::point;
    for (std::uint32_t v = 0; v < board.size(); ++v) {
      for (std::uint32_t label = 0; label < d.labels.size(); ++label) {
        const std::uint32_t next = d.neighbour(label, v);
        if (next != kNone && next != v) words->lines.emplace_back(symbol(board[v]), symbol(board[next]));
      }
    }
  } else {
    words->shape = shape == BoardShape::hexagon ? ir::CellShape::hexagon : ir::CellShape::square;
    const std::uint32_t last = std::ranges::max_element(board, {}, &Vertex::row)->row;
    for (const Vertex& vertex : board) {
      std::string text = fmt::format("{}{}", letters(vertex.column), last - vertex.row + 1);
      if (shape == BoardShape::cuboid) text += fmt::format(":{}", vertex.layer + 1);
      words->texts[symbol(vertex)] = text;
      words->places[symbol(vertex)] = {vertex.x, vertex.y};
    }
  }
  // The tags that number a move's actions are omitted from its short form.
  for (std::size_t i = 0; i < game.symbols.size(); ++i) {
    const std::string_view text = game.symbols.text(SymbolId(i));
    if (text.starts_with("index_")) words->asides.insert(SymbolId(i));
  }
  for (const ir::Variable& variable : game.variables()) {
    const std::string_view name = game.symbols.text(variable.name);
    const bool declared =
        std::ranges::any_of(d.variables, [&](const Declared& v) { return d.symbols.text(v.name) == name; });
    if (!declared && name != "board") words->asides.insert(variable.name);
  }
  game.words = std::move(words);
}

}  // namespace rgtrans::rbg
