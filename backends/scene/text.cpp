// Draws a scene for the terminal. Squares and hexagons are in rows; points are drawn with the lines between them.
// Boards are placed next to each other while the window is wide enough.
#include "core/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "backends/scene/bounds.hpp"
#include "backends/scene/picture.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::size_t kWindow = 96;  // of the window
constexpr double kHeight = 40;       // that a board should not be higher than
constexpr std::size_t kBetween = 5;  // between boards

// The content of one place of the terminal: a character, possibly of several bytes, and its colour.
struct Mark {
  std::string text = " ";
  std::optional<std::size_t> owner = {};
};

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : printable(text)) {
    if (begins_character(c) || out.empty()) out.emplace_back();
    out.back() += c;
  }
  return out;
}

bool same_letter(std::string_view word, std::string_view letter) {
  return word.size() == 1 && (word[0] | 0x20) == (letter[0] | 0x20);
}

class Paper {
 public:
  void put(std::size_t row, std::size_t column, std::string_view text, std::optional<std::size_t> owner = {}) {
    if (row >= rows_.size()) rows_.resize(row + 1);
    for (const std::string& character : characters(text)) {
      if (column >= rows_[row].size()) rows_[row].resize(column + 1);
      rows_[row][column++] = {character, owner};
    }
  }
  [[nodiscard]] std::size_t width() const {
    std::size_t most = 0;
    for (const auto& row : rows_) most = std::max(most, row.size());
    return most;
  }
  [[nodiscard]] std::size_t height() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::vector<Mark>>& rows() const { return rows_; }
  void paste(const Paper& other, std::size_t column) {
    for (std::size_t r = 0; r < other.rows_.size(); ++r) {
      for (std::size_t c = 0; c < other.rows_[r].size(); ++c) {
        put(r, column + c, other.rows_[r][c].text, other.rows_[r][c].owner);
      }
    }
  }

 private:
  std::vector<std::vector<Mark>> rows_;
};

// The escape sequence of a player's colour: the one that the player is called, else one by number.
std::string colour(const Scene& scene, std::size_t owner) {
  if (owner < scene.colours.size() && !scene.colours[owner].empty()) {
    const std::string& code = scene.colours[owner];
    const auto part = [&](std::size_t at) { return std::stoi(code.substr(at, 2), nullptr, 16); };
    return fmt::format("\x1b[38;2;{};{};{}m", part(1), part(3), part(5));
  }
  static const std::map<std::string, int, std::less<>> kNamed = {{"red", 31},    {"green", 32}, {"yellow", 33},
                                                                 {"blue", 34},   {"white", 97}, {"black", 35},
                                                                 {"purple", 35}, {"cyan", 36}};
  constexpr int kByNumber[] = {36, 33, 32, 35, 31, 34};
  const auto it = kNamed.find(scene.players[owner]);
  return fmt::format("\x1b[{}m", it != kNamed.end() ? it->second : kByNumber[owner % 6]);
}

class TextDrawing {
 public:
  TextDrawing(const Scene& scene, const TextStyle& style) : scene_(scene), style_(style) {}

  std::string run() {
    std::string out;
    Paper line;
    for (const BoardPicture& board : scene_.boards) {
      const Paper paper = draw(board);
      if (line.height() > 0 && line.width() + kBetween + paper.width() > kWindow) {
        out += lines(line);
        line = {};
      }
      line.paste(paper, line.height() == 0 ? 0 : line.width() + kBetween);
    }
    out += lines(line) + legend();
    for (const ShownValue& fact : scene_.facts) {
      const std::string value = printable(fact.faces.empty() ? fact.value : in_symbols(fact.faces));
      out += fact.name.empty() ? fmt::format("({})\n", value) : fmt::format("{}: {}\n", printable(fact.name), value);
    }
    return out;
  }

 private:
  [[nodiscard]] std::string glyph(const PieceLook& piece) const { return style_.unicode ? piece.glyph : piece.letter; }

  // A die with its number behind it and a piece behind its name, which moves name.
  [[nodiscard]] std::string in_symbols(const std::vector<Face>& faces) const {
    static constexpr const char* kDice[] = {"⚀", "⚁", "⚂", "⚃", "⚄", "⚅"};
    std::string out;
    for (const Face& face : faces) {
      if (!out.empty()) out += ' ';
      if (face.look) {
        out += style_.unicode ? fmt::format("{} {}", face.text, glyph(*face.look)) : face.text;
        continue;
      }
      const bool pips =
          face.die && style_.unicode && face.text.size() == 1 && face.text[0] >= '1' && face.text[0] <= '6';
      out += pips ? fmt::format("{} {}", kDice[face.text[0] - '1'], face.text) : fmt::format("[{}]", face.text);
    }
    return out;
  }

  [[nodiscard]] std::string content(const BoardPicture& board, const Cell& cell) const {
    if (cell.unknown) return "?";
    std::string out = cell.text;
    if (cell.piece) out += glyph(scene_.pieces[*cell.piece]);
    if (!out.empty()) return out;
    if (board.shape == ir::CellShape::point && !board.lines.empty()) return style_.unicode ? "·" : "+";
    if (board.ground == Ground::sea) return "~";
    return style_.unicode ? "·" : ".";
  }
  [[nodiscard]] std::optional<std::size_t> owner(const Cell& cell) const {
    return cell.piece ? scene_.pieces[*cell.piece].owner : std::nullopt;
  }

  static BoardPicture turned(BoardPicture board) {
    turn(board.cells, board.columns, board.rows);
    return board;
  }

  Paper draw(const BoardPicture& original) const {
    const BoardPicture board = style_.flipped ? turned(original) : original;
    if (board.ground == Ground::dots) return with_dots(board);
    return board.shape == ir::CellShape::point && !board.lines.empty() ? with_lines(board) : in_rows(board);
  }

  // Returns the row below it.
  static std::size_t put_title(Paper& paper, const BoardPicture& board) {
    if (board.title.empty()) return 0;
    paper.put(0, 0, board.title + ":");
    return 1;
  }

  // --- Cells in rows. ---
  Paper in_rows(const BoardPicture& board) const {
    Paper paper;
    const std::size_t top = put_title(paper, board);
    std::size_t width = 1;
    double low = 1e9;
    std::map<long, std::size_t> row_of;  // by y in hundredths
    for (const Cell& cell : board.cells) {
      width = std::max(width, characters(content(board, cell)).size());
      low = std::min(low, cell.x);
      row_of[std::lround(cell.y * 100)] = 0;
    }
    for (const Label& label : board.columns) {
      width = std::max(width, characters(label.text).size());
      if (label.across) row_of[std::lround(*label.across * 100)] = 0;
    }
    const bool half = board.shape == ir::CellShape::hexagon;
    const double step = static_cast<double>(half && width % 2 == 0 ? width + 2 : width + 1);
    std::size_t row = top;
    std::optional<long> last;
    for (auto& [y, at] : row_of) {
      if (last && y - *last > 125) ++row;
      at = row++;
      last = y;
    }
    std::size_t margin = 0;
    for (const Label& label : board.rows) margin = std::max(margin, characters(label.text).size());
    if (margin > 0) margin += 2;
    for (const Label& label : board.rows) {
      const auto it = row_of.find(std::lround(label.at * 100));
      if (it != row_of.end()) paper.put(it->second, margin - 2 - characters(label.text).size(), label.text);
    }
    const auto column = [&](double x, std::size_t size) {
      return margin + static_cast<std::size_t>(std::lround((x - low) * step)) + width - size;
    };
    for (const Cell& cell : board.cells) {
      const std::string text = content(board, cell);
      paper.put(row_of[std::lround(cell.y * 100)], column(cell.x, characters(text).size()), text, owner(cell));
    }
    // Brackets mark the cells of the last move.
    for (const Cell& cell : board.cells) {
      if (std::ranges::find(scene_.last, cell.name) == scene_.last.end()) continue;
      const std::size_t size = characters(content(board, cell)).size();
      const std::size_t at = column(cell.x, size);
      const std::size_t line = row_of[std::lround(cell.y * 100)];
      if (at > 0) paper.put(line, at - 1, "(");
      paper.put(line, at + size, ")");
    }
    for (const Label& label : board.columns) {
      const std::size_t at = label.across ? row_of[std::lround(*label.across * 100)] : row;
      paper.put(at, column(std::max(label.at, low - (margin > 0 ? 0.5 : 0)), characters(label.text).size()),
                label.text);
    }
    return paper;
  }

  // --- Dots, and the lines that are drawn between them. ---
  Paper with_dots(const BoardPicture& board) const {
    constexpr double kAcross = 4, kDown = 2;
    Paper paper;
    const std::size_t top = put_title(paper, board);
    std::size_t margin = 0;
    for (const Label& label : board.rows) margin = std::max(margin, characters(label.text).size() + 2);
    const auto row = [&](double y) { return top + static_cast<std::size_t>(std::lround(y * kDown)); };
    const auto column = [&](double x) { return margin + static_cast<std::size_t>(std::lround(x * kAcross)); };
    std::size_t bottom = top;
    for (const Cell& cell : board.cells) {
      const std::string text = !cell.piece && cell.text.empty() && !cell.unknown ? "" : content(board, cell);
      if (cell.line == Cell::Line::along) {
        for (const double end : {-0.5, 0.5}) paper.put(row(cell.y), column(cell.x + end), style_.unicode ? "•" : "+");
        bottom = std::max(bottom, row(cell.y) + 1);
        if (text.empty()) continue;
        const char* const stroke = cell.unknown ? "?" : style_.unicode ? "─" : "-";
        for (std::size_t i = 1; i < 4; ++i) paper.put(row(cell.y), column(cell.x - 0.5) + i, stroke, owner(cell));
      } else if (cell.line == Cell::Line::upright) {
        const char* const stroke = cell.unknown ? "?" : style_.unicode ? "│" : "|";
        if (!text.empty()) paper.put(row(cell.y), column(cell.x), stroke, owner(cell));
      } else if (!text.empty()) {
        paper.put(row(cell.y), column(cell.x), text, owner(cell));
      }
    }
    for (const Label& label : board.rows)
      paper.put(row(label.at), margin - 2 - characters(label.text).size(), label.text);
    for (const Label& label : board.columns) paper.put(bottom, column(label.at), label.text);
    return paper;
  }

  // --- Points and lines. ---
  // The least distance between coordinates that differ.
  template <class F>
  static double least(const BoardPicture& board, F&& coordinate) {
    std::vector<double> all;
    for (const Cell& cell : board.cells) all.push_back(coordinate(cell));
    std::ranges::sort(all);
    double best = 1;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i] - all[i - 1] > 0.2) best = std::min(best, all[i] - all[i - 1]);
    }
    return best;
  }

  Paper with_lines(const BoardPicture& board) const {
    Paper paper;
    const std::size_t top = put_title(paper, board);
    const Bounds extent = bounds(board.cells);
    const double scale_x = 4 / least(board, [](const Cell& c) { return c.x; });
    double scale_y = 2 / least(board, [](const Cell& c) { return c.y; });
    if ((extent.high_y - extent.low_y) * scale_y > kHeight) scale_y /= 2;
    std::size_t margin = 1;
    for (const Label& label : board.rows) margin = std::max(margin, characters(label.text).size() + 2);
    const auto column_at = [&](double x) {
      return std::lround((x - extent.low_x) * scale_x) + static_cast<long>(margin);
    };
    const auto line_at = [&](double y) { return std::lround((y - extent.low_y) * scale_y) + static_cast<long>(top); };
    const auto column = [&](const Cell& c) { return column_at(c.x); };
    const auto line = [&](const Cell& c) { return line_at(c.y); };
    const auto put = [&](long y, long x, const char* unicode, const char* ascii) {
      paper.put(static_cast<std::size_t>(y), static_cast<std::size_t>(x), style_.unicode ? unicode : ascii);
    };
    for (const auto& [a, b] : board.lines) {
      long x = column(board.cells[a]), y = line(board.cells[a]);
      const long to_x = column(board.cells[b]), to_y = line(board.cells[b]);
      if (y == to_y) {
        for (long c = std::min(x, to_x) + 1; c < std::max(x, to_x); ++c) put(y, c, "─", "-");
        continue;
      }
      const bool falls = (to_x > x) == (to_y > y);
      const long rows = std::abs(to_y - y);
      for (long i = 1; i < rows; ++i) {
        const long at_x =
            std::lround(static_cast<double>(x) + static_cast<double>((to_x - x) * i) / static_cast<double>(rows));
        const long at_y = y + (to_y > y ? i : -i);
        if (x == to_x) {
          put(at_y, at_x, "│", "|");
        } else {
          put(at_y, at_x, falls ? "╲" : "╱", falls ? "\\" : "/");
        }
      }
    }
    for (const Cell& cell : board.cells) {
      paper.put(static_cast<std::size_t>(line(cell)), static_cast<std::size_t>(column(cell)), content(board, cell),
                owner(cell));
    }
    const std::size_t below = paper.height();
    for (const Label& label : board.columns) {
      paper.put(below, static_cast<std::size_t>(column_at(label.at)), label.text);
    }
    for (const Label& label : board.rows) {
      paper.put(static_cast<std::size_t>(line_at(label.at)), margin - 2 - characters(label.text).size(), label.text);
    }
    return paper;
  }

  // --- Around the boards. ---
  std::string lines(const Paper& paper) const {
    std::string out;
    for (const auto& row : paper.rows()) {
      std::string line;
      for (const Mark& mark : row) {
        const bool coloured = style_.colours && mark.owner;
        line += coloured ? colour(scene_, *mark.owner) + mark.text + "\x1b[0m" : mark.text;
      }
      while (!line.empty() && line.back() == ' ') line.pop_back();
      out += line.empty() ? "\n" : "  " + line + "\n";
    }
    return out;
  }

  // A line that a player has drawn is a line, whatever its name is.
  bool stands_on_a_field(std::size_t piece) const {
    return std::ranges::any_of(scene_.boards, [&](const BoardPicture& board) {
      return std::ranges::any_of(
          board.cells, [&](const Cell& cell) { return cell.piece == piece && cell.line == Cell::Line::none; });
    });
  }

  // The chess figures that represent their players: of one kind, if the players have one in common.
  std::set<std::string> figures_of_players() const {
    std::map<std::string, std::map<std::size_t, std::string>> kinds;
    for (std::size_t p = 0; p < scene_.pieces.size(); ++p) {
      const PieceLook& piece = scene_.pieces[p];
      if (piece.figure && piece.owner && stands_on_a_field(p)) kinds[piece.kind].emplace(*piece.owner, glyph(piece));
    }
    std::map<std::size_t, std::string> chosen;
    while (!kinds.empty()) {
      const auto most = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second.size(); });
      chosen.insert(most->second.begin(), most->second.end());
      kinds.erase(most);
    }
    std::set<std::string> result;
    for (const auto& [owner, mark] : chosen) result.insert(mark);
    return result;
  }

  // One entry for all chess figures of a player; none for a piece that is written like its mark.
  std::string legend() const {
    std::vector<std::string> entries;
    const std::set<std::string> figures = figures_of_players();
    for (std::size_t p = 0; p < scene_.pieces.size(); ++p) {
      const PieceLook& piece = scene_.pieces[p];
      if (!stands_on_a_field(p) || piece.word.empty() ||
          (glyph(piece).size() == 1 && same_letter(piece.word, glyph(piece))))
        continue;
      std::string entry = fmt::format("{} {}", glyph(piece), piece.word);
      if (piece.owner && (piece.kind.empty() || piece.stone)) {
        entry = fmt::format("{} {}{}", glyph(piece), scene_.players[*piece.owner], piece.crowned ? " king" : "");
      }
      if (piece.figure && piece.owner) {  // a display hint makes figures of pieces that nobody owns
        if (!figures.contains(glyph(piece))) continue;
        const std::size_t owner = *piece.owner;
        entry = style_.unicode ? fmt::format("{} {}", glyph(piece), scene_.players[owner])
                               : fmt::format("{} letters: {}", owner == 0 ? "large" : "small", scene_.players[owner]);
      }
      entries.push_back(entry);
    }
    const bool unknown = std::ranges::any_of(
        scene_.boards, [](const BoardPicture& board) { return std::ranges::any_of(board.cells, &Cell::unknown); });
    if (unknown) entries.emplace_back("? hidden");
    std::ranges::sort(entries);
    return entries.empty() ? "" : fmt::format("  {}\n", printable(fmt::format("{}", fmt::join(entries, "   "))));
  }

  const Scene& scene_;
  const TextStyle& style_;
};

}  // namespace

std::string text(const Scene& scene, const TextStyle& style) { return TextDrawing(scene, style).run(); }

}  // namespace rgtrans::scene
