// merge-variables: lets variables share one if they are never live at the same time (register allocation by
// interference). The types must be equal, or sets of which one contains the other; the shared variable has the larger
// type. Two variables interfere if one is written while the other is live (except as a copy of it), or if both are live
// in the initial state. A smaller state makes every copy, comparison and hash of a state cheaper.
//
// A variable that serves as an index, or is copied to one, is not merged into a variable of a much larger type or of a
// type that needs more 64-bit words for a set of its values. Reasoners size maps and sets of cells by the type of the
// index.
//
//   var from: Pos = a1;   var to: Pos = a1;   …   (`to` is only used after the last use of `from`)
//   =>   var from: Pos = a1;
#include <algorithm>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"
#include "core/support/bits.hpp"

namespace rgtrans::passes {

using ir::VarId;

namespace {

constexpr std::size_t kMuchLarger = 4;  // ratio of the numbers of values

// The 64-bit words of a set over this many values. One extra value often is a place off the board, which needs no bit.
std::size_t words(std::size_t values) { return (std::max<std::size_t>(values, 2) + 62) / 64; }

bool larger_set(const ir::Game& game, ir::TypeId all, ir::TypeId some) {
  return game.is_set(all) && ir::includes(game, all, some);
}

// The variables that are indices of maps or are copied to such variables.
Bits find_indices(const ir::Game& game) {
  Bits indices(game.variables().size());
  const auto& e = game.expressions();
  std::vector<std::pair<VarId, VarId>> copies;
  for (const ir::EdgeId edge : game.graph.edges()) {
    ir::for_each_expression(game.graph.label(edge), [&](ir::ExprId expression) {
      ir::visit_parts(e, expression, [&](ir::ExprId part) {
        if (e.kind(part) != ir::ExprKind::access) return true;
        const ir::ExprId index = e.uncast(e.index(part));
        if (e.kind(index) == ir::ExprKind::variable) indices.set(e.variable(index).value);
        return true;
      });
    });
    const auto* assign = std::get_if<ir::Assign>(&game.graph.label(edge));
    if (assign == nullptr || e.kind(assign->lhs) != ir::ExprKind::variable) continue;
    const ir::ExprId from = e.uncast(assign->rhs);
    if (e.kind(from) == ir::ExprKind::variable) copies.emplace_back(e.variable(from), e.variable(assign->lhs));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to] : copies) {
      if (!indices.test(to.value) || indices.test(from.value)) continue;
      indices.set(from.value);
      changed = true;
    }
  }
  return indices;
}

// Claims that no other sharing variable, except a copied one, is still needed where one of them is written.
void claim_never_needed_together(ir::Game& game, const std::vector<VarId>& shares) {
  std::vector<std::vector<VarId>> groups(shares.size());  // by owner
  for (std::uint32_t i = 0; i < shares.size(); ++i)
    if (shares[i].valid()) groups[shares[i].value].emplace_back(i);
  const auto& e = game.expressions();
  for (const ir::EdgeId edge : game.graph.edges()) {
    const ir::Label& label = game.graph.label(edge);
    const VarId written = ir::written_variable(game, label);
    if (!written.valid()) continue;
    const VarId owner = shares[written.value].valid() ? shares[written.value] : written;
    VarId copied;
    if (const auto* assign = std::get_if<ir::Assign>(&label); assign != nullptr && ir::writes_whole(game, label)) {
      const ir::ExprId from = e.uncast(assign->rhs);
      if (e.kind(from) == ir::ExprKind::variable) copied = e.variable(from);
    }
    const auto claim = [&](VarId other) {
      if (other != written && other != copied)
        game.claims.add("merge-variables", ir::Unread{edge, other, {}}, game.graph.where(edge));
    };
    for (const VarId other : groups[owner.value]) claim(other);
    if (!groups[owner.value].empty()) claim(owner);
  }
}

}  // namespace

std::size_t merge_variables(ir::Game& game, const PassContext& context) {
  const std::size_t count = game.variables().size();
  const analysis::Flow& flow = context.analyses->flow();
  const analysis::Liveness& liveness = context.analyses->liveness();
  std::vector<Bits> conflict(count, Bits(count));
  for (const analysis::FlowEdge& e : flow.edges()) {
    if (!e.edge.valid() || e.call) continue;
    const ir::Label& label = game.graph.label(e.edge);
    const VarId x = ir::written_variable(game, label);
    if (!x.valid()) continue;
    VarId copied;
    if (const auto* assign = std::get_if<ir::Assign>(&label)) {
      const ir::ExprId rhs = game.expressions().uncast(assign->rhs);
      if (ir::writes_whole(game, label) && game.expressions().kind(rhs) == ir::ExprKind::variable) {
        copied = game.expressions().variable(rhs);
      }
    }
    liveness.at_index(e.to).for_each([&](std::size_t y) {
      if (y != x.value && (!copied.valid() || y != copied.value)) conflict[x.value].set(y);
    });
  }
  const Bits initial = liveness.at_index(0);
  initial.for_each([&](std::size_t x) {
    conflict[x] |= initial;
    conflict[x].reset(x);
  });
  for (std::size_t x = 0; x < count; ++x) {
    const Bits row = conflict[x];
    row.for_each([&](std::size_t y) { conflict[y].set(x); });
  }

  Bits indices = find_indices(game);
  const auto type_of = [&](VarId x) { return game.resolve(game.variable(x).type); };
  // Whether the first variable can hold the values of the second one.
  const auto takes = [&](VarId all, VarId some) {
    if (!larger_set(game, type_of(all), type_of(some))) return false;
    const std::size_t few = game.types.members(type_of(some)).size();
    const std::size_t many = game.types.members(type_of(all)).size();
    return !indices.test(some.value) || (many <= kMuchLarger * few && words(many) <= words(few));
  };
  // Greedy coloring: each variable joins the first earlier one that it can share with.
  std::vector<VarId> shares(count);
  std::vector<VarId> owners;
  std::size_t merged = 0;
  bool retyped = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const VarId x(i);
    if (!game.variable(x).alive || game.built_in(x)) continue;
    const ir::TypeId type = game.resolve(game.variable(x).type);
    auto owner = std::ranges::find_if(
        owners, [&](VarId o) { return game.resolve(game.variable(o).type) == type && !conflict[o.value].test(i); });
    if (owner == owners.end()) {
      owner = std::ranges::find_if(owners,
                                   [&](VarId o) { return !conflict[o.value].test(i) && (takes(o, x) || takes(x, o)); });
      if (owner != owners.end() && !larger_set(game, type_of(*owner), type)) {
        game.variable(*owner).type = game.variable(x).type;
        retyped = true;
      }
    }
    if (owner == owners.end()) {
      owners.push_back(x);
      continue;
    }
    shares[i] = *owner;
    conflict[owner->value] |= conflict[i];
    if (indices.test(i)) indices.set(owner->value);
    if (initial.test(i)) game.variable(*owner).initial = game.variable(x).initial;
    ++merged;
  }
  if (merged == 0) return 0;
  if (game.claims.wanted()) claim_never_needed_together(game, shares);
  if (retyped) game.retype_expressions();
  const auto owner_of = [&](ir::ExprId part) {
    if (game.expressions().kind(part) != ir::ExprKind::variable) return ir::ExprId();
    const VarId owner = shares[game.expressions().variable(part).value];
    return owner.valid() ? game.variable_ref(owner) : ir::ExprId();
  };
  for (ir::EdgeId edge : game.graph.edges()) {
    ir::Label label = game.graph.label(edge);
    ir::for_each_expression(label,
                            [&](ir::ExprId& expression) { expression = ir::rewrite(game, expression, owner_of); });
    if (auto* tag = std::get_if<ir::TagVariable>(&label); tag != nullptr && shares[tag->variable.value].valid()) {
      tag->variable = shares[tag->variable.value];
    }
    if (label != game.graph.label(edge)) game.graph.set_label(edge, label);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (shares[i].valid()) game.remove_variable(VarId(i));
  }
  return merged;
}

}  // namespace rgtrans::passes
