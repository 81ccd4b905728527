// Coordinates name the cells of a grid by a letter for the column and a number for the row, as players do. The moves of
// the game may name its cells in another way: S(5,2) is e2, and cell 60 of a Ludax board is h5. Names that already
// consist of letters and numbers stay, and so do the names of boards that no move mentions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/scene/hints.hpp"
#include "backends/scene/layout.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

class Coordinates {
 public:
  Coordinates() = default;
  Coordinates(const ir::Game& game, const Hints& hints);

  // Names the cells of a layout of this game, and labels its edges to match.
  void name(Layout& layout) const;
  // The text with the names of cells replaced, in the author's words otherwise.
  [[nodiscard]] std::string in(std::string_view text) const;
  // By name in the author's words.
  [[nodiscard]] const std::map<std::string, std::string>& names() const { return names_; }

 private:
  void add(const Layout& layout);

  std::map<std::string, std::string> names_;
  std::map<std::vector<std::string>, std::string> by_words_;
  std::size_t longest_ = 0;  // words of a name
};

// The words of a text: letters, digits and signs that are not separators. `begin` and `end` are bytes of the text.
struct TextWord {
  std::string text;
  std::size_t begin = 0, end = 0;
};
std::vector<TextWord> words_of(std::string_view text);

}  // namespace rgtrans::scene
