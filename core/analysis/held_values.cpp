#include "core/analysis/held_values.hpp"

#include <algorithm>
#include <set>

#include "core/analysis/flow.hpp"
#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::analysis {

using ir::ExprId;
using ir::ExprKind;
using ir::ValueId;

HeldValues::HeldValues(const ir::Game& game) : game_(game) {
  for (const ir::Variable& variable : game.variables()) held_.push_back(leaves(variable.initial));
  follow_assignments();
}

// Until nothing grows. A variable that keeps growing is taken to hold all of its type.
void HeldValues::follow_assignments() {
  constexpr unsigned kPatience = 256;
  std::vector<ir::Label> assignments;
  std::vector<std::vector<std::size_t>> readers(held_.size());
  for (const ir::EdgeId edge : game_.graph.edges()) {
    const ir::Label& label = game_.graph.label(edge);
    if (!written_variable(game_, label).valid()) continue;
    for_each_read(game_, label, [&](ir::VarId v) { readers[v.value].push_back(assignments.size()); });
    assignments.push_back(label);
  }
  std::vector<unsigned> growths(held_.size(), 0);
  std::set<std::size_t> work;
  for (std::size_t i = 0; i < assignments.size(); ++i) work.insert(i);
  while (!work.empty()) {
    check_wanted();
    const ir::Label& label = assignments[*work.begin()];
    work.erase(work.begin());
    const std::uint32_t written = written_variable(game_, label).value;
    SetId now = sets_.unite(held_[written], assigned(label));
    if (now == held_[written]) continue;
    if (++growths[written] > kPatience) now = sets_.unite(now, members(game_.variables()[written].type));
    held_[written] = now;
    work.insert(readers[written].begin(), readers[written].end());
  }
}

SetId HeldValues::assigned(const ir::Label& label) {
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) return members(any->type);
  return evaluate(std::get<ir::Assign>(label).rhs);
}

SetId HeldValues::evaluate(ExprId expression) {
  const ir::Expressions& e = game_.expressions();
  const ExprId plain = e.uncast(expression);
  if (e.kind(plain) == ExprKind::symbol) return sets_.one(e.symbol(plain));
  const ExprId root = e.root(plain);
  if (e.kind(root) == ExprKind::variable) return held_[e.variable(root).value];
  std::vector<SetId> parts;
  for (const ValueId value : maps(plain)) parts.push_back(leaves(value));
  return sets_.unite_all(std::move(parts));
}

// What a constant map can give, at the keys that its indices can be.
std::vector<ValueId> HeldValues::maps(ExprId expression) {
  const ir::Expressions& e = game_.expressions();
  const ExprId plain = e.uncast(expression);
  if (e.kind(plain) == ExprKind::constant) return {game_.constant(e.constant(plain)).value};
  std::vector<ValueId> found;
  const std::vector<SymbolId> keys = sets_.of(evaluate(e.index(plain)));
  for (const ValueId map : maps(e.map(plain))) {
    for (const SymbolId key : keys) found.push_back(game_.values.at(map, key));
  }
  sort_unique(found);
  return found;
}

SetId HeldValues::leaves(ValueId value) {
  if (game_.values.is_symbol(value)) return sets_.one(game_.values.as_symbol(value));
  std::vector<SetId> parts = {leaves(game_.values.default_of(value))};
  for (const auto& entry : game_.values.exceptions(value)) parts.push_back(leaves(entry.value));
  return sets_.unite_all(std::move(parts));
}

// The symbols of a type, or those that maps of it have as values.
SetId HeldValues::members(ir::TypeId type) {
  ir::TypeId leaf = game_.resolve(type);
  while (game_.is_arrow(leaf)) leaf = game_.resolve(game_.types.to(leaf));
  const auto span = game_.members(leaf);
  std::vector<SymbolId> sorted(span.begin(), span.end());
  std::ranges::sort(sorted);
  return sets_.intern(std::move(sorted));
}

HeldValues::Holds HeldValues::holds(const ir::Compare& compare) {
  if (!game_.is_set(game_.expressions().type(compare.lhs))) return Holds::sometimes;
  const SetId a = evaluate(compare.lhs);
  const SetId b = evaluate(compare.rhs);
  if (sets_.disjoint(a, b)) return compare.negated ? Holds::always : Holds::never;
  if (a == b && sets_.single(a).valid()) return compare.negated ? Holds::never : Holds::always;
  return Holds::sometimes;
}

void drop_decided_conditions(ir::Game& game) {
  std::vector<ir::EdgeId> never;
  std::vector<ir::EdgeId> always;
  HeldValues values(game);
  for (const ir::EdgeId edge : game.graph.edges()) {
    const auto* compare = std::get_if<ir::Compare>(&game.graph.label(edge));
    if (compare == nullptr) continue;
    const HeldValues::Holds holds = values.holds(*compare);
    if (holds == HeldValues::Holds::never) never.push_back(edge);
    if (holds == HeldValues::Holds::always) always.push_back(edge);
  }
  for (const ir::EdgeId edge : never) game.graph.remove_edge(edge);
  for (const ir::EdgeId edge : always) game.graph.set_label(edge, ir::Empty{});
}

}  // namespace rgtrans::analysis
