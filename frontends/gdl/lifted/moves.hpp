// The moves of all roles in the state of the game: the functor of each move, and its arguments, which share variables.
#pragma once

#include <map>
#include <vector>

#include "frontends/gdl/lifted/tables.hpp"

namespace rgtrans::gdl::lifted {

class Moves {
 public:
  Moves(Model& model, Tables& tables, ir::Game& game) : m_(model), t_(tables), game_(game) {}

  // Maps from roles; the arguments are plain variables if they are those of the only deciding role.
  ir::VarId functor;
  std::vector<ir::VarId> arguments;
  bool shared = false;

  void declare(bool one_decides);
  [[nodiscard]] SymbolId symbol(RelId shape);
  ir::ExprId argument(const Value& role, std::size_t place);
  // The index of the variable that stores a column of a move.
  [[nodiscard]] std::size_t place(RelId shape, std::uint32_t column) const { return places_.at(shape)[column - 1]; }
  [[nodiscard]] SortId sort(std::size_t index) const { return sorts_[index]; }

 private:
  void find_place(RelId shape, SortId sort);

  Model& m_;
  Tables& t_;
  ir::Game& game_;
  std::vector<SortId> sorts_;  // of all places
  std::map<RelId, std::vector<std::size_t>> places_;
  std::map<RelId, SymbolId> symbols_;
};

}  // namespace rgtrans::gdl::lifted
