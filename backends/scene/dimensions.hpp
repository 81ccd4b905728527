// The keys of a map, taken apart: S(3,4) has a place in two dimensions. Members of a domain that are written in another
// way than most of them ("out") have no place.
#pragma once

#include <string>
#include <vector>

#include "core/ir/ir.hpp"

namespace rgtrans::scene {

struct Dimension {
  enum class Kind { number, letter, player, other };
  Kind kind = Kind::other;
  std::size_t key = 0;              // of the map
  std::vector<std::string> values;  // sorted, if they have an order
  // How far a value lies from the first one: numbers keep their gaps.
  [[nodiscard]] double offset(std::size_t index) const;
  [[nodiscard]] bool coordinate() const { return kind == Kind::number || kind == Kind::letter; }
};

struct KeyCell {
  std::vector<SymbolId> keys;
  std::vector<std::size_t> at;  // an index for each dimension
};

struct Dimensions {
  std::vector<ir::TypeId> keys;  // resolved
  ir::TypeId value;
  std::vector<Dimension> all;  // with more than one value
  std::vector<KeyCell> cells;  // that have a place
  std::vector<std::vector<SymbolId>> others;
};

// Of the type of a map; no cells where it has too many.
Dimensions read_dimensions(const ir::Game& game, ir::TypeId type);

}  // namespace rgtrans::scene
