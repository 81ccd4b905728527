#include "core/certificate/facts.hpp"

#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"

namespace rgtrans::certificate {

bool NumberRow::unite(const NumberRow& other) {
  bool changed = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    changed |= (other.words_[i] & ~words_[i]) != 0;
    words_[i] |= other.words_[i];
  }
  return changed;
}

bool NumberRow::intersect(const NumberRow& other) {
  bool changed = false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    changed |= (words_[i] & ~other.words_[i]) != 0;
    words_[i] &= other.words_[i];
  }
  return changed;
}

void NumberRow::subtract(const NumberRow& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
}

// --- Needs ---

const Needs::At& Needs::until(NodeId target) {
  auto& at = known_[target];
  if (at == nullptr) {
    at = std::make_unique<At>();
    compute(target, *at);
  }
  if (!at->live.empty()) return *at;
  // It is being computed, because checks for different nodes contain each other: everything may be needed.
  NumberRow all(game_.variables().size());
  for (const VarId v : game_.living_variables()) all.add(v.value);
  everything_.live.resize(game_.graph.node_bound(), all);
  everything_.matters.resize(game_.graph.node_bound(), true);
  return everything_;
}

void Needs::add_reads(const ir::Label& label, NodeId target, const std::vector<NumberRow>& so_far, NumberRow& live) {
  if (target.valid() && ir::is_tag(label)) return;
  ir::for_each_read(game_, label, [&](VarId v) { live.add(v.value); });
  if (ir::is_tag(label)) live.add(game_.visible().value);
  if (const auto* check = std::get_if<ir::Reachability>(&label))
    live.unite((check->to == target ? so_far : until(check->to).live)[check->from.value]);
}

void Needs::compute(NodeId target, At& at) {
  const ir::Automaton& graph = game_.graph;
  std::vector<std::uint32_t> ends;
  if (target.valid()) {
    ends.push_back(target.value);
  } else {
    ends.push_back(game_.end().value);
    for (const EdgeId edge : graph.edges())
      if (game_.is_player_assignment(graph.label(edge))) ends.push_back(graph.source(edge).value);
  }
  at.matters = reached_from(graph.node_bound(), ends, [&](std::uint32_t node, auto&& reach) {
    for (const EdgeId edge : graph.in_edges(NodeId(node))) reach(graph.source(edge).value);
  });
  // The nodes whose edges have a check for this target, by its start.
  std::map<NodeId, std::vector<NodeId>> asked;
  std::vector<std::uint32_t> starts;
  for (const EdgeId edge : graph.edges()) {
    const auto* check = std::get_if<ir::Reachability>(&graph.label(edge));
    if (!target.valid() || check == nullptr || check->to != target) continue;
    asked[check->from].push_back(graph.source(edge));
    starts.push_back(check->from.value);
  }
  if (target.valid()) {
    const auto walked = reached_from(graph.node_bound(), starts, [&](std::uint32_t node, auto&& reach) {
      if (NodeId(node) == target) return;
      for (const EdgeId edge : graph.out_edges(NodeId(node))) reach(graph.target(edge).value);
    });
    for (std::size_t i = 0; i < walked.size(); ++i) at.matters[i] = at.matters[i] && walked[i];
  }
  std::vector<NumberRow> live(graph.node_bound(), NumberRow(game_.variables().size()));
  std::deque<NodeId> work;
  std::vector<bool> queued(graph.node_bound(), false);
  const auto queue = [&](NodeId node) {
    if (queued[node.value]) return;
    queued[node.value] = true;
    work.push_back(node);
  };
  if (!target.valid()) live[game_.end().value].add(game_.goals().value);
  for (std::uint32_t i = graph.node_bound(); i-- > 0;)
    if (graph.alive(NodeId(i)) && at.matters[i]) queue(NodeId(i));
  while (!work.empty()) {
    const NodeId node = work.front();
    work.pop_front();
    queued[node.value] = false;
    if (node == target) continue;
    NumberRow now = live[node.value];
    for (const EdgeId edge : graph.out_edges(node)) {
      const ir::Label& label = graph.label(edge);
      const NodeId next = graph.target(edge);
      const bool move_ends = !target.valid() && game_.is_player_assignment(label);
      if (!at.matters[next.value] && !move_ends) continue;
      NumberRow after = live[next.value];
      const VarId written = ir::written_variable(game_, label);
      const bool read = !written.valid() || move_ends || after.has(written.value);
      if (written.valid() && ir::writes_whole(game_, label)) after.remove(written.value);
      if (read) add_reads(label, target, live, after);
      now.unite(after);
    }
    if (!live[node.value].unite(now)) continue;
    for (const EdgeId edge : graph.in_edges(node))
      if (at.matters[graph.source(edge).value]) queue(graph.source(edge));
    if (const auto it = asked.find(node); it != asked.end()) {
      for (const NodeId source : it->second)
        if (at.matters[source.value]) queue(source);
    }
  }
  at.live = std::move(live);
}

// --- Facts ---

namespace {

void add_leaves(const ir::Game& game, ir::ValueId value, std::vector<SymbolId>& to) {
  if (game.values.is_symbol(value)) {
    to.push_back(game.values.as_symbol(value));
    return;
  }
  add_leaves(game, game.values.default_of(value), to);
  for (const auto& entry : game.values.exceptions(value)) add_leaves(game, entry.value, to);
}

}  // namespace

Facts::Facts(const ir::Game& game) : game_(game) {
  const std::uint32_t roots[] = {game.begin().value};
  reached_ = reached_from(game.graph.node_bound(), roots, [&](std::uint32_t node, auto&& reach) {
    for (const EdgeId edge : game.graph.out_edges(NodeId(node))) {
      reach(game.graph.target(edge).value);
      if (const auto* check = std::get_if<ir::Reachability>(&game.graph.label(edge))) reach(check->from.value);
    }
  });
  find_values();
  find_conditions();
  flow();
}

SymbolSet Facts::values(NodeId node, VarId variable) const {
  const std::uint32_t first = first_[variable.value];
  SymbolSet found;
  const auto& all = ever_[variable.value].symbols;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (sets_[node.value].has(first + i)) found.symbols.push_back(all[i]);
  return found;
}

bool Facts::add_values(const ir::Label& label) {
  const VarId written = ir::written_variable(game_, label);
  if (!written.valid()) return false;
  std::vector<SymbolId>& to = ever_[written.value].symbols;
  const std::size_t before = to.size();
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    const auto members = game_.members(any->type);
    to.insert(to.end(), members.begin(), members.end());
  } else {
    const ir::Expressions& e = game_.expressions();
    const ExprId rhs = std::get<ir::Assign>(label).rhs;
    const ExprId root = e.root(rhs);
    if (const ir::Folded known = ir::fold(game_, rhs); known.symbol.valid()) {
      to.push_back(known.symbol);
    } else if (known.map.valid()) {
      add_leaves(game_, known.map, to);
    } else if (e.kind(root) == ir::ExprKind::constant) {
      add_leaves(game_, game_.constant(e.constant(root)).value, to);
    } else if (e.kind(root) == ir::ExprKind::variable) {
      const std::vector<SymbolId> from = ever_[e.variable(root).value].symbols;
      to.insert(to.end(), from.begin(), from.end());
    } else {
      throw TooHard();
    }
  }
  sort_unique(to);
  return to.size() > before;
}

void Facts::find_values() {
  ever_.resize(game_.variables().size());
  for (std::uint32_t v = 0; v < ever_.size(); ++v) {
    if (!game_.variable(VarId(v)).alive) continue;
    add_leaves(game_, game_.variable(VarId(v)).initial, ever_[v].symbols);
    sort_unique(ever_[v].symbols);
  }
  std::vector<EdgeId> writes;
  for (const EdgeId edge : game_.graph.edges())
    if (reached_[game_.graph.source(edge).value] && ir::is_assignment(game_.graph.label(edge))) writes.push_back(edge);
  written_.assign(ever_.size(), false);
  for (const EdgeId edge : writes) written_[ir::written_variable(game_, game_.graph.label(edge)).value] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const EdgeId edge : writes) changed |= add_values(game_.graph.label(edge));
  }
  first_.assign(ever_.size(), kNone);
  for (std::uint32_t v = 0; v < ever_.size(); ++v) {
    if (!game_.variable(VarId(v)).alive) continue;
    first_[v] = static_cast<std::uint32_t>(bits_);
    bits_ += ever_[v].symbols.size();
  }
}

std::uint32_t Facts::number(const ir::Compare& compare) {
  constexpr std::size_t kMostConditions = 4096;
  const auto known = std::get<ir::Compare>(ir::canonical(game_, compare));
  const auto key = std::tuple(known.lhs, known.rhs, known.negated);
  if (const auto it = numbers_.find(key); it != numbers_.end()) return it->second;
  if (conditions_.size() == kMostConditions) return kNone;
  const auto fresh = static_cast<std::uint32_t>(conditions_.size());
  conditions_.push_back(known);
  numbers_[key] = fresh;
  return fresh;
}

void Facts::find_conditions() {
  const ir::Automaton& graph = game_.graph;
  made_by_.assign(graph.edge_bound(), kNone);
  for (const EdgeId edge : graph.edges()) {
    if (!reached_[graph.source(edge).value]) continue;
    const ir::Label& label = graph.label(edge);
    if (const auto* compare = std::get_if<ir::Compare>(&label)) made_by_[edge.value] = number(*compare);
    const auto* assign = std::get_if<ir::Assign>(&label);
    if (assign == nullptr) continue;
    const VarId written = ir::written_variable(game_, label);
    bool stable = !ir::reads(game_, assign->rhs, written);
    ir::for_each_index_variable(game_, assign->lhs, [&](VarId v) { stable = stable && v != written; });
    if (stable) made_by_[edge.value] = number({assign->lhs, assign->rhs, false});
  }
  read_by_.assign(game_.variables().size(), NumberRow(conditions_.size()));
  for (std::uint32_t i = 0; i < conditions_.size(); ++i)
    ir::for_each_read(game_, conditions_[i], [&](VarId v) { read_by_[v.value].add(i); });
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

ir::Folded Facts::folded_for(ExprId expression, VarId variable, SymbolId value) const {
  return ir::fold(game_, expression, [&](ExprId part) {
    const ir::Expressions& e = game_.expressions();
    return e.kind(part) == ir::ExprKind::variable && e.variable(part) == variable ? ir::Folded{value, {}}
                                                                                  : ir::Folded{};
  });
}

// Adds the values that the label may assign to the variable, or to a cell of it.
void Facts::assign(VarId variable, const ir::Label& label, const NumberRow& old, NumberRow& sets) const {
  const std::uint32_t first = first_[variable.value];
  const auto& all = ever_[variable.value].symbols;
  const auto put = [&](SymbolId symbol) {
    const auto it = std::ranges::lower_bound(all, symbol);
    if (it != all.end() && *it == symbol) sets.add(first + static_cast<std::size_t>(it - all.begin()));
  };
  const auto put_all = [&](std::span<const SymbolId> symbols) { std::ranges::for_each(symbols, put); };
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) return put_all(game_.members(any->type));
  const ExprId value = std::get<ir::Assign>(label).rhs;
  const ir::Folded known = ir::fold(game_, value);
  if (known.symbol.valid()) return put(known.symbol);
  const ir::Expressions& e = game_.expressions();
  const ExprId root = e.root(value);
  std::vector<SymbolId> images;
  if (known.map.valid()) {
    add_leaves(game_, known.map, images);
    return put_all(images);
  }
  if (e.kind(root) == ir::ExprKind::variable) {
    const VarId from = e.variable(root);
    for (std::size_t i = 0; i < ever_[from.value].symbols.size(); ++i)
      if (old.has(first_[from.value] + i)) put(ever_[from.value].symbols[i]);
    return;
  }
  if (const VarId read = only_variable({value}); read.valid()) {
    const auto& from = ever_[read.value].symbols;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (old.has(first_[read.value] + i)) images.push_back(folded_for(value, read, from[i]).symbol);
    if (std::ranges::all_of(images, &SymbolId::valid)) return put_all(images);
  }
  put_all(all);
}

void Facts::step(EdgeId edge, NumberRow& sets, NumberRow& holds) const {
  const ir::Label& label = game_.graph.label(edge);
  if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    if (const VarId v = only_variable({compare->lhs, compare->rhs}); v.valid()) {
      const auto& all = ever_[v.value].symbols;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!sets.has(first_[v.value] + i)) continue;
        const ir::Folded lhs = folded_for(compare->lhs, v, all[i]), rhs = folded_for(compare->rhs, v, all[i]);
        if (lhs.symbol.valid() && rhs.symbol.valid() && (lhs == rhs) == compare->negated)
          sets.remove(first_[v.value] + i);
      }
    }
  } else if (const VarId written = ir::written_variable(game_, label); written.valid()) {
    holds.subtract(read_by_[written.value]);
    const NumberRow old = sets;
    if (ir::writes_whole(game_, label)) {
      for (std::size_t i = 0; i < ever_[written.value].symbols.size(); ++i) sets.remove(first_[written.value] + i);
    }
    assign(written, label, old, sets);
  }
  if (made_by_[edge.value] != kNone) holds.add(made_by_[edge.value]);
}

void Facts::flow() {
  const ir::Automaton& graph = game_.graph;
  sets_.assign(graph.node_bound(), NumberRow(bits_));
  holds_.assign(graph.node_bound(), NumberRow(conditions_.size(), true));
  for (std::uint32_t v = 0; v < ever_.size(); ++v) {
    if (first_[v] == kNone) continue;
    std::vector<SymbolId> initial;
    add_leaves(game_, game_.variable(VarId(v)).initial, initial);
    for (const SymbolId symbol : initial) {
      const auto at = std::ranges::lower_bound(ever_[v].symbols, symbol) - ever_[v].symbols.begin();
      sets_[game_.begin().value].add(first_[v] + static_cast<std::size_t>(at));
    }
  }
  holds_[game_.begin().value] = NumberRow(conditions_.size());
  std::deque<NodeId> work{game_.begin()};
  std::vector<bool> queued(graph.node_bound(), false), entered(graph.node_bound(), false);
  entered[game_.begin().value] = true;
  const auto enter = [&](NodeId node, const NumberRow& sets, const NumberRow& holds) {
    bool changed = !entered[node.value];
    entered[node.value] = true;
    changed |= sets_[node.value].unite(sets);
    changed |= holds_[node.value].intersect(holds);
    if (!changed || queued[node.value]) return;
    queued[node.value] = true;
    work.push_back(node);
  };
  while (!work.empty()) {
    const NodeId node = work.front();
    work.pop_front();
    queued[node.value] = false;
    for (const EdgeId edge : graph.out_edges(node)) {
      NumberRow sets = sets_[node.value], holds = holds_[node.value];
      if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge))) enter(check->from, sets, holds);
      step(edge, sets, holds);
      enter(graph.target(edge), sets, holds);
    }
  }
}

}  // namespace rgtrans::certificate
