// Wording: moves as people say them. Each move has a full form, every tag as its author wrote it, and a short one. The
// short form omits tags that only distinguish steps, and cells that are named twice in a row; it is used if it is
// unambiguous. It names cells by their coordinates, calls a move that changes nothing a pass, and uses the names that
// hints give. A person may type any of these forms, coordinates without spaces or as numbers (e2e4; 5,2 5,4), or the
// names of RG.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/scene/coordinates.hpp"
#include "core/ir/ir.hpp"

namespace rgtrans::scene {

class Wording {
 public:
  Wording() = default;  // everything as in RG
  explicit Wording(const ir::Game& game);

  // A move of RG in the author's words.
  [[nodiscard]] std::string full(std::string_view move) const;
  // How each of these moves, all that there are in one state, is to be shown.
  [[nodiscard]] std::vector<std::string> shown(const std::vector<std::string>& moves) const;
  // The move that a person means; none, or several, where it is not clear.
  [[nodiscard]] std::vector<std::size_t> meant(const std::vector<std::string>& moves, std::string_view typed) const;
  // Whether a move changes no board; the cells in it say nothing.
  [[nodiscard]] bool passes(std::string_view move) const;

  // For callers that word moves themselves: the passes, and the names that hints give to symbols.
  [[nodiscard]] const std::set<std::string>& all_passes() const { return passes_; }
  [[nodiscard]] const std::map<std::string, std::string>& all_names() const { return names_; }
  [[nodiscard]] const Coordinates& coordinates() const { return coordinates_; }

 private:
  // Different forms for different moves, with blanks between their cells.
  [[nodiscard]] std::vector<std::string> distinct(const std::vector<std::string>& moves) const;
  [[nodiscard]] std::string brief(std::string_view move) const;
  [[nodiscard]] std::string shortest(std::string_view move) const;
  [[nodiscard]] std::string text_of(const std::string& tag) const;

  std::unordered_map<std::string, std::string> texts_;  // by symbol of RG
  std::unordered_set<std::string> asides_;
  std::map<std::string, std::string> names_;  // by symbol of RG
  std::set<std::string> passes_;
  Coordinates coordinates_;
  char joint_ = ' ';
};

}  // namespace rgtrans::scene
