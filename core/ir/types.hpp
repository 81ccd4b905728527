// Hash-consed types. Two types written alike are one id; an alias stays a node of its own, because its name
// is printed, and is looked through by Game::resolve().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/support.hpp"

namespace rgtrans::ir {

using TypeId = Id<struct TypeTag>;

enum class TypeKind : std::uint8_t { set, arrow, alias };

class Types {
 public:
  // Members keep their order, which is the order of enumeration; repeated ones are dropped.
  TypeId set(std::span<const SymbolId> members);
  TypeId arrow(TypeId from, TypeId to);
  TypeId alias(SymbolId name);

  [[nodiscard]] TypeKind kind(TypeId id) const { return rows_[id.value].kind; }
  // Of a set.
  [[nodiscard]] std::span<const SymbolId> members(TypeId id) const {
    const Row& row = rows_[id.value];
    return {members_.data() + row.a, row.b - row.a};
  }
  // Position of a symbol among the members of a set, or -1. Constant time.
  [[nodiscard]] int index_of(TypeId set, SymbolId symbol) const;
  // Of an arrow.
  [[nodiscard]] TypeId from(TypeId id) const { return TypeId(rows_[id.value].a); }
  [[nodiscard]] TypeId to(TypeId id) const { return TypeId(rows_[id.value].b); }
  // Of an alias.
  [[nodiscard]] SymbolId alias_name(TypeId id) const { return SymbolId(rows_[id.value].a); }
  // f(name) for each alias that a type mentions, at any depth.
  template <class F>
  void for_each_alias(TypeId id, F&& f) const {
    for (; kind(id) == TypeKind::arrow; id = to(id)) for_each_alias(from(id), f);
    if (kind(id) == TypeKind::alias) f(alias_name(id));
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  struct Row {
    TypeKind kind;
    std::uint32_t a;  // set: first member; arrow: from; alias: name
    std::uint32_t b;  // set: one past the last member; arrow: to
  };

  TypeId distinct_set(std::span<const SymbolId> unique);
  TypeId intern(TypeKind kind, std::uint32_t a, std::uint32_t b);

  std::vector<Row> rows_;
  std::vector<SymbolId> members_;
  IndexSet index_;
  IndexSet positions_;  // (set, member) -> row of members_
};

}  // namespace rgtrans::ir
