#include "core/ir/expressions.hpp"

namespace rgtrans::ir {

ExprId Expressions::intern(ExprKind kind, std::uint32_t a, std::uint32_t b, TypeId type) {
  const std::uint64_t hash = combine_hash(combine_hash(static_cast<std::uint64_t>(kind) + 3, a), b);
  const auto fresh = static_cast<std::uint32_t>(rows_.size());
  const std::uint32_t row = index_.find_or_insert(
      hash, fresh, [&](std::uint32_t r) { return rows_[r].kind == kind && rows_[r].a == a && rows_[r].b == b; });
  if (row == fresh) rows_.push_back({kind, a, b, type});
  return ExprId(row);
}

}  // namespace rgtrans::ir
