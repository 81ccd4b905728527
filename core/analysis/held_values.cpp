#include "core/analysis/held_values.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "core/analysis/worklist.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::analysis {

HeldValues::HeldValues(const ir::Game& game, bool members) : Possible(game, /*most_maps=*/std::size_t{1} << 16U) {
  for (const ir::Variable& variable : game.variables()) {
    const SetId initial = leaves(variable.initial);
    held_.push_back(members ? sets_.unite(initial, this->members(variable.type)) : initial);
  }
  follow_assignments();
}

// Iterates to a fixpoint. A variable whose set keeps growing gets all members of its type.
void HeldValues::follow_assignments() {
  constexpr unsigned kPatience = 1024;
  struct Assignment {
    ir::VarId to;
    ir::ExprId value;   // or, for an assignment of any value:
    ir::TypeId any_of;  // the type whose members are assigned
    auto operator<=>(const Assignment&) const = default;
  };
  // Deduplicates: most assignments occur in several places.
  std::set<Assignment> different;
  for (const ir::EdgeId edge : game_.graph.edges()) {
    const ir::Label& label = game_.graph.label(edge);
    if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
      different.insert({game_.assigned_variable(any->lhs), {}, any->type});
    } else if (const auto* assign = std::get_if<ir::Assign>(&label)) {
      different.insert({game_.assigned_variable(assign->lhs), assign->rhs, {}});
    }
  }
  const std::vector<Assignment> assignments(different.begin(), different.end());
  std::vector<std::vector<std::uint32_t>> readers(held_.size());
  for (std::uint32_t i = 0; i < assignments.size(); ++i) {
    if (assignments[i].value.valid())
      game_.for_each_variable(assignments[i].value, [&](ir::VarId v) { readers[v.value].push_back(i); });
  }
  std::vector<std::uint32_t> numbers(assignments.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const Order order(std::move(numbers));
  Worklist work(order, /*all=*/true);
  std::vector<unsigned> growths(held_.size(), 0);
  work.run([&](std::uint32_t number) {
    check_wanted();
    const Assignment& assignment = assignments[number];
    SetId& held = held_[assignment.to.value];
    SetId now = sets_.unite(held, assignment.value.valid() ? values(assignment.value) : members(assignment.any_of));
    if (now == held) return true;
    if (++growths[assignment.to.value] > kPatience) now = sets_.unite(now, members(game_.variable(assignment.to).type));
    held = now;
    for (const std::uint32_t reader : readers[assignment.to.value]) work.queue(reader);
    return true;
  });
}

void HeldValues::narrow(ir::VarId variable, std::vector<SymbolId> symbols) {
  std::ranges::sort(symbols);
  held_[variable.value] = sets_.intern(std::move(symbols));
}

void drop_decided_conditions(ir::Game& game) {
  std::vector<std::pair<ir::EdgeId, Truth>> decided;
  HeldValues values(game);
  for (const ir::EdgeId edge : game.graph.edges()) {
    const auto* compare = std::get_if<ir::Compare>(&game.graph.label(edge));
    if (compare == nullptr) continue;
    const Truth holds = values.holds(*compare, game.graph.source(edge));
    if (holds != Truth::unknown) decided.emplace_back(edge, holds);
  }
  for (const auto& [edge, holds] : decided) {
    if (holds == Truth::no) {
      game.graph.remove_edge(edge);
    } else {
      game.graph.set_label(edge, ir::Empty{});
    }
  }
}

}  // namespace rgtrans::analysis
