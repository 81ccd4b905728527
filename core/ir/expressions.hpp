// Hash-consed expressions. Each stores its type, so that typing is a lookup. Build expressions through Game, which
// contains the declarations.
//
//   board[next[x]]  is an access with the map  board  and the index  next[x],  which is an access, too
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/types.hpp"
#include "core/support/support.hpp"

namespace rgtrans::ir {

using ExprId = Id<struct ExprTag>;
using VarId = Id<struct VarTag>;
using ConstId = Id<struct ConstTag>;

enum class ExprKind : std::uint8_t { symbol, constant, variable, access, cast };

class Expressions {
 public:
  struct Row {
    ExprKind kind;
    std::uint32_t a;  // symbol / constant / variable; access: the map; cast: the expression
    std::uint32_t b;  // access: the index; cast: the type
    TypeId type;      // none for an access to an expression that is not a map
  };

  ExprId intern(ExprKind kind, std::uint32_t a, std::uint32_t b, TypeId type);

  [[nodiscard]] ExprKind kind(ExprId id) const { return rows_[id.value].kind; }
  [[nodiscard]] TypeId type(ExprId id) const { return rows_[id.value].type; }
  void set_type(ExprId id, TypeId type) { rows_[id.value].type = type; }
  [[nodiscard]] SymbolId symbol(ExprId id) const { return SymbolId(rows_[id.value].a); }
  [[nodiscard]] ConstId constant(ExprId id) const { return ConstId(rows_[id.value].a); }
  [[nodiscard]] VarId variable(ExprId id) const { return VarId(rows_[id.value].a); }
  // The parts of an access e1[e2].
  [[nodiscard]] ExprId map(ExprId id) const { return ExprId(rows_[id.value].a); }
  [[nodiscard]] ExprId index(ExprId id) const { return ExprId(rows_[id.value].b); }
  // The parts of a cast T(e).
  [[nodiscard]] ExprId operand(ExprId id) const { return ExprId(rows_[id.value].a); }
  [[nodiscard]] TypeId cast_type(ExprId id) const { return TypeId(rows_[id.value].b); }

  // The leftmost name, without casts and indices.
  [[nodiscard]] ExprId root(ExprId id) const {
    while (kind(id) == ExprKind::access || kind(id) == ExprKind::cast) id = ExprId(rows_[id.value].a);
    return id;
  }
  // The expression without its outermost casts; casts in its parts remain.
  [[nodiscard]] ExprId uncast(ExprId id) const {
    while (kind(id) == ExprKind::cast) id = operand(id);
    return id;
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  std::vector<Row> rows_;
  IndexSet index_;
};

}  // namespace rgtrans::ir
