#include "frontends/rbg/proofs/conditions.hpp"

#include <algorithm>
#include <utility>

#include "frontends/rbg/limits.hpp"

namespace rgtrans::rbg {

namespace {

Condition always() { return {}; }
Condition never() { return {.kind = Condition::Kind::never}; }
Condition unknown() { return {.kind = Condition::Kind::unknown}; }
Condition literal(Atom::Kind kind, std::uint64_t key, Bits allowed, Bits possible) {
  return {Condition::Kind::literal, {{kind, key}, std::move(allowed)}, std::move(possible)};
}

Bits complement(const Bits& bits, std::size_t size) {
  Bits all = Bits::full(size);
  all.remove(bits);
  return all;
}

// The set of vertices with the property.
template <class Property>
Bits vertices_where(std::size_t vertices, Property&& property) {
  Bits inside(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (property(v)) inside.set(v);
  }
  return inside;
}

}  // namespace

StepConditions::StepConditions(const Description& description, const Relations& relations, const FlowGraph& flow,
                               const Knowledge& knowledge, const ByNode<char>& sure)
    : d_(description), r_(relations), f_(flow), known_(knowledge), sure_(sure), arithmetic_(description) {}

Condition StepConditions::of(NodeId node, const FlowStep& step) const {
  const std::size_t vertices = d_.board.size();
  switch (step.kind) {
    case Do::skip:
    case Do::off:
    case Do::any:
    case Do::put:
    case Do::code:
    case Do::forget:
      return always();
    case Do::to_player:
    case Do::to_keeper:
    case Do::to_end:
      return unknown();
    case Do::where: {
      Bits inside(vertices);
      for (std::uint32_t v : r_.members(SetId(step.index))) inside.set(v);
      return cursor(node, step.negated ? complement(inside, vertices) : std::move(inside));
    }
    case Do::move: {
      if (step.total) return always();
      const std::vector<std::uint32_t>& target = r_.function(step.index);
      return cursor(node, vertices_where(vertices, [&](std::uint32_t v) { return target[v] != kNone; }));
    }
    case Do::select: {
      const RelationId relation(step.index);
      return cursor(node, vertices_where(vertices, [&](std::uint32_t v) { return r_.at(relation, v) != r_.empty(); }));
    }
    case Do::on:
      return on(node, step);
    case Do::among:
      return among(node, step);
    case Do::compare:
      return compare(step);
    case Do::assign:
      return assign(step);
    case Do::check:
      return check(step);
  }
  return never();
}

Condition StepConditions::cursor(NodeId node, Bits inside) const {
  return literal(Atom::Kind::cursor, 0, std::move(inside), known_.cursors[node]);
}

Condition StepConditions::on(NodeId node, const FlowStep& step) const {
  const std::size_t kinds = d_.pieces.size();
  Bits allowed = contents_bits(d_, step.index);
  if (step.negated) allowed = complement(allowed, kinds + 1);
  const bool at_cursor = step.at == kNone;
  Bits possible(kinds + 1);
  for (std::size_t p = 0; p < kinds; ++p) {
    if (!at_cursor || known_.pieces[node].test(p)) possible.set(p);
  }
  if (!at_cursor) {
    known_.cursors[node].for_each([&](std::size_t v) {
      if (r_.function(step.at)[v] == kNone) possible.set(kinds);
    });
  }
  return literal(Atom::Kind::piece, step.at, std::move(allowed), std::move(possible));
}

Condition StepConditions::among(NodeId node, const FlowStep& step) const {
  const FlowGraph::Table& table = f_.table(step.table);
  auto is_key = [&](std::int64_t value) {
    return std::ranges::any_of(table, [&](const auto& entry) { return entry.first == value; });
  };
  if (step.at != kNone) {
    const ArithId leaf = variable_leaf(step.at);
    return leaf.valid() && few_values(leaf) ? value(leaf, is_key) : unknown();
  }
  const std::size_t kinds = d_.pieces.size();
  Bits allowed(kinds + 1), possible(kinds + 1);
  for (std::size_t p = 0; p < kinds; ++p) {
    if (is_key(static_cast<std::int64_t>(p))) allowed.set(p);
    if (known_.pieces[node].test(p)) possible.set(p);
  }
  return literal(Atom::Kind::piece, kNone, std::move(allowed), std::move(possible));
}

Condition StepConditions::compare(const FlowStep& step) const {
  std::vector<ArithId> leaves;
  arithmetic_.leaves(step.left, leaves);
  arithmetic_.leaves(step.right, leaves);
  auto truth = [&](std::span<const std::int64_t> values) {
    const auto left = arithmetic_.evaluate(step.left, leaves, values);
    const auto right = arithmetic_.evaluate(step.right, leaves, values);
    return (left && right && holds(step.relation, *left, *right)) != step.negated;
  };
  if (leaves.empty()) return truth({}) ? always() : never();
  if (leaves.size() == 1 && few_values(leaves.front())) {
    return value(leaves.front(), [&](std::int64_t x) { return truth({&x, 1}); });
  }
  if (arithmetic_.may_be_undefined(step.left) || arithmetic_.may_be_undefined(step.right)) return unknown();
  const bool turned = step.left > step.right;
  const ArithId low = turned ? step.right : step.left;
  const ArithId high = turned ? step.left : step.right;
  Bits allowed(3);  // less, equal, greater
  for (std::int64_t order = -1; order <= 1; ++order) {
    if (holds(step.relation, turned ? -order : order, 0) != step.negated)
      allowed.set(static_cast<std::size_t>(order + 1));
  }
  return literal(Atom::Kind::order, (std::uint64_t{low.value} << 32U) | high.value, std::move(allowed), Bits::full(3));
}

Condition StepConditions::assign(const FlowStep& step) const {
  const std::int64_t bound = d_.variable(step.index).bound;
  std::vector<ArithId> leaves;
  arithmetic_.leaves(step.left, leaves);
  if (leaves.size() == 1 && few_values(leaves.front())) {
    return value(leaves.front(), [&](std::int64_t x) {
      const auto result = arithmetic_.evaluate(step.left, leaves, {&x, 1});
      return result && *result >= 0 && *result <= bound;
    });
  }
  const auto range = arithmetic_.interval(step.left);
  const bool fits = range && range->low >= 0 && range->high <= bound && !arithmetic_.may_be_undefined(step.left);
  return fits ? always() : unknown();
}

Condition StepConditions::check(const FlowStep& step) const {
  if (sure_[f_.pattern(step).start] != 0) return step.negated ? never() : always();
  Bits allowed(2);  // no, yes
  allowed.set(step.negated ? 0 : 1);
  return literal(Atom::Kind::pattern, step.index, std::move(allowed), Bits::full(2));
}

template <class Test>
Condition StepConditions::value(ArithId leaf, Test&& test) const {
  const std::int64_t last = largest(leaf);
  const std::size_t size = static_cast<std::size_t>(last) + 1;
  Bits allowed(size);
  for (std::int64_t x = 0; x <= last; ++x) {
    if (test(x)) allowed.set(static_cast<std::size_t>(x));
  }
  return literal(Atom::Kind::value, leaf.value, std::move(allowed), Bits::full(size));
}

bool StepConditions::few_values(ArithId leaf) const { return largest(leaf) <= kProofLimits.values; }

ArithId StepConditions::variable_leaf(std::uint32_t variable) const {
  for (std::size_t i = 0; i < d_.expressions.arith_count(); ++i) {
    const ArithNode& node = d_.expressions.arith(ArithId(i));
    if (node.kind == Arith::variable && node.value == static_cast<std::int64_t>(variable)) return ArithId(i);
  }
  return {};
}

}  // namespace rgtrans::rbg
