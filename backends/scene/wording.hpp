// Wording: moves as their author would say them. Each move has a full form, every tag as it was written, and a short
// one, which leaves out tags that only tell steps apart and cells that are named twice in a row; the short one is used
// where it is unambiguous. A person may type either, or the names of RG.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

 private:
  [[nodiscard]] std::string brief(std::string_view move) const;
  [[nodiscard]] std::string shortest(std::string_view move) const;

  std::unordered_map<std::string, std::string> texts_;  // by symbol of RG
  std::unordered_set<std::string> asides_;
};

}  // namespace rgtrans::scene
