#include "core/certificate/facts.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"
#include "core/support/sweeps.hpp"

namespace rgtrans::certificate {

Needs::Needs(const ir::Game& game) : game_(game) {
  for (const EdgeId edge : game.graph.edges())
    if (const auto* check = std::get_if<ir::Reachability>(&game.graph.label(edge)))
      checks_[check->to].push_back({game.graph.source(edge), check->from});
}

const Needs::At& Needs::until(NodeId target) {
  auto& at = known_[target];
  if (at == nullptr) {
    at = std::make_unique<At>();
    compute(target, *at);
  }
  if (at->done_) return *at;
  // It is being computed, because checks for different nodes contain each other: everything may be needed.
  if (everything_.rows_.empty()) {
    everything_.row_of_.assign(game_.graph.node_bound(), 0);
    everything_.rows_.assign(2, Bits(game_.variables().size()));
    for (const VarId v : game_.living_variables()) everything_.rows_[0].set(v.value);
  }
  return everything_;
}

void Needs::add_reads(EdgeId edge, NodeId target, const At& so_far, Bits& live) {
  const ir::Label& label = game_.graph.label(edge);
  if (ir::is_tag(label)) {
    if (target.valid()) return;
    live.set(game_.visible().value);
  }
  ir::for_each_read(game_, label, [&](VarId v) { live.set(v.value); });
  if (const auto* check = std::get_if<ir::Reachability>(&label))
    live.merge((check->to == target ? so_far : until(check->to)).live(check->from));
}

// The nodes that matter, by number.
std::vector<std::uint32_t> Needs::region(NodeId target) const {
  const ir::Automaton& graph = game_.graph;
  std::vector<std::uint32_t> ends, starts;
  std::vector<bool> walked(graph.node_bound(), !target.valid());
  if (target.valid()) {
    ends.push_back(target.value);
    if (const auto it = checks_.find(target); it != checks_.end())
      for (const Check& check : it->second) starts.push_back(check.from.value);
    walked = reached_from(graph.node_bound(), starts, [&](std::uint32_t node, auto&& reach) {
      if (NodeId(node) == target) return;
      for (const EdgeId edge : graph.out_edges(NodeId(node))) reach(graph.target(edge).value);
    });
  } else {
    ends.push_back(game_.end().value);
    for (const EdgeId edge : graph.edges())
      if (game_.is_player_assignment(graph.label(edge))) ends.push_back(graph.source(edge).value);
  }
  std::vector<std::uint32_t> found;
  reached_from(graph.node_bound(), ends, [&](std::uint32_t node, auto&& reach) {
    if (!walked[node]) return;
    found.push_back(node);
    for (const EdgeId edge : graph.in_edges(NodeId(node))) reach(graph.source(edge).value);
  });
  std::ranges::sort(found);
  return found;
}

void Needs::compute(NodeId target, At& at) {
  const ir::Automaton& graph = game_.graph;
  const std::vector<std::uint32_t> nodes = region(target);
  at.row_of_.assign(graph.node_bound(), static_cast<std::uint32_t>(nodes.size()));
  at.rows_.assign(nodes.size() + 1, Bits(game_.variables().size()));
  for (std::uint32_t i = 0; i < nodes.size(); ++i) at.row_of_[nodes[i]] = i;
  // The nodes whose edges have a check for this target, by its start.
  std::map<NodeId, std::vector<NodeId>> asked;
  if (const auto it = checks_.find(target); target.valid() && it != checks_.end())
    for (const Check& check : it->second) asked[check.from].push_back(check.source);
  if (!target.valid()) at.rows_[at.row_of_[game_.end().value]].set(game_.goals().value);
  Sweeps sweeps(nodes.size());
  const auto queue = [&](NodeId node) {
    if (at.matters(node)) sweeps.queue(at.row_of_[node.value]);
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) sweeps.queue(i);
  Bits now, after;
  sweeps.run(true, [&](std::size_t i) {
    const NodeId node(nodes[i]);
    if (node == target) return;
    now = at.rows_[i];
    for (const EdgeId edge : graph.out_edges(node)) {
      const ir::Label& label = graph.label(edge);
      const NodeId next = graph.target(edge);
      const bool move_ends = !target.valid() && game_.is_player_assignment(label);
      if (!at.matters(next) && !move_ends) continue;
      const VarId written = ir::written_variable(game_, label);
      after = at.live(next);
      const bool read = !written.valid() || move_ends || after.test(written.value);
      if (written.valid() && ir::writes_whole(game_, label)) after.reset(written.value);
      if (read) add_reads(edge, target, at, after);
      now.merge(after);
    }
    if (!at.rows_[i].merge(now)) return;
    for (const EdgeId edge : graph.in_edges(node)) queue(graph.source(edge));
    if (const auto it = asked.find(node); it != asked.end()) std::ranges::for_each(it->second, queue);
  });
  at.done_ = true;
}

Version::Version(ir::Game game) : game_(std::move(game)), known_(std::make_unique<Known>()) {}
Version::~Version() = default;

Needs& Version::needs() {
  if (!known_->needs) known_->needs.emplace(game_);
  return *known_->needs;
}

Facts& Version::facts() {
  if (!known_->facts) known_->facts.emplace(game_);
  return *known_->facts;
}

namespace {

constexpr std::size_t kMostConditions = 4096;
constexpr std::size_t kMostOuter = 12;  // conditions around another one

void add_leaves(const ir::Game& game, ir::ValueId value, std::vector<SymbolId>& to) {
  if (game.values.is_symbol(value)) {
    to.push_back(game.values.as_symbol(value));
    return;
  }
  add_leaves(game, game.values.default_of(value), to);
  for (const auto& entry : game.values.exceptions(value)) add_leaves(game, entry.value, to);
}

}  // namespace

Facts::Facts(const ir::Game& game) : game_(game), written_(game.variables().size(), false) {
  const std::uint32_t roots[] = {game.begin().value};
  reached_ = reached_from(game.graph.node_bound(), roots, [&](std::uint32_t node, auto&& reach) {
    for (const EdgeId edge : game.graph.out_edges(NodeId(node))) {
      const ir::Label& label = game.graph.label(edge);
      reach(game.graph.target(edge).value);
      if (const auto* check = std::get_if<ir::Reachability>(&label)) reach(check->from.value);
      if (ir::is_assignment(label)) written_[ir::written_variable(game, label).value] = true;
    }
  });
}

void Facts::number_labels() {
  if (!label_of_.empty()) return;
  struct HashLabel {
    std::size_t operator()(const ir::Label& label) const { return ir::hash_label(label); }
  };
  label_of_.assign(game_.graph.edge_bound(), kNone);
  std::unordered_map<ir::Label, std::uint32_t, HashLabel> numbers;
  for (const EdgeId edge : game_.graph.edges()) {
    if (!reached_[game_.graph.source(edge).value]) continue;
    const ir::Label& label = game_.graph.label(edge);
    const auto [it, fresh] = numbers.try_emplace(label, static_cast<std::uint32_t>(labels_.size()));
    if (fresh) labels_.push_back(label);
    label_of_[edge.value] = it->second;
  }
}

VarId Facts::leader(VarId variable) const {
  while (joined_[variable.value] != variable) variable = joined_[variable.value];
  return variable;
}

void Facts::group_variables() {
  number_labels();
  ever_.resize(game_.variables().size());
  first_.resize(ever_.size());
  for (std::uint32_t v = 0; v < ever_.size(); ++v) joined_.emplace_back(v);
  std::vector<std::pair<VarId, std::uint32_t>> changed;
  for (std::uint32_t i = 0; i < labels_.size(); ++i) {
    if (const auto* compare = std::get_if<ir::Compare>(&labels_[i])) {
      if (const VarId v = only_variable({compare->lhs, compare->rhs}); v.valid()) changed.emplace_back(v, i);
    }
    if (!ir::is_assignment(labels_[i])) continue;
    const VarId written = ir::written_variable(game_, labels_[i]);
    changed.emplace_back(written, i);
    const auto* assign = std::get_if<ir::Assign>(&labels_[i]);
    const VarId from = assign == nullptr ? VarId() : source(assign->rhs);
    if (from.valid()) joined_[leader(from).value] = leader(written);
  }
  for (std::uint32_t v = 0; v < ever_.size(); ++v)
    if (game_.variable(VarId(v)).alive) groups_[leader(VarId(v))].variables.emplace_back(v);
  for (const auto& [variable, label] : changed) groups_[leader(variable)].labels.push_back(label);
}

SymbolSet Facts::values(NodeId node, VarId variable) {
  if (joined_.empty()) group_variables();
  Group& group = groups_[leader(variable)];
  if (!group.known) find_values(group);
  const std::size_t first = first_[variable.value];
  SymbolSet found;
  const auto& all = ever_[variable.value].symbols;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (group.flow.at[node.value].test(first + i)) found.symbols.push_back(all[i]);
  return found;
}

// The values that the label assigns, where they depend on no variable.
std::optional<std::vector<SymbolId>> Facts::constant_values(const ir::Label& label) const {
  std::vector<SymbolId> values;
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    const auto members = game_.members(any->type);
    values.assign(members.begin(), members.end());
    return values;
  }
  const ir::Folded known = ir::fold(game_, std::get<ir::Assign>(label).rhs);
  if (!known.known()) return std::nullopt;
  if (known.map.valid()) {
    add_leaves(game_, known.map, values);
  } else {
    values.push_back(known.symbol);
  }
  return values;
}

bool Facts::add_values(const ir::Label& label) {
  const ir::Expressions& e = game_.expressions();
  std::vector<SymbolId> more;
  if (auto values = constant_values(label)) {
    more = std::move(*values);
  } else if (const ExprId root = e.root(std::get<ir::Assign>(label).rhs); e.kind(root) == ir::ExprKind::constant) {
    add_leaves(game_, game_.constant(e.constant(root)).value, more);
  } else if (e.kind(root) == ir::ExprKind::variable) {
    more = ever_[e.variable(root).value].symbols;
  } else {
    throw TooHard();
  }
  std::vector<SymbolId>& to = ever_[ir::written_variable(game_, label).value].symbols;
  const std::size_t before = to.size();
  to.insert(to.end(), more.begin(), more.end());
  sort_unique(to);
  return to.size() > before;
}

void Facts::find_values(Group& group) {
  for (const VarId v : group.variables) {
    ever_[v.value].symbols.clear();
    add_leaves(game_, game_.variable(v).initial, ever_[v.value].symbols);
    sort_unique(ever_[v.value].symbols);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t label : group.labels)
      changed = (ir::is_assignment(labels_[label]) && add_values(labels_[label])) || changed;
  }
  std::size_t size = 0;
  for (const VarId v : group.variables) {
    first_[v.value] = size;
    size += ever_[v.value].symbols.size();
  }
  Bits begin(size);
  for (const VarId v : group.variables) {
    std::vector<SymbolId> initial;
    add_leaves(game_, game_.variable(v).initial, initial);
    for (const SymbolId symbol : initial) begin.set(value_number(v, symbol));
  }
  for (const std::uint32_t label : group.labels) group.flow.effects.emplace(label, effect(labels_[label], size));
  run(group.flow, begin, group.flow);
  group.known = true;
}

VarId Facts::only_variable(std::initializer_list<ExprId> expressions) const {
  VarId only;
  bool one = true;
  for (const ExprId expression : expressions) {
    game_.for_each_variable(expression, [&](VarId v) {
      one = one && (!only.valid() || only == v) && game_.is_set(game_.variable(v).type);
      only = v;
    });
  }
  return one ? only : VarId();
}

VarId Facts::source(ExprId expression) const {
  const ir::Expressions& e = game_.expressions();
  const ExprId root = e.root(expression);
  return e.kind(root) == ir::ExprKind::variable ? e.variable(root) : only_variable({expression});
}

std::vector<ir::Folded> Facts::images(ExprId expression, VarId variable) {
  const ir::Expressions& e = game_.expressions();
  std::vector<ir::Folded> found;
  for (const SymbolId value : ever_[variable.value].symbols) {
    found.push_back(ir::fold(game_, expression, [&](ExprId part) {
      return e.kind(part) == ir::ExprKind::variable && e.variable(part) == variable ? ir::Folded{value, {}}
                                                                                    : ir::Folded{};
    }));
  }
  return found;
}

std::size_t Facts::value_number(VarId variable, SymbolId symbol) const {
  const auto& all = ever_[variable.value].symbols;
  const auto it = std::ranges::lower_bound(all, symbol);
  if (it == all.end() || *it != symbol) throw TooHard();
  return first_[variable.value] + static_cast<std::size_t>(it - all.begin());
}

// The values that the label may assign to the variable, or to a cell of it.
void Facts::assign(VarId variable, const ir::Label& label, Effect& effect) {
  const auto& all = ever_[variable.value].symbols;
  const auto put_all = [&](std::span<const SymbolId> symbols) {
    for (const SymbolId symbol : symbols) effect.added.set(value_number(variable, symbol));
  };
  if (const auto values = constant_values(label)) return put_all(*values);
  const ExprId value = std::get<ir::Assign>(label).rhs;
  const ir::Expressions& e = game_.expressions();
  const VarId read = source(value);
  std::vector<ir::Folded> found;
  if (read.valid() && e.kind(e.root(value)) == ir::ExprKind::variable) {
    for (const SymbolId symbol : ever_[read.value].symbols) found.push_back({symbol, {}});
  } else if (read.valid()) {
    found = images(value, read);
  }
  if (!read.valid() || !std::ranges::all_of(found, [](const ir::Folded& f) { return f.symbol.valid(); }))
    return put_all(all);
  for (std::size_t i = 0; i < found.size(); ++i)
    effect.added_with.emplace_back(first_[read.value] + i, value_number(variable, found[i].symbol));
}

Facts::Effect Facts::effect(const ir::Label& label, std::size_t size) {
  Effect effect{Bits(size), Bits(size), {}};
  if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    const VarId v = only_variable({compare->lhs, compare->rhs});
    const std::vector<ir::Folded> lhs = images(compare->lhs, v), rhs = images(compare->rhs, v);
    for (std::size_t i = 0; i < lhs.size(); ++i) {
      const bool known = lhs[i].symbol.valid() && rhs[i].symbol.valid();
      if (known && (lhs[i] == rhs[i]) == compare->negated) effect.removed.set(first_[v.value] + i);
    }
    return effect;
  }
  const VarId written = ir::written_variable(game_, label);
  for (std::size_t k = 0; ir::writes_whole(game_, label) && k < ever_[written.value].symbols.size(); ++k)
    effect.removed.set(first_[written.value] + k);
  assign(written, label, effect);
  return effect;
}

ExprId Facts::equal_to(VarId variable, const Condition& condition) const {
  const ir::Expressions& e = game_.expressions();
  ExprId side = condition.compare.lhs, other = condition.compare.rhs;
  if (e.kind(side) != ir::ExprKind::variable || e.variable(side) != variable) std::swap(side, other);
  const bool found = e.kind(side) == ir::ExprKind::variable && e.variable(side) == variable &&
                     !condition.compare.negated && (condition.inner != kNone || !ir::reads(game_, other, variable));
  return found ? other : ExprId();
}

void Facts::find_conditions() {
  number_labels();
  Made made;
  std::map<std::tuple<ExprId, ExprId, bool>, std::size_t> numbers;
  const auto add = [&](std::uint32_t label, const ir::Compare& compare) {
    const auto known = std::get<ir::Compare>(ir::canonical(game_, compare));
    const std::tuple key(known.lhs, known.rhs, known.negated);
    if (conditions_.size() >= kMostConditions && !numbers.contains(key)) return;
    const auto [it, fresh] = numbers.try_emplace(key, conditions_.size());
    if (fresh) conditions_.push_back({known, {}});
    made.emplace(label, std::pair(it->second, kNone));
  };
  for (std::uint32_t i = 0; i < labels_.size(); ++i) {
    if (const auto* compare = std::get_if<ir::Compare>(&labels_[i])) add(i, *compare);
    const auto* assign = std::get_if<ir::Assign>(&labels_[i]);
    if (assign == nullptr) continue;
    const VarId written = ir::written_variable(game_, *assign);
    bool stable = !ir::reads(game_, assign->rhs, written);
    ir::for_each_index_variable(game_, assign->lhs, [&](VarId v) { stable = stable && v != written; });
    if (stable) add(i, {assign->lhs, assign->rhs, false});
  }
  do {
    follow(made);
    made = outer_conditions();
  } while (!made.empty() && broken_.size() <= kMostOuter);
}

Facts::Made Facts::outer_conditions() {
  Made made;
  const ir::Expressions& e = game_.expressions();
  const Flow& inner = broken_.back();
  const std::size_t end = conditions_.size(), first = end - inner.size;
  std::set<std::pair<std::uint32_t, std::size_t>> known;
  for (const EdgeId edge : game_.graph.edges()) {
    const std::uint32_t label = label_of_[edge.value];
    const auto* assign = label == kNone ? nullptr : std::get_if<ir::Assign>(&labels_[label]);
    if (assign == nullptr || e.kind(assign->lhs) != ir::ExprKind::variable) continue;
    const VarId written = e.variable(assign->lhs);
    if (!ir::reads(game_, assign->rhs, written)) continue;
    for (std::size_t i = first; i < end && conditions_.size() < kMostConditions; ++i) {
      const bool holds = !inner.at[game_.graph.source(edge).value].test(i - first);
      if (!holds || !equal_to(written, conditions_[i]).valid() || !known.emplace(label, i).second) continue;
      made.emplace(label, std::pair(conditions_.size(), i - first));
      conditions_.push_back({{assign->lhs, assign->rhs, false}, written, static_cast<std::uint32_t>(i)});
    }
  }
  return made;
}

void Facts::follow(const Made& made) {
  std::size_t first = 0;
  for (const Flow& before : broken_) first += before.size;
  Flow flow;
  flow.size = conditions_.size() - first;
  std::vector<Bits> read_by(game_.variables().size(), Bits(flow.size));
  for (std::size_t i = 0; i < flow.size; ++i)
    for_each_read(conditions_[first + i], [&](VarId v) { read_by[v.value].set(i); });
  for (std::uint32_t i = 0; i < labels_.size(); ++i) {
    Effect effect{Bits(flow.size), Bits(flow.size), {}};
    if (const VarId written = ir::written_variable(game_, labels_[i]); written.valid())
      effect.added = read_by[written.value];
    for (auto [it, end] = made.equal_range(i); it != end; ++it) {
      const auto& [condition, inner] = it->second;
      effect.removed.set(condition - first);
      effect.added.reset(condition - first);
      if (inner != kNone) effect.added_with.emplace_back(inner, condition - first);
    }
    if (effect.removed.any() || effect.added.any()) flow.effects.emplace(i, std::move(effect));
  }
  run(flow, Bits::full(flow.size), broken_.empty() ? flow : broken_.back());
  broken_.push_back(std::move(flow));
}

void Facts::run(Flow& flow, const Bits& begin, const Flow& inner) const {
  const ir::Automaton& graph = game_.graph;
  Bits none = begin, now;
  none.clear();
  flow.at.assign(graph.node_bound(), none);
  flow.at[game_.begin().value] = begin;
  Sweeps sweeps(graph.node_bound());
  std::vector<bool> entered(graph.node_bound(), false);
  const auto enter = [&](NodeId node, const Bits& more) {
    if (!flow.at[node.value].merge(more) && entered[node.value]) return;
    entered[node.value] = true;
    sweeps.queue(node.value);
  };
  enter(game_.begin(), begin);
  sweeps.run(false, [&](std::size_t i) {
    for (const EdgeId edge : graph.out_edges(NodeId(i))) {
      if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge))) enter(check->from, flow.at[i]);
      const auto it = flow.effects.find(label_of_[edge.value]);
      if (it == flow.effects.end()) {
        enter(graph.target(edge), flow.at[i]);
        continue;
      }
      const Effect& effect = it->second;
      now = flow.at[i];
      now.remove(effect.removed);
      now |= effect.added;
      for (const auto& [from, to] : effect.added_with)
        if (inner.at[i].test(from)) now.set(to);
      enter(graph.target(edge), now);
    }
  });
}

}  // namespace rgtrans::certificate
