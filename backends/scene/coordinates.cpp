#include "backends/scene/coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "backends/scene/relations.hpp"
#include "backends/scene/terms.hpp"
#include "core/support/letters.hpp"

namespace rgtrans::scene {

namespace {

constexpr std::size_t kMostColumns = 26;
constexpr std::size_t kMostRows = 64;
constexpr std::size_t kMostTags = 100'000;
// A board is a grid, perhaps with holes, if at least one in this number of crossings of its rows and columns is a
// point. Otherwise its points form rings.
constexpr std::size_t kLeastDensity = 3;

using Words = std::vector<std::string>;

Words texts_of(const std::vector<TextWord>& words) {
  Words out;
  for (const TextWord& word : words) out.push_back(word.text);
  return out;
}

long rounded(double at) { return std::lround(at * 100); }

// The places of these coordinates in their order.
std::map<long, std::size_t> ranks(const std::set<long>& values) {
  std::map<long, std::size_t> out;
  for (const long value : values) out.emplace(value, out.size());
  return out;
}

// "b7"; of capital letters, too.
bool readable(std::string_view name) {
  std::size_t letters = 0;
  while (letters < name.size() && rgtrans::is_letter(name[letters])) ++letters;
  return letters == 1 && letters < name.size() && all_digits(name.substr(letters));
}

// Whether the parts of a name are coordinates.
bool numbered(const std::string& name) {
  const NameTerm term = read_term(name);
  return !term.parts.empty() &&
         std::ranges::all_of(term.parts, [](const std::string& part) { return is_number(part) || is_letter(part); });
}

// A grid, straight or of hexagons: where each cell is, in columns and rows.
struct Grid {
  std::vector<std::size_t> column, row;  // by cell
  std::size_t columns = 0, rows = 0;
  int lean = 0;  // of a column of hexagons: it goes to the right or left as y grows
};

std::optional<Grid> grid_of(const Layout& layout, int lean) {
  Grid grid;
  grid.lean = lean;
  std::set<long> xs, ys;
  const auto column_at = [&](const CellSpot& spot) { return rounded(spot.x - lean * spot.y / 2); };
  for (const CellSpot& spot : layout.spots) {
    xs.insert(column_at(spot));
    ys.insert(rounded(spot.y));
  }
  if (xs.size() > kMostColumns || ys.size() > kMostRows || xs.size() < 2 || ys.size() < 2) return std::nullopt;
  if (xs.size() * ys.size() > kLeastDensity * layout.spots.size()) return std::nullopt;
  const auto x = ranks(xs);
  const auto y = ranks(ys);
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (const CellSpot& spot : layout.spots) {
    grid.column.push_back(x.at(column_at(spot)));
    grid.row.push_back(y.at(rounded(spot.y)));
    if (!taken.emplace(grid.column.back(), grid.row.back()).second) return std::nullopt;
  }
  grid.columns = xs.size();
  grid.rows = ys.size();
  return grid;
}

std::optional<Grid> grid_of(const Layout& layout) {
  if (layout.shape != ir::CellShape::hexagon) return grid_of(layout, 0);
  const auto right = grid_of(layout, 1);
  auto left = grid_of(layout, -1);
  return !left || (right && right->columns < left->columns) ? right : left;
}

// The author's own numbers where they count rows from 0 or 1, without gaps; else none.
std::optional<bool> rows_grow_downwards(const Layout& layout, std::size_t rows) {
  std::map<double, long> number_at;
  for (const Label& label : layout.rows) {
    if (!is_number(label.text)) return std::nullopt;
    number_at.emplace(label.at, std::stol(label.text));
  }
  if (number_at.size() != rows) return std::nullopt;
  const long first = number_at.begin()->second;
  const long last = number_at.rbegin()->second;
  const bool down = first < last;
  if (std::min(first, last) > 1) return std::nullopt;
  long expected = first;
  for (const auto& [at, number] : number_at) {
    if (number != expected) return std::nullopt;
    expected += down ? 1 : -1;
  }
  return down;
}

std::string letter(std::size_t column) { return std::string(1, static_cast<char>('a' + column)); }

// Of the columns of a layout as the author has them, where they are letters.
std::map<long, std::string> own_letters(const Layout& layout) {
  std::map<long, std::string> out;
  for (const Label& label : layout.columns) {
    if (!is_letter(label.text)) return {};
    out.emplace(rounded(label.at), label.text);
  }
  return out;
}

struct Naming {
  Grid grid;
  bool down = false;                         // rows are counted downwards
  std::vector<std::string> names;            // by cell
  std::map<std::size_t, std::string> heads;  // by column
};

std::optional<Naming> naming_of(const Layout& layout) {
  const bool suits = layout.board && layout.ground != Ground::dots && layout.spots.size() >= 4 &&
                     std::ranges::all_of(layout.spots, [](const CellSpot& spot) {
                       return spot.line == Cell::Line::none && numbered(spot.name) && !readable(spot.name);
                     });
  if (!suits) return std::nullopt;
  const auto grid = grid_of(layout);
  if (!grid) return std::nullopt;
  Naming naming{*grid, false, {}, {}};
  // People count rows of hexagons from the top, those of squares from the bottom.
  naming.down = rows_grow_downwards(layout, grid->rows).value_or(layout.shape == ir::CellShape::hexagon);
  const std::map<long, std::string> own = own_letters(layout);
  for (std::size_t i = 0; i < layout.spots.size(); ++i) {
    const auto known = own.find(rounded(layout.spots[i].x));
    naming.heads.try_emplace(grid->column[i], known == own.end() ? letter(grid->column[i]) : known->second);
    const std::size_t number = naming.down ? grid->row[i] + 1 : grid->rows - grid->row[i];
    naming.names.push_back(naming.heads[grid->column[i]] + std::to_string(number));
  }
  return naming;
}

void label_edges(Layout& layout, const Naming& naming) {
  std::map<std::size_t, const CellSpot*> top;  // by column
  std::map<std::size_t, double> row_at;
  for (std::size_t i = 0; i < layout.spots.size(); ++i) {
    const CellSpot& spot = layout.spots[i];
    const auto [it, fresh] = top.try_emplace(naming.grid.column[i], &spot);
    if (!fresh && spot.y < it->second->y) it->second = &spot;
    row_at.emplace(naming.grid.row[i], spot.y);
  }
  layout.columns.clear();
  layout.rows.clear();
  for (const auto& [column, spot] : top) {
    Label label{spot->x, naming.heads.at(column), std::nullopt};
    // Behind the end of a column that is not upright.
    if (naming.grid.lean != 0) label = {spot->x - naming.grid.lean * 0.5, label.text, spot->y - 1};
    layout.columns.push_back(std::move(label));
  }
  for (const auto& [row, at] : row_at) {
    layout.rows.push_back({at, std::to_string(naming.down ? row + 1 : naming.grid.rows - row), std::nullopt});
  }
}

// Every text that a tag of the game can have.
std::vector<std::string> tag_texts(const ir::Game& game) {
  std::set<SymbolId> symbols;
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    if (const auto* tag = std::get_if<ir::Tag>(&label)) symbols.insert(tag->symbol);
    if (const auto* tag = std::get_if<ir::TagVariable>(&label)) {
      for (const SymbolId member : game.members(game.variable(tag->variable).type)) symbols.insert(member);
    }
    if (symbols.size() > kMostTags) return {};
  }
  std::vector<std::string> texts;
  for (const SymbolId symbol : symbols) texts.push_back(ir::written(game, symbol));
  return texts;
}

bool all_numbers(const Words& words) {
  return std::ranges::all_of(words, [](const std::string& word) { return is_number(word); });
}

}  // namespace

std::vector<TextWord> words_of(std::string_view text) {
  std::vector<TextWord> words;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool part = (static_cast<unsigned char>(c) & 0x80U) != 0 || c == '-' || is_word(c);
    if (part && !inside) words.push_back({"", at, at});
    if (part) {
      words.back().text += c;
      words.back().end = at + 1;
    }
    inside = part;
  }
  return words;
}

Coordinates::Coordinates(const ir::Game& game, const Hints& hints) {
  if (!hints.coordinates) return;
  // If two boards give different coordinates to one place, add() drops them, because they would be ambiguous.
  for (std::size_t i = 0; i < game.variables().size(); ++i) {
    const ir::Variable& variable = game.variable(ir::VarId(i));
    if (!variable.alive || !game.is_arrow(game.resolve(variable.type))) continue;
    if (game.words != nullptr && game.words->asides.contains(variable.name)) continue;
    for (const Layout& layout : find_layouts(game, ir::VarId(i), false)) add(layout);
  }
  if (game.words != nullptr) {
    for (const ir::Words::Relation& relation : game.words->relations) {
      for (const Layout& layout : find_layouts(game, relation)) add(layout);
    }
  }
  if (names_.empty()) return;
  const std::vector<std::string> tags = tag_texts(game);
  std::set<std::string> named;
  std::set<std::string> whole(tags.begin(), tags.end());
  for (const std::string& tag : tags) {
    const Words words = texts_of(words_of(tag));
    for (std::size_t first = 0; first < words.size(); ++first) {
      for (std::size_t last = first + 1; last <= std::min(words.size(), first + longest_); ++last) {
        const auto it =
            by_words_.find(Words(words.begin() + static_cast<long>(first), words.begin() + static_cast<long>(last)));
        if (it != by_words_.end()) named.insert(it->second);
      }
    }
  }
  const auto by_parts = [&](const std::string& name) {  // C(1,1) C(2,3)
    const std::size_t middle = name.find(' ');
    return name.find('(') != std::string::npos && middle != std::string::npos &&
           whole.contains(name.substr(0, middle)) && whole.contains(name.substr(middle + 1));
  };
  if (named.empty() && std::ranges::none_of(names_, [&](const auto& entry) { return by_parts(entry.first); })) {
    names_.clear();
    by_words_.clear();
  }
}

void Coordinates::add(const Layout& layout) {
  const auto naming = naming_of(layout);
  if (!naming) return;
  for (std::size_t i = 0; i < layout.spots.size(); ++i) {
    const Words words = texts_of(words_of(layout.spots[i].name));
    const auto [it, fresh] = names_.try_emplace(layout.spots[i].name, naming->names[i]);
    if (!fresh && it->second != naming->names[i]) {
      by_words_.erase(words);
      it->second.clear();
      continue;
    }
    longest_ = std::max(longest_, words.size());
    by_words_.emplace(words, naming->names[i]);
  }
}

void Coordinates::name(Layout& layout) const {
  if (by_words_.empty()) return;
  const auto naming = naming_of(layout);
  if (!naming) return;
  for (std::size_t i = 0; i < layout.spots.size(); ++i) {
    const auto it = names_.find(layout.spots[i].name);
    if (it == names_.end() || it->second != naming->names[i]) return;
  }
  for (std::size_t i = 0; i < layout.spots.size(); ++i) layout.spots[i].label = naming->names[i];
  label_edges(layout, *naming);
}

// A cell of two numbers is read from a row of numbers only where that row is of pairs: (move 1 2 1 3), and not (pay 3 1
// 2).
std::string Coordinates::in(std::string_view text) const {
  if (by_words_.empty()) return std::string(text);
  const std::vector<TextWord> words = words_of(text);
  const auto run_around = [&](std::size_t at) {
    const auto joined = [&](std::size_t a) {  // to the word behind it
      return a + 1 < words.size() && is_number(words[a].text) && is_number(words[a + 1].text) &&
             text.substr(words[a].end, words[a + 1].begin - words[a].end).find_first_of("()") == std::string_view::npos;
    };
    std::size_t first = at;
    std::size_t last = at;
    while (first > 0 && joined(first - 1)) --first;
    while (joined(last)) ++last;
    return std::make_pair(first, last - first + 1);
  };
  std::string out;
  std::size_t done = 0;  // bytes of the text
  for (std::size_t at = 0; at < words.size();) {
    const std::string* found = nullptr;
    std::size_t length = std::min(longest_, words.size() - at);
    for (; length > 0; --length) {
      Words part;
      for (std::size_t i = at; i < at + length; ++i) part.push_back(words[i].text);
      const auto it = by_words_.find(part);
      if (it == by_words_.end()) continue;
      const auto [first, run] = run_around(at);
      if (length > 1 && all_numbers(part) && (run % length != 0 || (at - first) % length != 0)) continue;
      found = &it->second;
      break;
    }
    if (found == nullptr) {
      ++at;
      continue;
    }
    std::size_t end = words[at + length - 1].end;
    const std::string_view part = text.substr(words[at].begin, end - words[at].begin);
    const auto open = std::ranges::count(part, '(') - std::ranges::count(part, ')');
    if (open > 0 && end < text.size() && text[end] == ')') ++end;
    out += std::string(text.substr(done, words[at].begin - done)) + *found;
    done = end;
    at += length;
  }
  return out + std::string(text.substr(done));
}

}  // namespace rgtrans::scene
