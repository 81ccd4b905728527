// Words: presentation data from the author's text. They record how a symbol was written ("S(1,2)" for S__1_2), where a
// board's cells are placed, and which cells its lines connect. They never affect play: passes and RG printers ignore
// them, and symbols keep their words when the automaton changes.
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
  // By symbol, if its text differs from RG's. Blanks occur only between parts of a text.
  std::unordered_map<SymbolId, std::string> texts;

  // The names of pieces, where one symbol stands for a cell and, as a value of a cell, for a piece.
  std::unordered_map<SymbolId, std::string> pieces;

  // Between the cells of a move in its short form.
  char joint = ' ';

  // Tags that the short form of a move omits, because they distinguish steps that players do not name.
  std::unordered_set<SymbolId> asides;

  // The layout of the board in the text. Neighbouring cells are about 1 apart; y grows downwards.
  struct Place {
    double x = 0, y = 0;
  };
  std::unordered_map<SymbolId, Place> places;
  CellShape shape = CellShape::square;
  std::vector<std::pair<SymbolId, SymbolId>> lines;

  // A relation of the text, split into several variables; each variable stores some of its tuples.
  struct Relation {
    // The source of a column in all tuples of a part: a constant, a key of the variable, or the value of a variable.
    struct Column {
      SymbolId constant;
      int key = -1, variable = -1;
    };
    struct Part {
      std::vector<SymbolId> variables;
      std::vector<Column> columns;
    };
    SymbolId name;
    std::vector<std::vector<SymbolId>> columns;  // the possible values of each column
    std::vector<Part> parts;
  };
  std::vector<Relation> relations;
};

}  // namespace rgtrans::ir
