// Interprets the values of a board: empty, a number, or a piece with an owner, a kind and a glyph.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "backends/scene/hints.hpp"
#include "backends/scene/picture.hpp"

namespace rgtrans::scene {

// The number in a word such as 7 or N(7).
std::optional<int> number_of(std::string_view word);

class Pieces {
 public:
  // Numbers among `drawn` are pieces.
  explicit Pieces(std::vector<std::string> players, std::set<std::string> drawn = {})
      : players_(std::move(players)), drawn_(std::move(drawn)) {}

  // A board with these values; `initial` are those of its cells at the start of a play, `outside` those of places that
  // are not drawn. In layers, cells that have none are empty.
  void add(std::span<const std::string> values, std::span<const std::string> initial, bool layers = false,
           const std::set<std::string>& outside = {});
  // Once all boards are known: glyphs and letters.
  void finish(const Hints& hints = {});
  // The ground of a board with these values.
  [[nodiscard]] Ground ground_for(std::span<const std::string> values) const;

  // Says nothing about its cell.
  [[nodiscard]] bool blank(const std::string& word) const;
  // None for a blank or a number.
  [[nodiscard]] const PieceLook* find(const std::string& word) const;

 private:
  [[nodiscard]] PieceLook read(const std::string& word) const;
  void name_kinds();
  void choose_letters();
  void follow(const Hints& hints);

  std::vector<std::string> players_;
  std::set<std::string> drawn_;
  std::map<std::string, bool> blank_;
  std::map<std::string, PieceLook> pieces_;
};

}  // namespace rgtrans::scene
