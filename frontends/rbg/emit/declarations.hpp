// The types and variables of the RG game: players and scores, vertices and pieces, the cursor, the board, and the
// variables of the rules.
#pragma once

#include <vector>

#include "core/ir/ir.hpp"
#include "frontends/rbg/emit/uses.hpp"
#include "frontends/rbg/emit/vocabulary.hpp"
#include "frontends/rbg/flow/arithmetic.hpp"

namespace rgtrans::rbg {

struct BoardDeclarations {
  // If the game needs no null, null_vertex is equal to vertex, and null_piece to piece.
  ir::TypeId vertex, null_vertex, piece, null_piece;
  std::vector<SymbolId> board_pieces;  // the possible contents of a cell: the members of null_piece
  ir::VarId cursor_variable;
  ir::ExprId cursor, board, player;
  ir::ExprId choice;                  // scratch variable, if some step needs it
  std::vector<ir::ExprId> variables;  // players first; only those that steps use
};
BoardDeclarations declare(const Description& description, const Uses& uses, const Arithmetic& arithmetic,
                          Vocabulary& vocabulary, ir::Game& game);

}  // namespace rgtrans::rbg
