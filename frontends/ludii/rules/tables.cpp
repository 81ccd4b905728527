// Symbols, types and tables of the lowering.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "frontends/ludii/limits.hpp"
#include "frontends/ludii/rules/lowering.hpp"

namespace rgtrans::ludii {

using ir::ExprId;
using ir::NodeId;

std::vector<int> ascending(int first, int last) {
  std::vector<int> result(static_cast<std::size_t>(std::max(std::int64_t{0}, std::int64_t{last} - first + 1)));
  std::iota(result.begin(), result.end(), first);
  return result;
}

// A refused game is looked through for other ludemes that are missing, but only so far.
void Lowering::spend(std::uint64_t entries) {
  constexpr std::uint64_t kMostEdges = 20'000, kMostEntries = 2'000'000;
  entries_ += entries;
  if ((instances_ > kMostEdges || entries_ > kMostEntries) && !refusals_.empty())
    throw Refused(refusals_.front().where, refusals_.front().message);
}

void Lowering::edge(NodeId from, NodeId to, ir::Label label) {
  ++instances_;
  spend(0);
  if (instances_ > limits::instances)
    throw Refused(where_, "the automaton becomes too large", limits::instances.advice());
  g_.graph.add_edge(from, to, label, where_);
}

NodeId Lowering::assign(NodeId from, ExprId variable, ExprId value) {
  const NodeId to = node();
  edge(from, to, ir::Assign{variable, value});
  return to;
}

Value Lowering::limited(const std::string& name, const Value& value, NodeId& at) {
  const auto it = limits_.find(name);
  if (it == limits_.end() || value.domain.empty()) return value;
  const int low = it->second.low, high = it->second.high;
  if (value.domain.front() >= low && value.domain.back() <= high) return value;
  at = when(at, passes(value, [=](int v) { return v < low || v > high; }), ir::Assign{limit_reached_.expr, number(1)});
  return table(value, [&](int v) { return std::clamp(v, low, high); });
}

bool Lowering::note_values(const std::string& name, const std::vector<int>& values) {
  std::set<int>& known = domains_.values[name];
  const std::size_t before = known.size();
  known.insert(values.begin(), values.end());
  domains_.grown = domains_.grown || known.size() != before;
  return known.size() != before;
}

NodeId Lowering::store(NodeId from, const std::string& name, ExprId variable, const Value& given) {
  constexpr std::size_t kMostRounds = 24, kMostValues = 2000;
  const Value value = limited(name, given, from);
  if (note_values(name, value.domain) && (domains_.round > kMostRounds || domains_.values[name].size() > kMostValues))
    throw Refused(where_, fmt::format("no bound is known for `{}`, so it is not translated yet", name),
                  fmt::format("--option \"bound {}=200\" stops plays that go beyond", name));
  return assign(from, variable, value.expr);
}

void Lowering::ask_equal(NodeId from, NodeId yes, NodeId no, const Value& a, const Value& b) {
  if (std::ranges::none_of(a.domain, [&](int v) { return b.may_be(v); })) return jump(from, no);
  if (a.constant && b.constant) return jump(from, yes);
  if (yes.valid()) edge(from, yes, ir::Compare{a.expr, b.expr, false});
  if (no.valid()) edge(from, no, ir::Compare{a.expr, b.expr, true});
}

void Lowering::ask_equal(NodeId from, NodeId yes, NodeId no, const Value& a, int b) {
  ask_equal(from, yes, no, a, constant(b));
}

// Which of two numbers is larger. Large ones are compared digit by digit.
void Lowering::ask_order(const Value& a, const Value& b, NodeId from, NodeId less, NodeId equal, NodeId greater) {
  constexpr std::size_t kMostEntries = 20'000;
  if (a.domain.size() * b.domain.size() <= kMostEntries) {
    const Value order = table(a, b, [](int x, int y) { return x < y ? 0 : x == y ? 1 : 2; });
    ask_equal(from, less, NodeId(), order, 0);
    ask_equal(from, equal, NodeId(), order, 1);
    ask_equal(from, greater, NodeId(), order, 2);
    return;
  }
  const int low = std::min(a.domain.front(), b.domain.front());
  const int range = std::max(a.domain.back(), b.domain.back()) - low;
  int base = 2;
  while (base * base <= range) ++base;
  const auto digit = [&](const Value& v, bool high) {
    return table(v, [&](int x) { return high ? (x - low) / base : (x - low) % base; });
  };
  const NodeId same = node();
  ask_order(digit(a, true), digit(b, true), from, less, same, greater);
  ask_order(digit(a, false), digit(b, false), same, less, equal, greater);
}

NodeId Lowering::check(NodeId from, const Value& a, int b, bool equal) {
  const NodeId to = node();
  ask_equal(from, equal ? to : NodeId(), equal ? NodeId() : to, a, b);
  return to;
}

NodeId Lowering::holds(const Node& condition, NodeId from, const Env& env) {
  const NodeId to = node();
  ask(condition, from, to, NodeId(), env);
  return to;
}

NodeId Lowering::after_test(const Value& value, NodeId from, NodeId no, const std::function<bool(int)>& test) {
  const NodeId there = node();
  ask_test(value, from, there, no, test);
  return there;
}

Value Lowering::guess(ExprId variable, const std::vector<int>& values, NodeId& at) {
  const NodeId chosen = node();
  edge(at, chosen, ir::AssignAny{variable, type_of(values)});
  at = chosen;
  return value_of(variable, values);
}

ExprId Lowering::mark_region(const Node& area, NodeId& at, const Env& env) {
  const ExprId map_ref = marks(at);
  at = for_each_site(area, at, env, [&](NodeId here, const Value& site) { return mark(here, map_ref, site); });
  return map_ref;
}

NodeId Lowering::loop(const std::vector<int>& values, const Value& variable, NodeId at,
                      const std::function<NodeId(NodeId)>& body) {
  if (values.empty()) return at;
  const Value here = value_of(variable.expr, values);
  at = assign(at, here.expr, number(values.front()));
  if (values.size() == 1) return body(at);
  const NodeId head = node(), end = node();
  jump(at, head);
  const NodeId behind = body(head);
  const NodeId more = node();
  ask_equal(behind, end, more, here, values.back());
  const Value next = table(here, [&](int v) {
    const auto it = std::ranges::upper_bound(values, v);
    return it == values.end() ? values.front() : *it;
  });
  edge(more, head, ir::Assign{here.expr, next.expr});
  return end;
}

ir::TypeId Lowering::type_of(const std::vector<int>& values) {
  const auto [found, is_new] = types_.try_emplace(values);
  if (is_new) {
    std::vector<SymbolId> members;
    for (const int value : values) members.push_back(symbol(value));
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

ir::ValueId Lowering::map_of(const std::vector<int>& keys, const std::function<ir::ValueId(int)>& value) {
  std::vector<SymbolId> symbols;
  std::vector<ir::ValueId> values;
  for (const int key : keys) {
    symbols.push_back(symbol(key));
    values.push_back(value(key));
  }
  return map(symbols, values);
}

ExprId Lowering::map_variable(const std::string& name, const std::vector<int>& keys, const std::vector<int>& values,
                              const std::function<int(int)>& initial) {
  auto& [expr, domain] = variables_[name];
  if (expr.valid()) return expr;
  const ir::ValueId start = map_of(keys, [&](int key) { return number_value(initial(key)); });
  const ir::TypeId arrow = arrow_type(keys, type_of(values));
  expr = g_.variable_ref(g_.define_variable(fresh_name(name), arrow, start));
  domain = values;
  return expr;
}

std::vector<int> Lowering::domain(const std::string& name, const std::set<int>& initial) {
  std::set<int>& values = domains_.values[name];
  values.insert(initial.begin(), initial.end());
  return {values.begin(), values.end()};
}

Value Lowering::found(const std::string& name, int initial) {
  const std::vector<int> values = domain(name, {initial});
  return value_of(variable(name, values, initial), values);
}

ExprId Lowering::found_map(const std::string& name, const std::vector<int>& keys,
                           const std::function<int(int)>& initial) {
  std::set<int> start;
  for (const int key : keys) start.insert(initial(key));
  return map_variable(name, keys, domain(name, start), initial);
}

Value Lowering::temporary(const Value& value, NodeId& at, const std::optional<std::vector<int>>& domain) {
  const std::vector<int> values = domain.value_or(value.domain);
  const ir::TypeId type = type_of(values);
  const ExprId expr = variable(fmt::format("t{}_{}", ++temporaries_, type.value), values, values.front());
  at = assign(at, expr, value.expr);
  return {std::nullopt, expr, values};
}

ExprId Lowering::marks(NodeId& at) {
  const ExprId map_ref = map_variable(fmt::format("marks{}", ++temporaries_), places_, {0, 1}, [](int) { return 0; });
  at = clear(at, map_ref);
  return map_ref;
}

// Sets all places of a map to 0.
NodeId Lowering::clear(NodeId at, ExprId map_ref) {
  if (!map_ref.valid()) return at;
  const ir::ValueId none = map_of(places_, [&](int) { return number_value(0); });
  const ir::TypeId arrow = arrow_type(places_, type_of({0, 1}));
  return assign(at, map_ref, g_.constant_ref(DefinedOnce::constant("no_marks", arrow, none)));
}

void Lowering::limit_size(const Node& node, std::size_t entries) {
  constexpr std::size_t kMost = 1'000'000;
  if (entries > kMost) throw Refused(node.where, fmt::format("the table for `{}` would be too large", node.shown()));
}

Value Lowering::table(const Value& key, const std::function<int(int)>& f) {
  if (key.domain.empty()) return constant(kOff);
  if (key.constant) return constant(f(*key.constant));
  spend(key.domain.size());
  std::map<int, int> values;
  std::set<int> results;
  for (const int k : key.domain) results.insert(values[k] = f(k));
  if (results.size() == 1) return constant(*results.begin());
  std::vector<int> domain(results.begin(), results.end());
  const ir::TypeId arrow = arrow_type(key.domain, type_of(domain));
  const ir::ValueId all = map_of(key.domain, [&](int k) { return number_value(values[k]); });
  const ExprId map_ref = g_.constant_ref(DefinedOnce::constant("table", arrow, all));
  return value_of(g_.access(map_ref, key.expr), std::move(domain));
}

Value Lowering::table(const Value& first, const Value& second, const std::function<int(int, int)>& f,
                      const std::string& kept) {
  if (first.domain.empty() || second.domain.empty()) return constant(kOff);
  if (first.constant) return table(second, [&](int b) { return f(*first.constant, b); });
  if (second.constant) return table(first, [&](int a) { return f(a, *second.constant); });
  const auto look_up = [&](ExprId map_ref, std::vector<int> domain) {
    return value_of(g_.access(g_.access(map_ref, first.expr), second.expr), std::move(domain));
  };
  decltype(kept_tables_)::key_type key;
  if (!kept.empty()) {
    // One after the other, so that every compiler numbers types in the same order.
    const ir::TypeId rows_type = type_of(first.domain), columns_type = type_of(second.domain);
    key = {kept, rows_type, columns_type};
  }
  if (const auto known = kept_tables_.find(key); known != kept_tables_.end())
    return look_up(known->second.first, known->second.second);
  spend(first.domain.size() * second.domain.size());
  std::set<int> results;
  std::vector<std::vector<int>> rows;
  for (const int a : first.domain) {
    std::vector<int> row;
    for (const int b : second.domain) {
      row.push_back(f(a, b));
      // Neighbours are often equal.
      if (row.size() == 1 || row.back() != row[row.size() - 2]) results.insert(row.back());
    }
    rows.push_back(std::move(row));
  }
  if (results.size() == 1) return constant(*results.begin());
  std::vector<int> domain(results.begin(), results.end());
  auto row = rows.begin();
  const ir::ValueId maps = map_of(first.domain, [&](int) {
    auto result = row++->begin();
    return map_of(second.domain, [&](int) { return number_value(*result++); });
  });
  const ir::TypeId arrow = arrow_type(first.domain, arrow_type(second.domain, type_of(domain)));
  const ExprId map_ref = g_.constant_ref(DefinedOnce::constant("table", arrow, maps));
  if (!kept.empty()) kept_tables_.emplace(key, std::pair(map_ref, domain));
  return look_up(map_ref, std::move(domain));
}

}  // namespace rgtrans::ludii
