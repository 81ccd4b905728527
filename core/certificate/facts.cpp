#include "core/certificate/facts.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/support/reach.hpp"
#include "core/support/sorted.hpp"
#include "core/support/sweeps.hpp"

namespace rgtrans::certificate {

// --- Needs ---

Needs::Needs(const ir::Game& game) : game_(game) {
  const ir::Automaton& graph = game.graph;
  for (std::uint32_t i = 0; i < graph.edge_bound(); ++i) {
    first_read_.push_back(static_cast<std::uint32_t>(reads_.size()));
    const EdgeId edge(i);
    if (!graph.alive(edge)) continue;
    ir::for_each_read(game, graph.label(edge), [&](VarId v) { reads_.push_back(v); });
    if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge)))
      checks_[check->to].push_back({graph.source(edge), check->from});
  }
  first_read_.push_back(static_cast<std::uint32_t>(reads_.size()));
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
  for (std::uint32_t i = first_read_[edge.value]; i < first_read_[edge.value + 1]; ++i) live.set(reads_[i].value);
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

// --- Versions ---

Version::Version(ir::Game game) : game_(std::move(game)), known_(std::make_unique<Known>()) {}
Version::~Version() = default;

Needs& Version::needs() {
  if (!known_->needs) known_->needs.emplace(game_);
  return *known_->needs;
}

const Facts& Version::facts() {
  if (!known_->facts) known_->facts.emplace(game_);
  return *known_->facts;
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
  label_of_.assign(game.graph.edge_bound(), kNone);
  std::unordered_map<ir::Label, std::uint32_t, HashLabel> numbers;
  for (const EdgeId edge : game.graph.edges()) {
    if (!reached_[game.graph.source(edge).value]) continue;
    const ir::Label& label = game.graph.label(edge);
    const auto [it, fresh] = numbers.try_emplace(label, static_cast<std::uint32_t>(labels_.size()));
    if (fresh) labels_.push_back(label);
    label_of_[edge.value] = it->second;
  }
  find_values();
  find_effects();
  flow();
}

SymbolSet Facts::values(NodeId node, VarId variable) const {
  const std::size_t first = first_[variable.value];
  SymbolSet found;
  const auto& all = ever_[variable.value].symbols;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (sets_[node.value].test(first + i)) found.symbols.push_back(all[i]);
  return found;
}

void Facts::add_values(const ir::Label& label, std::vector<std::pair<VarId, VarId>>& copies) {
  const VarId written = ir::written_variable(game_, label);
  std::vector<SymbolId>& to = ever_[written.value].symbols;
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) {
    const auto members = game_.members(any->type);
    to.insert(to.end(), members.begin(), members.end());
    return;
  }
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
    copies.emplace_back(e.variable(root), written);
  } else {
    throw TooHard();
  }
}

void Facts::find_values() {
  ever_.resize(game_.variables().size());
  written_.assign(ever_.size(), false);
  std::vector<std::pair<VarId, VarId>> copies;
  for (std::uint32_t v = 0; v < ever_.size(); ++v)
    if (game_.variable(VarId(v)).alive) add_leaves(game_, game_.variable(VarId(v)).initial, ever_[v].symbols);
  for (const ir::Label& label : labels_) {
    if (!ir::is_assignment(label)) continue;
    written_[ir::written_variable(game_, label).value] = true;
    add_values(label, copies);
  }
  for (SymbolSet& set : ever_) sort_unique(set.symbols);
  sort_unique(copies);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [from, to] : copies) {
      if (inside(ever_[from.value], ever_[to.value])) continue;
      std::vector<SymbolId>& symbols = ever_[to.value].symbols;
      const std::vector<SymbolId> more = ever_[from.value].symbols;
      symbols.insert(symbols.end(), more.begin(), more.end());
      sort_unique(symbols);
      changed = true;
    }
  }
  for (const SymbolSet& set : ever_) {
    first_.push_back(bits_);
    bits_ += set.symbols.size();
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

const std::vector<ir::Folded>& Facts::images(ExprId expression, VarId variable) {
  const auto [it, fresh] = images_.try_emplace({expression, variable});
  if (!fresh) return it->second;
  const ir::Expressions& e = game_.expressions();
  for (const SymbolId value : ever_[variable.value].symbols) {
    it->second.push_back(ir::fold(game_, expression, [&](ExprId part) {
      return e.kind(part) == ir::ExprKind::variable && e.variable(part) == variable ? ir::Folded{value, {}}
                                                                                    : ir::Folded{};
    }));
  }
  return it->second;
}

// The values that the label may assign to the variable, or to a cell of it.
void Facts::assign(VarId variable, const ir::Label& label, Effect& effect) {
  const auto& all = ever_[variable.value].symbols;
  const auto number = [&](SymbolId symbol) {
    const auto it = std::ranges::lower_bound(all, symbol);
    if (it == all.end() || *it != symbol) throw TooHard();
    return first_[variable.value] + static_cast<std::size_t>(it - all.begin());
  };
  const auto put_all = [&](std::span<const SymbolId> symbols) {
    for (const SymbolId symbol : symbols) effect.added.push_back(number(symbol));
  };
  if (const auto* any = std::get_if<ir::AssignAny>(&label)) return put_all(game_.members(any->type));
  const ExprId value = std::get<ir::Assign>(label).rhs;
  if (const ir::Folded known = ir::fold(game_, value); known.known()) {
    std::vector<SymbolId> leaves;
    if (known.map.valid()) {
      add_leaves(game_, known.map, leaves);
    } else {
      leaves.push_back(known.symbol);
    }
    return put_all(leaves);
  }
  const ir::Expressions& e = game_.expressions();
  const ExprId root = e.root(value);
  VarId read = only_variable({value});
  std::vector<ir::Folded> found;
  if (e.kind(root) == ir::ExprKind::variable) {
    read = e.variable(root);
    for (const SymbolId symbol : ever_[read.value].symbols) found.push_back({symbol, {}});
  } else if (read.valid()) {
    found = images(value, read);
  }
  if (!read.valid() || !std::ranges::all_of(found, [](const ir::Folded& f) { return f.symbol.valid(); }))
    return put_all(all);
  for (std::size_t i = 0; i < found.size(); ++i)
    effect.added_with.emplace_back(first_[read.value] + i, number(found[i].symbol));
}

Facts::Effect Facts::effect(const ir::Label& label) {
  Effect effect;
  if (const auto* compare = std::get_if<ir::Compare>(&label)) {
    effect.made = number(*compare);
    const VarId v = only_variable({compare->lhs, compare->rhs});
    if (!v.valid()) return effect;
    const std::vector<ir::Folded>&lhs = images(compare->lhs, v), &rhs = images(compare->rhs, v);
    for (std::size_t i = 0; i < lhs.size(); ++i) {
      const bool known = lhs[i].symbol.valid() && rhs[i].symbol.valid();
      if (known && (lhs[i] == rhs[i]) == compare->negated) effect.removed.push_back(first_[v.value] + i);
    }
    return effect;
  }
  effect.written = ir::written_variable(game_, label);
  if (!effect.written.valid()) return effect;
  effect.whole = ir::writes_whole(game_, label);
  assign(effect.written, label, effect);
  const auto* assign = std::get_if<ir::Assign>(&label);
  if (assign == nullptr) return effect;
  bool stable = !ir::reads(game_, assign->rhs, effect.written);
  ir::for_each_index_variable(game_, assign->lhs, [&](VarId v) { stable = stable && v != effect.written; });
  if (stable) effect.made = number({assign->lhs, assign->rhs, false});
  return effect;
}

void Facts::find_effects() {
  for (const ir::Label& label : labels_) effects_.push_back(effect(label));
  read_by_.assign(game_.variables().size(), Bits(conditions_.size()));
  for (std::uint32_t i = 0; i < conditions_.size(); ++i)
    ir::for_each_read(game_, conditions_[i], [&](VarId v) { read_by_[v.value].set(i); });
}

void Facts::flow() {
  const ir::Automaton& graph = game_.graph;
  sets_.assign(graph.node_bound(), Bits(bits_));
  holds_.assign(graph.node_bound(), Bits::full(conditions_.size()));
  for (std::uint32_t v = 0; v < ever_.size(); ++v) {
    if (!game_.variable(VarId(v)).alive) continue;
    std::vector<SymbolId> initial;
    add_leaves(game_, game_.variable(VarId(v)).initial, initial);
    for (const SymbolId symbol : initial) {
      const auto at = std::ranges::lower_bound(ever_[v].symbols, symbol) - ever_[v].symbols.begin();
      sets_[game_.begin().value].set(first_[v] + static_cast<std::size_t>(at));
    }
  }
  holds_[game_.begin().value] = Bits(conditions_.size());
  std::vector<bool> entered(graph.node_bound(), false);
  entered[game_.begin().value] = true;
  Sweeps sweeps(graph.node_bound());
  sweeps.queue(game_.begin().value);
  const auto enter = [&](NodeId node, const Bits& sets, const Bits& holds) {
    bool changed = !entered[node.value];
    entered[node.value] = true;
    changed |= sets_[node.value].merge(sets);
    changed |= !holds.contains(holds_[node.value]);
    holds_[node.value] &= holds;
    if (changed) sweeps.queue(node.value);
  };
  Bits sets, holds;
  sweeps.run(false, [&](std::size_t i) {
    const NodeId node(i);
    for (const EdgeId edge : graph.out_edges(node)) {
      const Effect& effect = effects_[label_of_[edge.value]];
      sets = sets_[i];
      holds = holds_[i];
      if (const auto* check = std::get_if<ir::Reachability>(&graph.label(edge))) enter(check->from, sets, holds);
      for (const std::size_t k : effect.removed) sets.reset(k);
      if (effect.written.valid()) {
        holds.remove(read_by_[effect.written.value]);
        const std::size_t v = effect.written.value;
        for (std::size_t k = 0; effect.whole && k < ever_[v].symbols.size(); ++k) sets.reset(first_[v] + k);
        for (const std::size_t k : effect.added) sets.set(k);
        for (const auto& [from, to] : effect.added_with)
          if (sets_[i].test(from)) sets.set(to);
      }
      if (effect.made != kNone) holds.set(effect.made);
      enter(graph.target(edge), sets, holds);
    }
  });
}

}  // namespace rgtrans::certificate
