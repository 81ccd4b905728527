#include "frontends/gdl/lifted/recursion.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <numeric>
#include <set>

#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl::lifted {

namespace {

using TermRow = std::vector<std::uint32_t>;

bool graph_ends(const std::set<std::pair<TermRow, TermRow>>& arcs) {
  std::map<TermRow, std::size_t> number;
  boost::adjacency_list<> graph;
  const auto vertex = [&](const TermRow& tuple) { return number.try_emplace(tuple, number.size()).first->second; };
  for (const auto& [from, to] : arcs) {
    const std::size_t source = vertex(from);
    boost::add_edge(source, vertex(to), graph);
  }
  std::vector<std::size_t> order;
  try {
    boost::topological_sort(graph, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    return false;
  }
  return true;
}

// The join of a rule's static literals; null if that is too much work.
std::optional<std::set<TermRow>> static_rows(Model& model, const LiftedRule& rule) {
  std::set<std::uint32_t> literals;
  for (std::uint32_t i = 0; i < rule.rule->body.size(); ++i)
    if (!rule.rule->body[i].negated && model.kind(rule.rule->body[i]) == LiteralKind::fixed) literals.insert(i);
  TermRow variables(rule.sorts.size());
  std::iota(variables.begin(), variables.end(), 0U);
  auto rows = model.static_tuples(*rule.rule, literals, variables);
  if (!rows) return std::nullopt;
  std::erase_if(*rows, [&](const TermRow& row) {
    return std::ranges::any_of(
        variables, [&](std::uint32_t v) { return row[v] != kNone && !model.contains(rule.sorts[v], row[v]); });
  });
  return rows;
}

}  // namespace

std::optional<Recursion> recursion_of(const Model& model, RelKey relation) {
  if (!model.recursive(relation)) return std::nullopt;
  Recursion result;
  for (const LiftedRule& rule : model.rules(relation)) {
    std::optional<std::uint32_t> recursive;
    const auto& body = rule.rule->body;
    for (std::uint32_t i = 0; i < body.size(); ++i) {
      if (model.kind(body[i]) != LiteralKind::derived || !model.same_component(relation, Model::key(body[i]))) continue;
      if (body[i].negated || recursive || Model::key(body[i]) != relation) return std::nullopt;
      recursive = i;
    }
    if (recursive)
      result.steps.push_back({&rule, *recursive});
    else
      result.first.push_back(&rule);
  }
  if (result.steps.empty() || result.first.empty()) return std::nullopt;
  result.kept.resize(result.first[0]->rule->head.arguments.size(), true);
  for (const Recursion::Step& step : result.steps) {
    const auto& head = step.rule->rule->head.arguments;
    const auto& call = step.rule->rule->body[step.recursive_literal].arguments;
    for (std::size_t c = 0; c < head.size(); ++c)
      result.kept[c] = result.kept[c] && head[c].is_variable() && head[c] == call[c];
  }
  return result;
}

// The closure of the non-recursive rules' pairs under the steps that static literals allow. A value that these leave
// open must be one that the step keeps.
std::optional<TermPairs> possible_pairs(Model& model, const Recursion& recursion, std::size_t a, std::size_t b) {
  using Pair = TermPairs::value_type;
  const auto pair_of = [&](const EngineLiteral& literal, const TermRow& row) {
    const auto value = [&](Pattern p) { return p.is_ground() ? p.term().value : row[p.number()]; };
    return Pair(value(literal.arguments[a]), value(literal.arguments[b]));
  };
  TermPairs all;
  std::vector<Pair> open;
  const auto add = [&](const Pair& pair) {
    if (all.insert(pair).second) open.push_back(pair);
  };
  for (const LiftedRule* rule : recursion.first) {
    const auto rows = static_rows(model, *rule);
    if (!rows) return std::nullopt;
    for (const TermRow& row : *rows) {
      const Pair pair = pair_of(rule->rule->head, row);
      if (pair.first == kNone || pair.second == kNone) return std::nullopt;
      add(pair);
    }
  }
  struct Arc {
    Pair from, to;
  };
  std::vector<Arc> arcs;
  for (const Recursion::Step& step : recursion.steps) {
    const auto rows = static_rows(model, *step.rule);
    if (!rows) return std::nullopt;
    const EngineLiteral& head = step.rule->rule->head;
    const EngineLiteral& call = step.rule->rule->body[step.recursive_literal];
    const bool keeps_first = head.arguments[a] == call.arguments[a];
    const bool keeps_second = head.arguments[b] == call.arguments[b];
    for (const TermRow& row : *rows) {
      arcs.push_back({pair_of(call, row), pair_of(head, row)});
      const Pair& to = arcs.back().to;
      if ((to.first == kNone && !keeps_first) || (to.second == kNone && !keeps_second)) return std::nullopt;
    }
    if (arcs.size() > kLiftedLimits.recursion_arcs) return std::nullopt;
  }
  while (!open.empty()) {
    const Pair now = open.back();
    open.pop_back();
    const auto fits = [](std::uint32_t asked, std::uint32_t given) { return asked == kNone || asked == given; };
    for (const Arc& arc : arcs) {
      if (!fits(arc.from.first, now.first) || !fits(arc.from.second, now.second)) continue;
      add({arc.to.first == kNone ? now.first : arc.to.first, arc.to.second == kNone ? now.second : arc.to.second});
      if (all.size() > kLiftedLimits.recursion_arcs) return std::nullopt;
    }
  }
  return all;
}

// The graph of the steps that static literals allow is acyclic, after projection to the columns that these always bind.
bool ends(Model& model, const Recursion& recursion) {
  using Arc = std::pair<TermRow, TermRow>;
  std::vector<Arc> all;
  std::vector<bool> bound(recursion.kept.size(), true);
  for (const Recursion::Step& step : recursion.steps) {
    const auto rows = static_rows(model, *step.rule);
    if (!rows) return false;
    for (const TermRow& row : *rows) {
      const auto value = [&](Pattern p) { return p.is_ground() ? p.term().value : row[p.number()]; };
      Arc arc;
      for (const Pattern p : step.rule->rule->body[step.recursive_literal].arguments) arc.first.push_back(value(p));
      for (const Pattern p : step.rule->rule->head.arguments) arc.second.push_back(value(p));
      for (std::size_t c = 0; c < bound.size(); ++c)
        bound[c] = bound[c] && arc.first[c] != kNone && arc.second[c] != kNone;
      all.push_back(std::move(arc));
    }
    if (all.size() > kLiftedLimits.recursion_arcs) return false;
  }
  std::set<Arc> arcs;
  for (const auto& [from, to] : all) {
    Arc arc;
    for (std::size_t c = 0; c < bound.size(); ++c) {
      if (!bound[c]) continue;
      arc.first.push_back(from[c]);
      arc.second.push_back(to[c]);
    }
    arcs.insert(std::move(arc));
  }
  return graph_ends(arcs);
}

}  // namespace rgtrans::gdl::lifted
