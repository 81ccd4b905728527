#include "core/ir/types.hpp"

#include <algorithm>
#include <unordered_set>

namespace rgtrans::ir {

namespace {

std::uint64_t position_hash(std::uint32_t set, SymbolId member) { return combine_hash(mix_hash(set), member.value); }

}  // namespace

TypeId Types::set(std::span<const SymbolId> members) {
  // Fast path: members created for this set are in increasing order of their ids, hence distinct.
  const auto not_rising = [](SymbolId a, SymbolId b) { return a >= b; };
  if (std::ranges::adjacent_find(members, not_rising) == members.end()) return distinct_set(members);
  std::vector<SymbolId> unique;
  unique.reserve(members.size());
  std::unordered_set<SymbolId> seen(members.size());
  for (SymbolId member : members) {
    if (seen.insert(member).second) unique.push_back(member);
  }
  return distinct_set(unique);
}

TypeId Types::distinct_set(std::span<const SymbolId> unique) {
  std::uint64_t hash = 1;
  for (SymbolId member : unique) hash = combine_hash(hash, member.value);
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = index_.find_or_insert(hash, fresh, [&](std::uint32_t r) {
    return rows_[r].kind == TypeKind::set && std::ranges::equal(this->members(TypeId(r)), unique);
  });
  if (row != fresh) return TypeId(row);
  const auto begin = static_cast<std::uint32_t>(members_.size());
  members_.insert(members_.end(), unique.begin(), unique.end());
  rows_.push_back({TypeKind::set, begin, static_cast<std::uint32_t>(members_.size())});
  if (unique.size() > 8) {  // scan short sets; in most long ones, the id gives the position
    for (std::uint32_t i = begin; i < members_.size(); ++i) {
      if (members_[i].value - members_[begin].value == i - begin) continue;
      positions_.find_or_insert(position_hash(fresh, members_[i]), i, [](std::uint32_t) { return false; });
    }
  }
  return TypeId(fresh);
}

int Types::index_of(TypeId set, SymbolId symbol) const {
  const Row& row = rows_[set.value];
  if (row.b - row.a <= 8) {
    for (std::uint32_t i = row.a; i < row.b; ++i) {
      if (members_[i] == symbol) return static_cast<int>(i - row.a);
    }
    return -1;
  }
  const std::uint32_t distance = symbol.value - members_[row.a].value;
  if (distance < row.b - row.a && members_[row.a + distance] == symbol) return static_cast<int>(distance);
  const std::uint32_t at = positions_.find(position_hash(set.value, symbol), [&](std::uint32_t r) {
    return r >= row.a && r < row.b && members_[r] == symbol;
  });
  return at == kNone ? -1 : static_cast<int>(at - row.a);
}

TypeId Types::intern(TypeKind kind, std::uint32_t a, std::uint32_t b) {
  const std::uint64_t hash = combine_hash(combine_hash(static_cast<std::uint64_t>(kind) + 7, a), b);
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = index_.find_or_insert(
      hash, fresh, [&](std::uint32_t r) { return rows_[r].kind == kind && rows_[r].a == a && rows_[r].b == b; });
  if (row == fresh) rows_.push_back({kind, a, b});
  return TypeId(row);
}

TypeId Types::arrow(TypeId from, TypeId to) { return intern(TypeKind::arrow, from.value, to.value); }
TypeId Types::alias(SymbolId name) { return intern(TypeKind::alias, name.value, 0); }

}  // namespace rgtrans::ir
