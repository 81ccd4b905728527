// Words: what the author's text says beyond the game, for people who look at it. How a symbol was written ("S(1,2)"
// for S__1_2), where the cells of a board lie, and which of them lines join. Nothing here changes what can be played:
// passes and printers of RG do not read it, and symbols keep their words whatever happens to the automaton.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::ir {

enum class CellShape : std::uint8_t { square, hexagon, point };

struct Words {
  // By symbol, where it is not written as RG writes it. No blanks in a text but between parts.
  std::unordered_map<SymbolId, std::string> texts;

  // Tags that the short form of a move leaves out: they tell steps apart that players do not name.
  std::unordered_set<SymbolId> asides;

  // A board that the text lays out. Neighbouring cells are about 1 apart; y grows downwards.
  struct Place {
    double x = 0, y = 0;
  };
  std::unordered_map<SymbolId, Place> places;
  CellShape shape = CellShape::square;
  std::vector<std::pair<SymbolId, SymbolId>> lines;

  // A relation of the text that is kept in several variables: each has some of its tuples.
  struct Relation {
    // What stands there in all tuples of a part; or which key of its variables does, or the value of which variable.
    struct Column {
      SymbolId constant;
      int key = -1, variable = -1;
    };
    struct Part {
      std::vector<SymbolId> variables;
      std::vector<Column> columns;
    };
    SymbolId name;
    std::vector<std::vector<SymbolId>> columns;  // what can stand there
    std::vector<Part> parts;
  };
  std::vector<Relation> relations;
};

}  // namespace rgtrans::ir
