#include "core/analysis/value_sets.hpp"

#include <optional>

#include "core/analysis/held_values.hpp"
#include "core/ir/ir.hpp"
#include "core/support/progress.hpp"

namespace rgtrans::analysis {

using ir::ExprId;
using ir::ExprKind;
using ir::ValueId;

struct ValueSetProblem {
  using Domain = Environments::Id;

  ValueSets& analysis;
  const std::vector<SetId>& widest;
  // By node, in large games only. A set that grows at a loop head is widened at once to the largest possible set. Each
  // node is then processed only a few times.
  std::vector<bool> loop_heads;
  std::size_t most_parts;
  std::size_t small_patience;
  bool gave_up = false;

  Domain entry() {
    std::vector<SetId> initial;
    for (const ir::Variable& v : analysis.game_.variables()) initial.push_back(analysis.leaves(v.initial));
    return analysis.environments_.make(initial);
  }
  std::optional<Domain> transfer(const FlowEdge& edge, Domain before) {
    gave_up = gave_up || analysis.environments_.parts() > most_parts;
    return gave_up ? std::nullopt : analysis.transfer(edge, before);
  }
  bool join(Domain& into, Domain from, std::uint32_t at) {
    Environments& environments = analysis.environments_;
    Domain joined = environments.join(
        into, from, [&](std::size_t variable, SetId old, SetId other) { return grown(variable, old, other); });
    if (joined == into) return false;
    if (!loop_heads.empty() && loop_heads[at]) {
      for (std::size_t v = 0; v < widest.size(); ++v) {
        const SetId set = environments.get(joined, v);
        if (set != environments.get(into, v))
          joined = environments.set(joined, v, analysis.sets_.unite(set, widest[v]));
      }
    }
    into = joined;
    return true;
  }

 private:
  SetId grown(std::size_t variable, SetId old, SetId other) {
    // Widening: a set that keeps growing becomes the widest one, unless that one is small.
    constexpr std::size_t kSmall = 16;
    constexpr std::size_t kLargePatience = 64;  // bounds only the size of the sets
    SymbolSets& sets = analysis.sets_;
    const SetId all = sets.unite(old, other);
    const SetId most = widest[variable];
    const bool large = !loop_heads.empty();
    const std::size_t patience = large ? kLargePatience : small_patience;
    if (all == old || sets.of(all).size() <= patience || (!large && sets.of(most).size() <= kSmall)) return all;
    return sets.unite(all, most);
  }
};

namespace {

// The targets of edges that go backward in the order of nodes. Every loop contains one.
std::vector<bool> heads_of_loops(const Flow& flow) {
  std::vector<bool> heads(flow.size(), false);
  for (const FlowEdge& e : flow.edges()) {
    if (e.to <= e.from) heads[e.to] = true;
  }
  return heads;
}

}  // namespace

ValueSets::ValueSets(const ir::Game& game, const Flow& flow, std::size_t most_maps)
    : Possible(game, most_maps), flow_(&flow), environments_(game.variables().size()) {
  std::vector<SetId> widest;
  for (const ir::Variable& v : game.variables()) widest.push_back(members(v.type));
  // If environments need more parts than this, one environment for the whole game replaces them.
  const std::size_t most_parts = 1'000'000 + 2 * flow.size();
  constexpr std::size_t kLarge = 10'000;
  ValueSetProblem problem{*this, widest, {}, most_parts, most_maps / 8};
  if (flow.size() > kLarge) {
    // The set of all values that a variable ever holds is a tighter widest set than its type.
    const HeldValues held(game);
    for (std::size_t v = 0; v < widest.size(); ++v) widest[v] = sets_.intern(held.of(ir::VarId(v)));
    problem.loop_heads = heads_of_loops(flow);
  }
  at_ = solve_forward(flow, problem);
  if (problem.gave_up) at_.assign(flow.size(), environments_.make(widest));
}

std::optional<ValueSets::Environment> ValueSets::transfer(const FlowEdge& edge, Environment before) {
  check_wanted();
  if (!edge.edge.valid() || edge.call) return before;
  const ir::Label& label = game_.graph.label(edge.edge);
  const ir::Expressions& e = game_.expressions();
  if (const auto* c = std::get_if<ir::Compare>(&label)) {
    if (!game_.is_set(e.type(c->lhs))) return before;
    const SetId a = evaluate(c->lhs, before);
    const SetId b = evaluate(c->rhs, before);
    Environment after = before;
    auto refine = [&](ExprId side, SetId set) {
      const ExprId plain = e.uncast(side);
      if (e.kind(plain) != ExprKind::variable) return;
      after = environments_.set(after, e.variable(plain).value, set);
    };
    if (c->negated) {
      const SymbolId x = sets_.single(a);
      const SymbolId y = sets_.single(b);
      if (x.valid() && x == y) return std::nullopt;
      if (y.valid()) refine(c->lhs, sets_.without(a, y));
      if (x.valid()) refine(c->rhs, sets_.without(b, x));
    } else {
      const SetId both = sets_.intersect(a, b);
      if (both == SymbolSets::kEmpty) return std::nullopt;
      refine(c->lhs, both);
      refine(c->rhs, both);
    }
    return after;
  }
  const ir::VarId written = written_variable(game_, label);
  if (!written.valid()) return before;
  const auto* assign = std::get_if<ir::Assign>(&label);
  const SetId value = assign != nullptr ? evaluate(assign->rhs, before) : members(std::get<ir::AssignAny>(label).type);
  if (writes_whole(game_, label)) return environments_.set(before, written.value, value);
  return environments_.set(before, written.value, sets_.unite(environments_.get(before, written.value), value));
}

}  // namespace rgtrans::analysis
