#include "core/analysis/value_sets.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/ir/ir.hpp"
#include "core/support/progress.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::analysis {

using ir::ExprId;
using ir::ExprKind;
using ir::ValueId;

namespace {

bool contains(const std::vector<SymbolId>& sorted, SymbolId symbol) {
  return std::ranges::binary_search(sorted, symbol);
}

}  // namespace

SetId SymbolSets::intern(std::vector<SymbolId> sorted) {
  std::uint64_t hash = 7;
  for (SymbolId s : sorted) hash = (hash ^ s.value) * 0x9e3779b97f4a7c15ULL;
  hash = mix_hash(hash);
  const auto fresh = static_cast<SetId>(sets_.size());
  const SetId row = index_.find_or_insert(hash, fresh, [&](std::uint32_t r) { return sets_[r] == sorted; });
  if (row == fresh) sets_.push_back(std::move(sorted));
  return row;
}

SetId SymbolSets::unite(SetId a, SetId b) {
  if (a == b || b == kEmpty) return a;
  if (a == kEmpty) return b;
  // Most are small beside huge ones that have all their members already.
  constexpr std::size_t kSmaller = 8;
  const bool first_is_small = sets_[a].size() < sets_[b].size();
  const SetId small = first_is_small ? a : b;
  const SetId large = first_is_small ? b : a;
  if ((single(small).valid() || sets_[small].size() * kSmaller < sets_[large].size()) &&
      std::ranges::all_of(sets_[small], [&](SymbolId s) { return contains(sets_[large], s); }))
    return large;
  if (a > b) std::swap(a, b);
  if (const SetId known = unions_.find(a, b); known != Memo::kUnknown) return known;
  std::vector<SymbolId> all;
  std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(all));
  const SetId result = intern(std::move(all));
  unions_.insert(a, b, result);
  return result;
}

SetId SymbolSets::unite_all(std::vector<SetId> parts) {
  sort_unique(parts);
  std::vector<SymbolId> all;
  for (const SetId part : parts) all.insert(all.end(), sets_[part].begin(), sets_[part].end());
  sort_unique(all);
  return intern(std::move(all));
}

SetId SymbolSets::intersect(SetId a, SetId b) {
  if (a == b || a == kEmpty) return a;
  if (b == kEmpty) return b;
  if (single(b).valid()) std::swap(a, b);
  if (const SymbolId only = single(a); only.valid()) return contains(sets_[b], only) ? a : kEmpty;
  std::vector<SymbolId> both;
  std::ranges::set_intersection(sets_[a], sets_[b], std::back_inserter(both));
  return intern(std::move(both));
}

SetId SymbolSets::without(SetId set, SymbolId symbol) {
  // A test for each member of a huge set would make as many huge sets; there a member more does no harm.
  constexpr std::size_t kMost = 1000;
  if (sets_[set].size() > kMost || !contains(sets_[set], symbol)) return set;
  std::vector<SymbolId> rest = sets_[set];
  std::erase(rest, symbol);
  return intern(std::move(rest));
}

bool SymbolSets::disjoint(SetId a, SetId b) const {
  const auto& x = sets_[a];
  const auto& y = sets_[b];
  if (x.size() == 1) return !contains(y, x[0]);
  if (y.size() == 1) return !contains(x, y[0]);
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    if (x[i] == y[j]) return false;
    if (x[i] < y[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return true;
}

struct ValueSetProblem {
  using Domain = Environments::Id;

  ValueSets& analysis;
  const std::vector<SetId>& widest;
  // In a large game a set that grows at the head of a loop is taken to be the widest at once, so that nothing is looked
  // at more than a few times. Empty in others.
  std::vector<bool> loop_heads;
  std::size_t most_parts;
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
    // A set that keeps growing around a loop is taken to be the widest at once, unless that is small.
    constexpr std::size_t kPatience = 5;
    constexpr std::size_t kSmall = 16;
    constexpr std::size_t kLargePatience = 64;  // only for the size of the sets
    SymbolSets& sets = analysis.sets_;
    const SetId all = sets.unite(old, other);
    const SetId most = widest[variable];
    const bool large = !loop_heads.empty();
    const std::size_t patience = large ? kLargePatience : kPatience;
    if (all == old || sets.of(all).size() <= patience || (!large && sets.of(most).size() <= kSmall)) return all;
    return sets.unite(all, most);
  }
};

namespace {

// Where the order of the nodes goes backward; every loop passes one of these.
std::vector<bool> heads_of_loops(const Flow& flow) {
  std::vector<bool> heads(flow.size(), false);
  for (const FlowEdge& e : flow.edges()) {
    if (e.to <= e.from) heads[e.to] = true;
  }
  return heads;
}

}  // namespace

ValueSets::ValueSets(ir::Game& game, const Flow& flow)
    : game_(game), flow_(&flow), environments_(game.variables().size()) {
  std::vector<SetId> widest;
  for (const ir::Variable& v : game.variables()) {
    ir::TypeId type = game.resolve(v.type);
    while (type.valid() && game.types.kind(type) == ir::TypeKind::arrow) type = game.resolve(game.types.to(type));
    widest.push_back(type.valid() ? members(type) : SymbolSets::kEmpty);
  }
  // Where environments differ so much that they need more parts, one for the whole game has to do.
  const std::size_t most_parts = 1'000'000 + 2 * flow.size();
  constexpr std::size_t kLarge = 10'000;
  ValueSetProblem problem{*this, widest, {}, most_parts};
  if (flow.size() > kLarge) {
    // What a variable can hold anywhere is more exact than its type.
    const Environment all = everywhere(problem);
    for (std::size_t v = 0; v < widest.size(); ++v) widest[v] = environments_.get(all, v);
    problem.loop_heads = heads_of_loops(flow);
  }
  at_ = solve_forward(flow, problem);
  coarse_ = problem.gave_up;
  if (coarse_) at_.assign(flow.size(), environments_.make(widest));
  std::vector<std::vector<SetId>> held(game.variables().size());
  std::vector<Environment> all;
  for (const auto& environment : at_) {
    if (environment && (all.empty() || all.back() != *environment)) all.push_back(*environment);
  }
  environments_.for_each_value(all, [&](std::size_t v, SetId set) { held[v].push_back(set); });
  for (std::vector<SetId>& sets : held) ever_.push_back(sets_.unite_all(std::move(sets)));
}

// One environment for all nodes: an assignment is looked at again when what it reads has grown.
ValueSets::Environment ValueSets::everywhere(ValueSetProblem& problem) {
  std::vector<const FlowEdge*> assignments;
  std::vector<std::vector<std::uint32_t>> readers(game_.variables().size());
  for (const FlowEdge& e : flow_->edges()) {
    if (!e.edge.valid() || e.call || !is_assignment(game_.graph.label(e.edge))) continue;
    const auto number = static_cast<std::uint32_t>(assignments.size());
    assignments.push_back(&e);
    if (const auto* assign = std::get_if<ir::Assign>(&game_.graph.label(e.edge)))
      game_.for_each_variable(assign->rhs, [&](ir::VarId v) { readers[v.value].push_back(number); });
  }
  std::vector<std::uint32_t> numbers(assignments.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const Order order(std::move(numbers));
  Worklist work(order, /*all=*/true);
  Environment all = problem.entry();
  work.run([&](std::uint32_t number) {
    const std::uint32_t written = written_variable(game_, game_.graph.label(assignments[number]->edge)).value;
    const std::optional<Environment> after = transfer(*assignments[number], all);
    const SetId old = environments_.get(all, written);
    SetId now = sets_.unite(old, environments_.get(*after, written));
    if (now == old) return true;
    // Thousands of assignments of one symbol each must not make as many sets.
    constexpr std::size_t kPatience = 64;
    if (sets_.of(now).size() > kPatience) now = sets_.unite(now, problem.widest[written]);
    all = environments_.set(all, written, now);
    for (const std::uint32_t reader : readers[written]) work.queue(reader);
    return true;
  });
  return all;
}

SetId ValueSets::leaves(ValueId value) {
  if (game_.values.is_symbol(value)) return sets_.one(game_.values.as_symbol(value));
  if (const auto it = leaves_.find(value); it != leaves_.end()) return it->second;
  // Inner maps are shared: each is looked at once, and the set is made in one go.
  std::unordered_set<ValueId> seen{value};
  std::vector<ValueId> work{value};
  std::vector<SymbolId> symbols;
  auto add = [&](ValueId below) {
    if (game_.values.is_symbol(below)) {
      symbols.push_back(game_.values.as_symbol(below));
    } else if (seen.insert(below).second) {
      work.push_back(below);
    }
  };
  while (!work.empty()) {
    const ValueId map = work.back();
    work.pop_back();
    add(game_.values.default_of(map));
    for (const auto& entry : game_.values.exceptions(map)) add(entry.value);
  }
  sort_unique(symbols);
  return leaves_.emplace(value, sets_.intern(std::move(symbols))).first->second;
}

SetId ValueSets::members(ir::TypeId type) {
  if (const auto it = members_.find(type); it != members_.end()) return it->second;
  const auto span = game_.members(type);
  std::vector<SymbolId> sorted(span.begin(), span.end());
  std::ranges::sort(sorted);
  return members_.emplace(type, sets_.intern(std::move(sorted))).first->second;
}

bool ValueSets::constants(ExprId expression, Environment environment, std::vector<ValueId>& out) {
  constexpr std::size_t kMost = 40;
  const ir::Expressions& e = game_.expressions();
  switch (e.kind(expression)) {
    case ExprKind::constant:
      out.push_back(game_.constant(e.constant(expression)).value);
      return true;
    case ExprKind::cast:
      return constants(e.operand(expression), environment, out);
    case ExprKind::access: {
      std::vector<ValueId> maps;
      if (!constants(e.map(expression), environment, maps)) return false;
      const SetId keys = evaluate(e.index(expression), environment);
      if (sets_.of(keys).size() * maps.size() > 64 * kMost) return false;
      for (ValueId map : maps) {
        if (game_.values.is_symbol(map)) return false;
        for (SymbolId key : sets_.of(keys)) {
          const ValueId value = game_.values.at(map, key);
          if (std::ranges::find(out, value) == out.end()) out.push_back(value);
          if (out.size() > kMost) return false;
        }
      }
      return true;
    }
    case ExprKind::symbol:
    case ExprKind::variable:
      break;
  }
  return false;
}

SetId ValueSets::evaluate(ExprId expression, Environment environment) {
  const ir::Expressions& e = game_.expressions();
  switch (e.kind(expression)) {
    case ExprKind::symbol:
      return sets_.one(e.symbol(expression));
    case ExprKind::constant:
      return leaves(game_.constant(e.constant(expression)).value);
    case ExprKind::variable:
      return environments_.get(environment, e.variable(expression).value);
    case ExprKind::cast:
      return evaluate(e.operand(expression), environment);
    case ExprKind::access:
      break;
  }
  const ExprId root = e.root(expression);
  if (e.kind(root) == ExprKind::variable) return environments_.get(environment, e.variable(root).value);
  // The same lookup with the same sets comes again and again around loops.
  std::uint64_t key = expression.value;
  game_.for_each_variable(expression,
                          [&](ir::VarId v) { key = combine_hash(key, environments_.get(environment, v.value)); });
  if (const auto it = lookups_.find(key); it != lookups_.end()) return it->second;
  const SetId result = look_up(expression, environment);
  lookups_.emplace(key, result);
  return result;
}

SetId ValueSets::look_up(ExprId expression, Environment environment) {
  const ir::Expressions& e = game_.expressions();
  std::vector<ValueId> values;
  if (constants(expression, environment, values)) {
    SetId all = SymbolSets::kEmpty;
    for (ValueId value : values) all = sets_.unite(all, leaves(value));
    return all;
  }
  const ExprId root = e.root(expression);
  return e.kind(root) == ExprKind::constant ? leaves(game_.constant(e.constant(root)).value)
                                            : members(e.type(expression));
}

bool ValueSets::can_hold(const ir::Compare& compare, ir::NodeId node) {
  if (!game_.is_set(game_.expressions().type(compare.lhs))) return true;
  const SetId a = values(compare.lhs, node);
  const SetId b = values(compare.rhs, node);
  if (compare.negated) return a != b || !sets_.single(a).valid();
  return !sets_.disjoint(a, b);
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
