#include "frontends/rbg/flow/arithmetic.hpp"

#include <algorithm>

#include "core/support/sorted.hpp"

namespace rgtrans::rbg {

std::optional<std::int64_t> apply(Arith kind, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  switch (kind) {
    case Arith::add:
      return __builtin_add_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case Arith::subtract:
      return __builtin_sub_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case Arith::multiply:
      return __builtin_mul_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case Arith::divide:
      if (right == 0 || (left == INT64_MIN && right == -1)) return std::nullopt;
      return left / right;
    default:
      return std::nullopt;
  }
}

bool holds(Comparison relation, std::int64_t left, std::int64_t right) {
  switch (relation) {
    case Comparison::equal:
      return left == right;
    case Comparison::not_equal:
      return left != right;
    case Comparison::less:
      return left < right;
    case Comparison::less_or_equal:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::greater_or_equal:
      return left >= right;
  }
  return false;
}

Arithmetic::Arithmetic(const Description& description)
    : d_(description),
      largest_(description.variable_count()),
      only_constants_(description.variable_count(), 1),
      constants_(description.variable_count()) {
  for (std::size_t i = 0; i < d_.expressions.size(); ++i) {
    const ExprNode& node = d_.expressions[ExprId(i)];
    if (node.kind != Kind::assign) continue;
    const std::int64_t bound = d_.variable(node.index).bound;
    const auto value = constant(node.left);
    if (!value) {
      only_constants_[node.index] = 0;
      largest_[node.index] = bound;
    } else if (*value >= 0 && *value <= bound) {
      constants_[node.index].push_back(*value);
      largest_[node.index] = std::max(largest_[node.index], *value);
    }
  }
  for (auto& list : constants_) {
    sort_unique(list);
  }
}

std::optional<Interval> Arithmetic::interval(ArithId id) const {
  const ArithNode& node = d_.expressions.arith(id);
  switch (node.kind) {
    case Arith::number:
      return Interval{node.value, node.value};
    case Arith::variable:
      return Interval{0, largest_[static_cast<std::size_t>(node.value)]};
    case Arith::piece:
      return Interval{0, static_cast<std::int64_t>(d_.board.size())};
    default:
      break;
  }
  const auto left = interval(node.left);
  const auto right = interval(node.right);
  if (!left || !right) return std::nullopt;
  std::vector<std::int64_t> divisors = {right->low, right->high};
  if (node.kind == Arith::divide) {
    // The absolute quotient is largest for the divisors closest to zero.
    for (std::int64_t near : {std::int64_t{-1}, std::int64_t{1}}) {
      if (right->low <= near && near <= right->high) divisors.push_back(near);
    }
  }
  std::optional<Interval> result;
  for (std::int64_t a : {left->low, left->high}) {
    for (std::int64_t b : divisors) {
      const auto value = apply(node.kind, a, b);
      if (!value) {
        if (node.kind == Arith::divide && b == 0) continue;
        return std::nullopt;
      }
      if (!result) result = Interval{*value, *value};
      result->low = std::min(result->low, *value);
      result->high = std::max(result->high, *value);
    }
  }
  return result;
}

bool Arithmetic::may_be_undefined(ArithId id) const {
  const ArithNode& node = d_.expressions.arith(id);
  if (!node.left.valid()) return false;
  if (!interval(id) || may_be_undefined(node.left) || may_be_undefined(node.right)) return true;
  const auto divisor = interval(node.right);
  return node.kind == Arith::divide && (!divisor || (divisor->low <= 0 && divisor->high >= 0));
}

void Arithmetic::leaves(ArithId id, std::vector<ArithId>& list) const {
  const ArithNode& node = d_.expressions.arith(id);
  if (node.kind == Arith::number) return;
  if (node.kind == Arith::variable || node.kind == Arith::piece) {
    if (std::ranges::find(list, id) == list.end()) list.push_back(id);
    return;
  }
  leaves(node.left, list);
  leaves(node.right, list);
}

std::optional<std::int64_t> Arithmetic::evaluate(ArithId id, const std::vector<ArithId>& leaves,
                                                 std::span<const std::int64_t> values) const {
  const ArithNode& node = d_.expressions.arith(id);
  if (node.kind == Arith::number) return node.value;
  if (node.kind == Arith::variable || node.kind == Arith::piece) {
    const auto it = std::ranges::find(leaves, id);
    return values[static_cast<std::size_t>(it - leaves.begin())];
  }
  const auto left = evaluate(node.left, leaves, values);
  const auto right = evaluate(node.right, leaves, values);
  if (!left || !right) return std::nullopt;
  return apply(node.kind, *left, *right);
}

std::optional<std::int64_t> Arithmetic::constant(ArithId id) const {
  std::vector<ArithId> list;
  leaves(id, list);
  if (!list.empty()) return std::nullopt;
  return evaluate(id, {}, {});
}

}  // namespace rgtrans::rbg
