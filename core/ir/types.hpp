// Hash-consed types. Equal texts give equal ids. An alias has an id of its own, because its name is printed;
// Game::resolve() follows it.
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
  // Members keep their order, which is the order of enumeration. Repeated members are dropped.
  TypeId set(std::span<const SymbolId> members);
  TypeId arrow(TypeId from, TypeId to);
  TypeId alias(SymbolId name);

  [[nodiscard]] TypeKind kind(TypeId id) const { return rows_[id.value].kind; }
  // The members of a set.
  [[nodiscard]] std::span<const SymbolId> members(TypeId id) const {
    const Row& row = rows_[id.value];
    return {members_.data() + row.a, row.b - row.a};
  }
  // The position of a symbol among the members of a set, or -1. Takes constant time.
  [[nodiscard]] int index_of(TypeId set, SymbolId symbol) const;
  // The source and the target of an arrow.
  [[nodiscard]] TypeId from(TypeId id) const { return TypeId(rows_[id.value].a); }
  [[nodiscard]] TypeId to(TypeId id) const { return TypeId(rows_[id.value].b); }
  // The name of an alias.
  [[nodiscard]] SymbolId alias_name(TypeId id) const { return SymbolId(rows_[id.value].a); }
  // Calls f(name) for each alias that occurs in a type, at any depth.
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
