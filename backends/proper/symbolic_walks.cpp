#include "backends/proper/symbolic_walks.hpp"

#include <algorithm>

namespace rgtrans::proper {

namespace {

constexpr std::size_t kDeepest = 3000;
constexpr const char* kTooMany = "they are too many";
constexpr std::uint64_t kMostCells = 1U << 24U;
constexpr std::uint64_t kIsCell = std::uint64_t{1} << 32U;  // in the code of a term

}  // namespace

NumberedCells::NumberedCells(const ir::Game& game) : game_(game) {
  std::uint64_t next = 0;
  for (const ir::Variable& variable : game.variables()) {
    first_.push_back(static_cast<std::uint32_t>(next));
    keys_.push_back(game.keys(variable.type));
    if (variable.alive) next += game.cell_count(variable.type);
    few_ = few_ && next < kMostCells;
    if (!few_) return;
  }
  copied_.resize(game.variables().size());
  const ir::Expressions& all = game.expressions();
  for (const ir::EdgeId edge : game.graph.edges()) {
    const auto* assign = std::get_if<ir::Assign>(&game.graph.label(edge));
    if (assign != nullptr && !game.is_set(all.type(assign->lhs)))
      copied_[all.variable(all.root(assign->lhs)).value] = true;
  }
}

std::uint32_t NumberedCells::cell(ir::VarId variable, std::span<const SymbolId> keys) const {
  const std::vector<ir::TypeId>& types = keys_[variable.value];
  if (types.size() != keys.size()) return kNone;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const int position = game_.index_of(types[i], keys[i]);
    if (position < 0) return kNone;
    at = at * static_cast<std::uint32_t>(game_.members(types[i]).size()) + static_cast<std::uint32_t>(position);
  }
  return first_[variable.value] + at;
}

SymbolId NumberedCells::outside(ir::VarId variable, std::span<const SymbolId> keys) const {
  if (copied_[variable.value] || keys_[variable.value].size() != keys.size()) return {};
  ir::ValueId at = game_.variable(variable).initial;
  for (const SymbolId key : keys) at = game_.values.at(at, key);
  return game_.values.as_symbol(at);
}

ir::VarId NumberedCells::variable(std::uint32_t cell) const {
  // The last variable that begins there or before; removed ones have no cells.
  const auto after = std::ranges::upper_bound(first_, cell);
  auto at = static_cast<std::size_t>(after - first_.begin()) - 1;
  while (!game_.variable(ir::VarId(at)).alive) --at;
  return ir::VarId(at);
}

namespace {

struct DecidingProblem {
  using Domain = Bits;

  const ir::Game& game;
  const analysis::Liveness& liveness;
  const analysis::Flow& flow;
  const std::vector<bool>& sure;

  Bits boundary(std::uint32_t) const { return Bits(game.variables().size()); }
  void transfer(const analysis::FlowEdge& edge, const Bits& after, Bits& before) const {
    if (!edge.edge.valid() || edge.call || sure[flow.node(edge.from).value]) return;
    const ir::Label& label = game.graph.label(edge.edge);
    if (game.is_player_assignment(label)) return;
    analysis::add_deciding(game, label, after, before);
    if (const auto* check = std::get_if<ir::Reachability>(&label)) before |= liveness.at(check->from);
  }
};

}  // namespace

std::vector<Bits> decide_moves(const ir::Game& game, const analysis::Liveness& liveness, const analysis::Flow& flow,
                               const std::vector<bool>& sure) {
  const DecidingProblem problem{game, liveness, flow, sure};
  std::vector<Bits> solved = solve_backward(flow, problem);
  std::vector<Bits> deciding(game.graph.node_bound());
  for (std::uint32_t i = 1; i < flow.size(); ++i) deciding[flow.node(i).value] = std::move(solved[i]);
  return deciding;
}

SymbolicWalks::SymbolicWalks(const ir::Game& game, const NumberedCells& cells, const analysis::Liveness& liveness,
                             const std::vector<bool>& sure, const std::vector<Bits>& deciding,
                             CellFormulas::Domain domain, std::uint64_t most_steps, double seconds)
    : game_(game),
      cells_(cells),
      liveness_(liveness),
      sure_(sure),
      deciding_(deciding),
      domain_(std::move(domain)),
      left_(most_steps),
      seconds_(seconds) {}

std::size_t SymbolicWalks::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = combine_hash(combine_hash(key.node, key.kind), key.target);
  for (const auto& [place, term] : key.changes) hash = combine_hash(combine_hash(hash, place), term);
  return hash;
}

void SymbolicWalks::spend() {
  if (left_ == 0 || formulas_.size() > 2'000'000) throw GivenUp{kTooMany};
  if (--left_ % 1024 == 0 && processor_seconds() - begin_ > seconds_) throw GivenUp{kTooMany};
}

void SymbolicWalks::set(Changes& changes, std::uint64_t key, std::uint64_t value) {
  const auto at = std::ranges::lower_bound(changes, key, {}, &Changes::value_type::first);
  if (at != changes.end() && at->first == key) {
    at->second = value;
  } else {
    changes.insert(at, {key, value});
  }
}

const std::uint64_t* SymbolicWalks::find(const Changes& changes, std::uint64_t key) {
  const auto at = std::ranges::lower_bound(changes, key, {}, &Changes::value_type::first);
  return at != changes.end() && at->first == key ? &at->second : nullptr;
}

SymbolicWalks::Term SymbolicWalks::read(std::uint32_t cell, const Changes& changes) const {
  if (const std::uint64_t* written = find(changes, std::uint64_t{cell} * 2)) {
    if (*written < kIsCell) return {SymbolId(static_cast<std::uint32_t>(*written)), kNone};
    cell = static_cast<std::uint32_t>(*written - kIsCell);
  }
  if (const std::uint64_t* assumed = find(changes, std::uint64_t{cell} * 2 + 1))
    return {SymbolId(static_cast<std::uint32_t>(*assumed)), kNone};
  if (const auto known = known_.find(cell); known != known_.end()) return {known->second, kNone};
  return {{}, cell};
}

SymbolId SymbolicWalks::symbol_of(ir::ExprId expression, const Changes& changes) const {
  const Term term = value(expression, changes);
  if (!term.symbol.valid()) throw Split{term.cell};
  return term.symbol;
}

SymbolicWalks::Term SymbolicWalks::place(ir::ExprId expression, const Changes& changes) const {
  const ir::Expressions& all = game_.expressions();
  std::vector<SymbolId> keys;
  for (const ir::ExprId index : ir::indices_of(all, expression)) keys.push_back(symbol_of(index, changes));
  const ir::VarId variable = all.variable(all.root(expression));
  const std::uint32_t cell = cells_.cell(variable, keys);
  if (cell != kNone) return {{}, cell};
  const SymbolId symbol = cells_.outside(variable, keys);
  if (!symbol.valid()) throw GivenUp{"they read whole maps"};
  return {symbol, kNone};
}

SymbolicWalks::Term SymbolicWalks::value(ir::ExprId expression, const Changes& changes) const {
  const ir::Expressions& all = game_.expressions();
  const ir::ExprId root = all.root(expression);
  if (all.kind(root) == ir::ExprKind::symbol) return {all.symbol(root), kNone};
  if (all.kind(root) == ir::ExprKind::variable) {
    const Term found = place(expression, changes);
    return found.cell == kNone ? found : read(found.cell, changes);
  }
  ir::ValueId at = game_.constant(all.constant(root)).value;
  for (const ir::ExprId index : ir::indices_of(all, expression)) {
    if (game_.values.is_symbol(at)) throw GivenUp{"they read a symbol as a map"};
    at = game_.values.at(at, symbol_of(index, changes));
  }
  if (!game_.values.is_symbol(at)) throw GivenUp{"they compare or store whole maps"};
  return {game_.values.as_symbol(at), kNone};
}

SymbolicWalks::Changes SymbolicWalks::stored(const Term& place, Term term, const Changes& changes) const {
  Changes after = changes;
  if (place.cell == kNone) return after;  // outside of the map nothing is stored
  set(after, std::uint64_t{place.cell} * 2, term.symbol.valid() ? term.symbol.value : kIsCell + term.cell);
  return after;
}

// One formula for each value that the cell can have at the start.
template <class Each>
CellFormulas::Id SymbolicWalks::split(std::uint32_t cell, const Changes& changes, const Each& each) {
  std::vector<CellFormulas::Id> parts;
  for (const SymbolId symbol : domain_(cell)) {
    spend();
    Changes assumed = changes;
    set(assumed, std::uint64_t{cell} * 2 + 1, symbol.value);
    parts.push_back(formulas_.both(formulas_.atom(cell, symbol), each(assumed)));
  }
  return formulas_.any(std::move(parts));
}

CellFormulas::Id SymbolicWalks::compare(const ir::Compare& compare, const Changes& changes) {
  const Term left = value(compare.lhs, changes);
  const Term right = value(compare.rhs, changes);
  CellFormulas::Id equal = CellFormulas::kFalse;
  if (left.symbol.valid() && right.symbol.valid()) {
    equal = left.symbol == right.symbol ? CellFormulas::kTrue : CellFormulas::kFalse;
  } else if (left.cell == right.cell) {
    equal = CellFormulas::kTrue;
  } else {
    const std::uint32_t cell = left.symbol.valid() ? right.cell : left.cell;
    const Term& other = left.symbol.valid() ? left : right;
    const std::vector<SymbolId> symbols = domain_(cell);
    if (other.symbol.valid()) {
      if (std::ranges::find(symbols, other.symbol) != symbols.end()) equal = formulas_.atom(cell, other.symbol);
    } else {
      const std::vector<SymbolId> others = domain_(other.cell);
      std::vector<CellFormulas::Id> parts;
      for (const SymbolId symbol : symbols) {
        if (std::ranges::find(others, symbol) == others.end()) continue;
        parts.push_back(formulas_.both(formulas_.atom(cell, symbol), formulas_.atom(other.cell, symbol)));
      }
      equal = formulas_.any(std::move(parts));
    }
  }
  return compare.negated ? formulas_.negation(equal) : equal;
}

CellFormulas::Id SymbolicWalks::holds(const ir::Label& condition, const Changes& changes) {
  spend();
  if (const auto* comparison = std::get_if<ir::Compare>(&condition)) {
    try {
      return compare(*comparison, changes);
    } catch (const Split& needed) {
      return split(needed.cell, changes, [&](const Changes& assumed) { return holds(condition, assumed); });
    }
  }
  const auto& check = std::get<ir::Reachability>(condition);
  const CellFormulas::Id found = truth_of(check, changes);
  return check.negated ? formulas_.negation(found) : found;
}

void SymbolicWalks::forget_dead(Changes& changes, ir::NodeId node, Goal goal) const {
  const auto unused = [&](std::uint64_t key) {
    return !matters(cells_.variable(static_cast<std::uint32_t>(key / 2)), node, goal);
  };
  std::erase_if(changes, [&](const auto& change) { return change.first % 2 == 0 && unused(change.first); });
  // A value that is assumed at the start may also be needed where it was copied.
  std::erase_if(changes, [&](const auto& change) {
    return change.first % 2 == 1 && unused(change.first) && std::ranges::none_of(changes, [&](const auto& copy) {
             return copy.first % 2 == 0 && copy.second == kIsCell + change.first / 2;
           });
  });
}

CellFormulas::Id SymbolicWalks::truth_of(const ir::Reachability& check, const Changes& changes) {
  const Goal goal{Goal::node, check.to};
  Changes written = changes;
  if (checks_ != Checks::all) {
    forget_dead(written, check.from, goal);
    // The check reads the same state if a value of the start is assumed.
    std::erase_if(written, [](const auto& change) { return change.first % 2 == 1; });
    if (checks_ == Checks::none || !written.empty()) {
      const auto [known, fresh] = done_.try_emplace({check.from.value, goal.kind, check.to.value, written});
      if (fresh) known->second = formulas_.unknown();
      return known->second;
    }
  }
  const std::size_t base = std::exchange(base_, open_.size());
  const std::size_t lowest = std::exchange(lowest_, SIZE_MAX);
  const CellFormulas::Id found = visit(check.from, std::move(written), goal);
  base_ = base;
  lowest_ = lowest;
  return found;
}

CellFormulas::Id SymbolicWalks::follow_all(ir::NodeId node, const Changes& changes, Goal goal) {
  if (depth_ > kDeepest) throw GivenUp{"they are too long"};
  ++depth_;
  std::vector<CellFormulas::Id> parts;
  for (const ir::EdgeId edge : game_.graph.out_edges(node)) {
    parts.push_back(follow(edge, changes, goal));
    if (parts.back() == CellFormulas::kTrue) break;
  }
  --depth_;
  return formulas_.any(std::move(parts));
}

CellFormulas::Id SymbolicWalks::visit(ir::NodeId node, Changes changes, Goal goal) {
  if (goal.kind == Goal::node && node == goal.target) return CellFormulas::kTrue;
  if (goal.kind == Goal::move && sure_[node.value]) return CellFormulas::kTrue;
  forget_dead(changes, node, goal);
  // Every cycle that a walk can enter has a node with several edges to it.
  if (game_.graph.in_degree(node) == 1 && depth_ > 0) return follow_all(node, changes, goal);
  const Key key{node.value, goal.kind, goal.target.value, changes};
  if (const auto known = done_.find(key); known != done_.end()) return known->second;
  const std::size_t depth = open_.size();
  const auto [it, fresh] = open_.try_emplace(key, depth);
  if (!fresh) {
    if (it->second < base_) throw GivenUp{"a check needs its own result"};
    lowest_ = std::min(lowest_, it->second);
    return CellFormulas::kFalse;  // a walk that comes back to where it was has a shorter one
  }
  const std::size_t lowest = std::exchange(lowest_, SIZE_MAX);
  const CellFormulas::Id result = follow_all(node, changes, goal);
  open_.erase(key);
  // The result depends on open keys unless the walks below met only this one or later ones.
  if (lowest_ >= depth) {
    done_.emplace(key, result);
    lowest_ = SIZE_MAX;
  }
  lowest_ = std::min(lowest_, lowest);
  return result;
}

CellFormulas::Id SymbolicWalks::follow(ir::EdgeId edge, const Changes& changes, Goal goal) {
  spend();
  const ir::Label& label = game_.graph.label(edge);
  const ir::NodeId target = game_.graph.target(edge);
  const ir::VarId written = ir::written_variable(game_, label);
  const bool ends = goal.kind != Goal::node && game_.is_player_assignment(label);
  try {
    if (const auto* comparison = std::get_if<ir::Compare>(&label)) {
      const CellFormulas::Id condition = compare(*comparison, changes);
      return condition == CellFormulas::kFalse ? condition : formulas_.both(condition, visit(target, changes, goal));
    }
    if (std::holds_alternative<ir::Reachability>(label)) {
      const CellFormulas::Id condition = holds(label, changes);
      return condition == CellFormulas::kFalse ? condition : formulas_.both(condition, visit(target, changes, goal));
    }
    if (written.valid() && !ends && !matters(written, target, goal)) {
      const auto* any = std::get_if<ir::AssignAny>(&label);
      if (any != nullptr && game_.members(any->type).empty()) return CellFormulas::kFalse;
      return visit(target, changes, goal);
    }
    if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
      const Term cell = place(any->lhs, changes);
      std::vector<CellFormulas::Id> parts;
      for (const SymbolId member : game_.members(any->type)) {
        spend();
        parts.push_back(visit(target, stored(cell, {member, kNone}, changes), goal));
        if (parts.back() == CellFormulas::kTrue) break;
      }
      return formulas_.any(std::move(parts));
    }
    if (const auto* assign = std::get_if<ir::Assign>(&label)) {
      if (ends && goal.kind == Goal::move) return CellFormulas::kTrue;
      if (ends && target != goal.target) return CellFormulas::kFalse;
      const Changes after = stored(place(assign->lhs, changes), value(assign->rhs, changes), changes);
      if (!ends) return visit(target, after, goal);
      const std::size_t base = std::exchange(base_, open_.size());
      const std::size_t lowest = std::exchange(lowest_, SIZE_MAX);
      const CellFormulas::Id move = visit(target, after, {Goal::move, {}});
      base_ = base;
      lowest_ = lowest;
      return formulas_.negation(move);
    }
  } catch (const Split& needed) {
    return split(needed.cell, changes, [&](const Changes& assumed) { return follow(edge, assumed, goal); });
  }
  return visit(target, changes, goal);
}

}  // namespace rgtrans::proper
