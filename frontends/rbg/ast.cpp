#include "frontends/rbg/ast.hpp"

#include <algorithm>

#include "core/support/sorted.hpp"

namespace rgtrans::rbg {

bool RuleExpressions::same(const ExprNode& a, const ExprNode& b) const {
  if (a.kind != b.kind || a.negated != b.negated || a.relation != b.relation || a.index != b.index ||
      a.left != b.left || a.right != b.right || a.count != b.count) {
    return false;
  }
  for (std::uint32_t i = 0; i < a.count; ++i) {
    if (nodes_[children_[a.first + i].value].shape != nodes_[children_[b.first + i].value].shape) return false;
  }
  return true;
}

ExprId RuleExpressions::add(ExprNode node) {
  std::uint64_t hash = combine_hash(static_cast<std::uint64_t>(node.kind) * 2 + (node.negated ? 1 : 0), node.index);
  hash = combine_hash(combine_hash(hash, static_cast<std::uint64_t>(node.relation)), node.left.value);
  hash = combine_hash(combine_hash(hash, node.right.value), node.count);
  std::uint64_t actions = node.count == 0 ? 1 : 0;
  for (std::uint32_t i = 0; i < node.count; ++i) {
    const ExprNode& part = nodes_[children_[node.first + i].value];
    hash = combine_hash(hash, part.shape);
    actions += part.actions;
  }
  node.actions = static_cast<std::uint32_t>(std::min<std::uint64_t>(actions, 0xffffffffU));
  node.shape =
      shape_index_.find_or_insert(hash, shapes_, [&](std::uint32_t s) { return same(nodes_[shape_nodes_[s]], node); });
  if (node.shape == shapes_) {
    ++shapes_;
    shape_nodes_.push_back(static_cast<std::uint32_t>(nodes_.size()));
  }
  nodes_.push_back(node);
  return ExprId(nodes_.size() - 1);
}

ExprId RuleExpressions::leaf(ExprNode node) { return add(node); }

ExprId RuleExpressions::star(ExprId child, Range where) {
  ExprNode node;
  node.kind = Kind::star;
  node.where = where;
  node.first = static_cast<std::uint32_t>(children_.size());
  node.count = 1;
  children_.push_back(child);
  return add(node);
}

ExprId RuleExpressions::pattern(ExprId child, bool negated, Range where) {
  ExprNode node;
  node.kind = Kind::pattern;
  node.negated = negated;
  node.where = where;
  node.first = static_cast<std::uint32_t>(children_.size());
  node.count = 1;
  children_.push_back(child);
  return add(node);
}

ExprId RuleExpressions::list(Kind kind, std::span<const ExprId> parts, Range where) {
  if (parts.size() == 1) return parts.front();
  std::vector<ExprId> flat;
  flat.reserve(parts.size());
  for (ExprId part : parts) {
    if (nodes_[part.value].kind == kind) {
      const auto inner = children(part);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(part);
    }
  }
  ExprNode node;
  node.kind = kind;
  node.where = where;
  node.first = static_cast<std::uint32_t>(children_.size());
  node.count = static_cast<std::uint32_t>(flat.size());
  children_.insert(children_.end(), flat.begin(), flat.end());
  return add(node);
}

ArithId RuleExpressions::arith(ArithNode node) {
  std::uint64_t hash = combine_hash(static_cast<std::uint64_t>(node.kind), static_cast<std::uint64_t>(node.value));
  hash = combine_hash(combine_hash(hash, node.left.value), node.right.value);
  const auto fresh = static_cast<std::uint32_t>(arith_.size());
  const std::uint32_t row =
      arith_index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return arith_[r] == node; });
  if (row == fresh) arith_.push_back(node);
  return ArithId(row);
}

std::uint32_t RuleExpressions::piece_set(std::vector<std::uint32_t> pieces) {
  sort_unique(pieces);
  std::uint64_t hash = 17;
  for (std::uint32_t piece : pieces) hash = combine_hash(hash, piece);
  const auto fresh = static_cast<std::uint32_t>(sets_.size());
  const std::uint32_t row = set_index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return sets_[r] == pieces; });
  if (row == fresh) sets_.push_back(std::move(pieces));
  return row;
}

}  // namespace rgtrans::rbg
