// Symbols, types and tables of the lowering.
#include <fmt/format.h>

#include <algorithm>

#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

void Lowering::edge(NodeId from, NodeId to, ir::Label label) {
  if (++instances_ > limits::instances)
    throw Refused(where_, "the automaton becomes too large", limits::instances.advice());
  g_.graph.add_edge(from, to, label, where_);
}

NodeId Lowering::assign(NodeId from, ExprId variable, ExprId value) {
  const NodeId to = node();
  edge(from, to, ir::Assign{variable, value});
  return to;
}

void Lowering::ask_equal(NodeId from, NodeId yes, NodeId no, ExprId a, ExprId b) {
  if (yes.valid()) edge(from, yes, ir::Compare{a, b, false});
  if (no.valid()) edge(from, no, ir::Compare{a, b, true});
}

NodeId Lowering::check(NodeId from, ExprId a, ExprId b, bool equal) {
  const NodeId to = node();
  edge(from, to, ir::Compare{a, b, !equal});
  return to;
}

ir::TypeId Lowering::type_of(const std::vector<int>& values) {
  const auto [found, is_new] = types_.try_emplace(values);
  if (is_new) {
    std::vector<SymbolId> members;
    for (const int value : values) members.push_back(DefinedOnce::number(value));
    found->second = type(fmt::format("Values{}", types_.size()), members);
  }
  return found->second;
}

ExprId Lowering::variable(const std::string& name, const std::vector<int>& values, int initial) {
  auto& [expr, domain] = variables_[name];
  if (!expr.valid()) {
    expr = g_.variable_ref(g_.define_variable(fresh_name(name), type_of(values), number_value(initial)));
    domain = values;
  }
  return expr;
}

void Lowering::limit_size(const Node& node, std::size_t entries) {
  constexpr std::size_t kMost = 1'000'000;
  if (entries > kMost) throw Refused(node.where, fmt::format("the table for `{}` would be too large", node.shown()));
}

Value Lowering::table(const Value& key, const std::function<int(int)>& f) {
  if (key.constant) return constant(f(*key.constant));
  std::vector<SymbolId> keys;
  std::vector<ir::ValueId> values;
  std::set<int> results;
  for (const int k : key.domain) {
    const int result = f(k);
    keys.push_back(DefinedOnce::number(k));
    values.push_back(number_value(result));
    results.insert(result);
  }
  if (results.size() == 1) return constant(*results.begin());
  std::vector<int> domain(results.begin(), results.end());
  const ir::TypeId arrow = g_.types.arrow(type_of(key.domain), type_of(domain));
  const ExprId map_ref = g_.constant_ref(DefinedOnce::constant("table", arrow, map(keys, values)));
  return value_of(g_.access(map_ref, key.expr), std::move(domain));
}

Value Lowering::table(const Value& first, const Value& second, const std::function<int(int, int)>& f) {
  if (first.constant) return table(second, [&](int b) { return f(*first.constant, b); });
  if (second.constant) return table(first, [&](int a) { return f(a, *second.constant); });
  std::set<int> results;
  std::vector<std::vector<int>> rows;
  for (const int a : first.domain) {
    std::vector<int>& row = rows.emplace_back();
    for (const int b : second.domain) {
      row.push_back(f(a, b));
      results.insert(row.back());
    }
  }
  if (results.size() == 1) return constant(*results.begin());
  std::vector<int> domain(results.begin(), results.end());
  std::vector<SymbolId> keys, inner;
  for (const int b : second.domain) inner.push_back(DefinedOnce::number(b));
  std::vector<ir::ValueId> maps;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys.push_back(DefinedOnce::number(first.domain[i]));
    std::vector<ir::ValueId> values;
    for (const int result : rows[i]) values.push_back(number_value(result));
    maps.push_back(map(inner, values));
  }
  const ir::TypeId arrow =
      g_.types.arrow(type_of(first.domain), g_.types.arrow(type_of(second.domain), type_of(domain)));
  const ExprId map_ref = g_.constant_ref(DefinedOnce::constant("table", arrow, map(keys, maps)));
  return value_of(g_.access(g_.access(map_ref, first.expr), second.expr), std::move(domain));
}

// --- Integers. ---

Known Lowering::known(const Env& env) const {
  Known result;
  for (int i = 0; i < kSlots; ++i) {
    const auto& slot = env.slots[static_cast<std::size_t>(i)];
    if (!slot) result.slots[static_cast<std::size_t>(i)] = kOff;
    if (slot && slot->constant) result.slots[static_cast<std::size_t>(i)] = slot->constant;
  }
  result[Slot::mover] = env.mover;
  result[Slot::next] = uses_next_ && env.after_move ? std::nullopt : std::optional(3 - env.mover);
  result[Slot::prev] = env.prev && env.prev->constant ? env.prev->constant : std::nullopt;
  return result;
}

Value Lowering::slot_value(Slot slot, const Env& env) {
  if (slot == Slot::mover) return constant(env.mover);
  if (slot == Slot::next) return uses_next_ && env.after_move ? next_ : constant(3 - env.mover);
  if (slot == Slot::prev) return env.prev ? *env.prev : prev_;
  const auto& value = env[slot];
  return value ? *value : constant(kOff);
}

int Lowering::owner_of(int component) const { return component == 0 ? 0 : e_.component(component).owner; }

Value Lowering::what(const Value& site) {
  if (site.constant) {
    if (!e_.is_site(*site.constant)) return constant(0);
    return value_of(piece_on(site.expr), pieces_);
  }
  return value_of(piece_on(site.expr), pieces_);
}

Value Lowering::who(const Value& site) {
  return table(what(site), [this](int component) { return owner_of(component); });
}

std::optional<Value> Lowering::leaf(const Node& node, const Env& env) {
  if (const auto slot = find_slot(node)) return slot_value(*slot, env);
  if (node.is_word("Mover")) return constant(env.mover);
  if (node.is_word("Next")) return slot_value(Slot::next, env);
  if (node.is_word("Prev")) return slot_value(Slot::prev, env);
  if (node.is_clause("who") || node.is_clause("what")) {
    Arguments arguments(node);
    const Node* const at = arguments.named("at");
    if (statics_.take_type(arguments) != e_.use) refuse(node);
    arguments.finish();
    if (at == nullptr) refuse(node);
    const Value site = integer(*at, env);
    return node.is_clause("who") ? who(site) : what(site);
  }
  if (node.is_clause("last")) {
    Arguments arguments(node);
    const bool to = arguments.take("To");
    if (!to && !arguments.take("From")) refuse(node);
    arguments.finish();
    return to ? last_to_ : last_from_;
  }
  return std::nullopt;
}

bool Lowering::collect_leaves(const Node& node, const Env& env, std::vector<Leaf>& leaves, bool bound) {
  // Terms within a filter see other iterators than those around it.
  if (bound && (node.is_clause("who") || node.is_clause("what"))) return false;
  if (auto value = leaf(node, env)) {
    const auto slot = find_slot(node);
    const bool known_slot = slot && std::ranges::any_of(leaves, [&](const Leaf& one) { return one.slot == slot; });
    if (known_slot || (value->constant && (slot || node.is_word()))) return true;
    leaves.push_back({&node, slot, *value});
    return true;
  }
  // A condition without a site means the iterator.
  if (node.is_clause("is") && node.items.size() == 2 && node.items[0].is_word("In") && env[Slot::to] &&
      !env[Slot::to]->constant) {
    if (std::ranges::none_of(leaves, [](const Leaf& one) { return one.slot == Slot::to; }))
      leaves.push_back({nullptr, Slot::to, *env[Slot::to]});
  }
  return std::ranges::all_of(node.items, [&](const Node& item) {
    const bool filter = item.label == "if" || item.label == "stop" || item.label == "cond" || node.is_clause("forEach");
    return collect_leaves(item, env, leaves, bound || filter);
  });
}

std::optional<Value> Lowering::tabulate(const Node& node, const Env& env,
                                        const std::function<std::optional<int>(const Known&)>& f,
                                        std::optional<std::pair<Slot, Value>> extra) {
  constexpr std::size_t kMostLeaves = 2;
  std::vector<Leaf> leaves;
  if (!collect_leaves(node, env, leaves, false)) return std::nullopt;
  if (extra && !extra->second.constant) {
    std::erase_if(leaves, [&](const Leaf& one) { return one.slot == extra->first; });
    leaves.push_back({nullptr, extra->first, extra->second});
  }
  Known base = known(env);
  if (extra && extra->second.constant) base[extra->first] = extra->second.constant;
  std::vector<const Leaf*> open;
  for (const Leaf& one : leaves) {
    if (one.value.constant) {
      base.terms[one.node] = *one.value.constant;
    } else {
      open.push_back(&one);
    }
  }
  if (open.size() > kMostLeaves) return std::nullopt;
  std::size_t entries = 1;
  for (const Leaf* one : open) entries *= one->value.domain.size();
  limit_size(node, entries);
  bool all_known = true;
  const auto evaluate = [&](std::vector<int> values) {
    Known here = base;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i]->slot) here[*open[i]->slot] = values[i];
      if (open[i]->node != nullptr && !open[i]->slot) here.terms[open[i]->node] = values[i];
    }
    const auto result = all_known ? f(here) : std::nullopt;
    all_known = all_known && result;
    return result.value_or(0);
  };
  Value result;
  if (open.empty()) {
    result = constant(evaluate({}));
  } else if (open.size() == 1) {
    // Values are computed before any table is made of them.
    std::map<int, int> values;
    for (const int a : open[0]->value.domain) values[a] = evaluate({a});
    if (all_known) result = table(open[0]->value, [&](int a) { return values[a]; });
  } else {
    std::map<std::pair<int, int>, int> values;
    for (const int a : open[0]->value.domain) {
      for (const int b : open[1]->value.domain) values[{a, b}] = evaluate({a, b});
    }
    if (all_known) result = table(open[0]->value, open[1]->value, [&](int a, int b) { return values[{a, b}]; });
  }
  return all_known ? std::optional(result) : std::nullopt;
}

Value Lowering::integer(const Node& node, const Env& env) {
  if (const auto value = statics_.integer(node, known(env))) return constant(*value);
  if (auto value = leaf(node, env)) return *value;
  // The direction of a site ahead depends on the piece there, unless the direction is one of the board.
  const auto value = tabulate(node, env, [&](const Known& here) { return statics_.integer(node, here); });
  if (!value) refuse(node);
  return *value;
}

}  // namespace rgtrans::ludii
