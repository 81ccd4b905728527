// Variable elimination gives the decomposition: it eliminates the variables that are not in the head, cheapest first,
// then merges bags while that lowers the estimate. Soundness: an eliminated variable is existentially quantified in the
// body, so the literals that mention it can be evaluated on their own and projected. Negated literals move with them.
#include "frontends/gdl/ground/split.hpp"

#include <algorithm>
#include <tuple>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

constexpr double kInfinite = 1e300;
constexpr double kHuge = 1e200;

template <class T>
bool contains(const std::vector<T>& list, T value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace

double Splitter::product(std::span<const std::uint32_t> variables) const {
  double result = 1;
  for (const std::uint32_t v : variables) result = std::min(kHuge, result * values(v));
  return result;
}

Splitter::Item Splitter::item_of(const EngineLiteral& literal) const {
  const Patterns& patterns = engine_.program.patterns;
  Item item;
  item.dynamic = literal.dynamic;
  item.binds = !literal.negated && literal.relation.valid();
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c) {
    patterns.for_each_variable(literal.arguments[c], [&](std::uint32_t v) {
      if (contains(item.variables, v)) return;
      item.variables.push_back(v);
      double distinct = values(v);
      if (item.binds && !literal.dynamic && literal.arguments[c].is_variable())
        distinct = engine_.relations[literal.relation.value].tuples->distinct(c);
      item.distinct.push_back(distinct);
    });
  }
  if (!item.binds) return item;
  item.rows = product(item.variables);
  if (literal.dynamic) return item;
  Relation& tuples = *engine_.relations[literal.relation.value].tuples;
  double rows = tuples.size();
  for (std::uint32_t c = 0; c < literal.arguments.size(); ++c)
    if (literal.arguments[c].is_ground()) rows /= tuples.distinct(c);
  item.rows = std::min(item.rows, rows);
  return item;
}

// Estimates a join: each bound column divides the rows by its number of distinct values.
Splitter::Estimate Splitter::join(std::span<const Item* const> items) const {
  Estimate result;
  std::vector<bool> bound(values_.size());
  std::vector<bool> done(items.size());
  std::vector<std::uint32_t> bound_list;
  const auto bind = [&](std::uint32_t v) {
    if (bound[v]) return;
    bound[v] = true;
    bound_list.push_back(v);
  };
  for (;;) {
    std::size_t best = items.size();
    double best_factor = kInfinite;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (done[i] || !items[i]->binds) continue;
      double factor = items[i]->rows;
      for (std::size_t k = 0; k < items[i]->variables.size(); ++k)
        if (bound[items[i]->variables[k]]) factor /= std::max(1.0, items[i]->distinct[k]);
      if (factor >= best_factor) continue;
      best = i;
      best_factor = factor;
    }
    if (best == items.size()) break;
    done[best] = true;
    for (const std::uint32_t v : items[best]->variables) bind(v);
    result.rows = std::min({kHuge, result.rows * best_factor, product(bound_list)});
    result.work += result.rows;
  }
  // Enumerates the variables that occur in tests only.
  for (const Item* item : items) {
    for (const std::uint32_t v : item->variables) {
      if (bound[v]) continue;
      if (values_[v].unbounded() || values(v) > kGroundLimits.tested_values || !domains_.complete())
        return {kInfinite, kInfinite};
      bind(v);
      result.rows = std::min(kHuge, result.rows * values(v));
      result.work += result.rows;
    }
  }
  return result;
}

// A ground rule contains the variables of dynamic literals and of the head, so bindings that differ in other variables
// give one instance.
double Splitter::cost(Estimate estimate, std::span<const Item* const> items,
                      std::span<const std::uint32_t> shown) const {
  if (estimate.rows >= kInfinite) return kInfinite;
  std::vector<std::uint32_t> visible(shown.begin(), shown.end());
  bool dynamic = false;
  for (const Item* item : items) {
    if (!item->dynamic) continue;
    dynamic = true;
    for (const std::uint32_t v : item->variables)
      if (!contains(visible, v)) visible.push_back(v);
  }
  const double instances = std::min(estimate.rows, product(visible));
  return (dynamic ? instances : kSplitCosts.match * instances) + kSplitCosts.match * estimate.work + kSplitCosts.rule;
}

bool Splitter::plan(const EngineRule& rule) {
  const Patterns& patterns = engine_.program.patterns;
  rule_ = rule.unplanned();
  if (rule.variables == 0 || rule.variables > kGroundLimits.split_variables) return false;
  if (rule.body.size() < 2 || rule.body.size() > kGroundLimits.split_literals) return false;
  values_ = domains_.variables(rule);
  items_.clear();
  std::vector<const Item*> all;
  for (const EngineLiteral& literal : rule.body) {
    items_.push_back(item_of(literal));
    for (const std::uint32_t v : items_.back().variables)
      if (values_[v].empty()) return false;  // it can never fire
  }
  for (const Item& item : items_) all.push_back(&item);
  head_variables_.clear();
  for (const Pattern p : rule.head.arguments) {
    patterns.for_each_variable(p, [&](std::uint32_t v) {
      if (!contains(head_variables_, v)) head_variables_.push_back(v);
    });
  }
  const double whole = cost(join(all), all, head_variables_);
  if (whole < kSplitCosts.least_instances) return false;
  decompose();
  merge_bags();
  return bags_[0].children.size() > 0 && measure(0) < kSplitCosts.parts * whole;
}

void Splitter::decompose() {
  bags_.assign(1, {});
  messages_.assign(1, {});
  struct Open {
    bool is_bag;
    std::uint32_t index;
  };
  std::vector<Open> open;
  for (std::uint32_t i = 0; i < rule_.body.size(); ++i) open.push_back({false, i});
  const auto item = [&](const Open& o) -> const Item& { return o.is_bag ? messages_[o.index] : items_[o.index]; };
  std::vector<std::uint32_t> variables;
  for (const Item& i : items_)
    for (const std::uint32_t v : i.variables)
      if (!contains(variables, v) && !contains(head_variables_, v)) variables.push_back(v);
  const auto put = [&](std::uint32_t bag, const Open& o) {
    if (o.is_bag) {
      bags_[bag].children.push_back(o.index);
      bags_[o.index].parent = bag;
    } else {
      bags_[bag].literals.push_back(o.index);
    }
  };
  while (!variables.empty()) {
    std::size_t best = 0;
    Estimate best_estimate;
    double best_cost = 2 * kInfinite;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      std::vector<const Item*> touched;
      for (const Open& o : open)
        if (contains(item(o).variables, variables[i])) touched.push_back(&item(o));
      const Estimate estimate = join(touched);
      if (estimate.rows >= best_cost) continue;
      best = i;
      best_cost = estimate.rows;
      best_estimate = estimate;
    }
    const std::uint32_t v = variables[best];
    variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(best));
    const auto bag = static_cast<std::uint32_t>(bags_.size());
    bags_.emplace_back();
    Item message;
    std::vector<Open> rest;
    for (const Open& o : open) {
      if (!contains(item(o).variables, v)) {
        rest.push_back(o);
        continue;
      }
      for (const std::uint32_t u : item(o).variables)
        if (u != v && !contains(message.variables, u)) message.variables.push_back(u);
      message.dynamic = message.dynamic || item(o).dynamic;
      put(bag, o);
    }
    message.rows = std::min(best_estimate.rows, product(message.variables));
    for (const std::uint32_t u : message.variables) message.distinct.push_back(std::min(values(u), message.rows));
    messages_.push_back(std::move(message));
    rest.push_back({true, bag});
    open = std::move(rest);
  }
  for (const Open& o : open) put(0, o);
}

void Splitter::mark_subtree(std::uint32_t bag, std::vector<bool>& literals) const {
  for (const std::uint32_t l : bags_[bag].literals) literals[l] = true;
  for (const std::uint32_t child : bags_[bag].children) mark_subtree(child, literals);
}

// The variables of a subtree that occur in the head or in another literal.
std::vector<std::uint32_t> Splitter::interface_of(std::uint32_t bag) const {
  if (bag == 0) return head_variables_;
  std::vector<bool> inside(items_.size());
  mark_subtree(bag, inside);
  std::vector<bool> outside(values_.size());
  for (const std::uint32_t v : head_variables_) outside[v] = true;
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (!inside[i])
      for (const std::uint32_t v : items_[i].variables) outside[v] = true;
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (!inside[i]) continue;
    for (const std::uint32_t v : items_[i].variables)
      if (outside[v] && !contains(result, v)) result.push_back(v);
  }
  return result;
}

// The cost of a subtree; stores its projection in messages_.
double Splitter::measure(std::uint32_t bag) {
  double sum = 0;
  for (const std::uint32_t child : bags_[bag].children) sum += measure(child);
  std::vector<const Item*> items;
  for (const std::uint32_t l : bags_[bag].literals) items.push_back(&items_[l]);
  for (const std::uint32_t child : bags_[bag].children) items.push_back(&messages_[child]);
  Item message;
  message.variables = interface_of(bag);
  const Estimate estimate = join(items);
  for (const Item* item : items) message.dynamic = message.dynamic || item->dynamic;
  message.rows = std::min(estimate.rows, product(message.variables));
  for (const std::uint32_t u : message.variables) message.distinct.push_back(std::min(values(u), message.rows));
  sum += cost(estimate, items, message.variables);
  messages_[bag] = std::move(message);
  return std::min(sum, kInfinite);
}

void Splitter::merge_into_parent(std::uint32_t bag) {
  const Bag child = std::move(bags_[bag]);
  bags_[bag] = {};
  Bag& parent = bags_[child.parent];
  std::erase(parent.children, bag);
  parent.literals.insert(parent.literals.end(), child.literals.begin(), child.literals.end());
  parent.children.insert(parent.children.end(), child.children.begin(), child.children.end());
  for (const std::uint32_t grandchild : child.children) bags_[grandchild].parent = child.parent;
}

void Splitter::merge_bags() {
  double best = measure(0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t bag = 1; bag < bags_.size(); ++bag) {
      if (bags_[bag].literals.empty() && bags_[bag].children.empty()) continue;
      const std::vector<Bag> saved = bags_;
      merge_into_parent(bag);
      const double merged = measure(0);
      if (merged <= best) {
        best = merged;
        changed = true;
      } else {
        bags_ = saved;
      }
    }
  }
}

void Splitter::apply(bool cyclic, std::vector<EngineRule>& out) {
  EngineRule rule = rule_of(0, cyclic, out);
  rule.head = rule_.head;
  out.push_back(std::move(rule));
}

EngineRule Splitter::rule_of(std::uint32_t bag, bool cyclic, std::vector<EngineRule>& out) {
  EngineRule rule;
  rule.variables = rule_.variables;
  rule.source = rule_.source;
  for (const std::uint32_t l : bags_[bag].literals) rule.body.push_back(rule_.body[l]);
  for (const std::uint32_t child : bags_[bag].children) rule.body.push_back(emit(child, cyclic, out));
  bind_open(rule);
  std::ranges::stable_sort(rule.body, {}, [](const EngineLiteral& l) {
    return std::tuple(l.relation.valid() ? l.relation.value : kNone, l.negated, l.derived);
  });
  return rule;
}

// The relation of a bag as a literal. Equal parts of different rules share one relation.
EngineLiteral Splitter::emit(std::uint32_t bag, bool cyclic, std::vector<EngineRule>& out) {
  EngineRule rule = rule_of(bag, cyclic, out);
  std::vector<std::uint32_t> interface = interface_of(bag);
  std::vector<std::uint32_t> number(rule.variables, kNone);
  std::uint32_t next = 0;
  std::vector<std::uint32_t> key;
  EngineLiteral literal;
  for (const EngineLiteral& l : rule.body) {
    literal.dynamic = literal.dynamic || l.dynamic;
    key.push_back(l.relation.valid() ? l.relation.value : kNone);
    key.push_back((l.negated ? 1U : 0U) | (l.derived ? 2U : 0U) | (static_cast<std::uint32_t>(l.kind) << 2U));
    for (const Pattern p : l.arguments) encode(p, number, next, key);
  }
  std::ranges::sort(interface, {}, [&](std::uint32_t v) { return number[v]; });
  key.push_back(0xfffffffeU);
  for (const std::uint32_t v : interface) {
    key.push_back(number[v]);
    literal.arguments.push_back(Pattern::variable(v));
  }
  RelId& known = known_[key];
  const bool fresh = !known.valid();
  if (fresh) {
    const Range where = rule_.source != nullptr ? rule_.source->where : Range{};
    const PredId predicate = engine_.program.auxiliary(static_cast<std::uint32_t>(interface.size()), where);
    known = engine_.ordinary(predicate, literal.dynamic);
  }
  RelationInfo& info = engine_.relations[known.value];
  info.recursive = literal.dynamic;
  info.cyclic = info.cyclic || cyclic;
  literal.relation = known;
  if (fresh) {
    rule.head = literal;
    out.push_back(std::move(rule));
  }
  return literal;
}

void Splitter::encode(Pattern pattern, std::vector<std::uint32_t>& number, std::uint32_t& next,
                      std::vector<std::uint32_t>& key) const {
  const Patterns& patterns = engine_.program.patterns;
  key.push_back(static_cast<std::uint32_t>(pattern.kind()));
  if (pattern.is_ground()) {
    key.push_back(pattern.term().value);
  } else if (pattern.is_variable()) {
    std::uint32_t& n = number[pattern.number()];
    if (n == kNone) n = next++;
    key.push_back(n);
  } else {
    key.push_back(patterns.symbol(pattern).value);
    key.push_back(patterns.arity(pattern));
    for (std::uint32_t i = 0; i < patterns.arity(pattern); ++i)
      encode(patterns.argument(pattern, i), number, next, key);
  }
}

// Binds a variable that occurs in tests only to its domain; the rest of the rule narrows it further.
void Splitter::bind_open(EngineRule& rule) {
  const Patterns& patterns = engine_.program.patterns;
  std::vector<bool> bound(rule.variables);
  for (const EngineLiteral& l : rule.body)
    if (!l.negated && l.relation.valid())
      for (const Pattern p : l.arguments) patterns.for_each_variable(p, [&](std::uint32_t v) { bound[v] = true; });
  const std::size_t count = rule.body.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> open;
    for (const Pattern p : rule.body[i].arguments) {
      patterns.for_each_variable(p, [&](std::uint32_t v) {
        if (!bound[v]) open.push_back(v);
        bound[v] = true;
      });
    }
    for (const std::uint32_t v : open) {
      EngineLiteral domain;
      domain.relation = domain_relations_.get(values_[v]);
      domain.arguments = {Pattern::variable(v)};
      rule.body.push_back(std::move(domain));
    }
  }
}

}  // namespace rgtrans::gdl
