#include "frontends/gdl/lifted/chains.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <utility>

namespace rgtrans::gdl::lifted {

namespace {

constexpr std::size_t kMostFirst = 3;             // rules without recursion
constexpr std::size_t kMostSteps = 20'000;        // that static relations allow
constexpr std::size_t kMostCompared = 2'000'000;  // tuples

using TermRow = std::vector<std::uint32_t>;
constexpr std::uint32_t kUntold = 0xffffffff;

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

}  // namespace

const std::optional<Chain>& Chains::of(RelKey relation) {
  const auto found = chains_.find(relation);
  return found != chains_.end() ? found->second : chains_.emplace(relation, find(relation)).first->second;
}

std::optional<Chain> Chains::find(RelKey relation) {
  if (!m_.recursive(relation)) return std::nullopt;
  Chain chain;
  for (const LiftedRule& rule : m_.rules(relation)) {
    std::size_t calls = 0;
    const auto& body = rule.rule->body;
    for (std::uint32_t i = 0; i < body.size(); ++i) {
      if (m_.kind(body[i]) != LiteralKind::derived || !m_.same_component(relation, Model::key(body[i]))) continue;
      if (body[i].negated || Model::key(body[i]) != relation) return std::nullopt;
      ++calls;
      chain.again = i;
    }
    if (calls == 0) {
      chain.first.push_back(&rule);
    } else if (calls > 1 || std::exchange(chain.step, &rule) != nullptr) {
      return std::nullopt;
    }
  }
  if (chain.step == nullptr || chain.first.empty() || chain.first.size() > kMostFirst) return std::nullopt;
  const auto& head = chain.step->rule->head.arguments;
  const auto& call = chain.step->rule->body[chain.again].arguments;
  for (std::size_t c = 0; c < head.size(); ++c)
    chain.kept.push_back(head[c].is_variable() && head[c] == call[c] && std::ranges::count(head, head[c]) == 1 &&
                         std::ranges::count(call, call[c]) == 1);
  if (!w_.tells(*chain.step, chain.again, head) || !ends(chain)) return std::nullopt;
  return chain;
}

// The steps that static relations allow, as far as they say anything of the columns, make a graph without cycles.
bool Chains::ends(const Chain& chain) const {
  const LiftedRule& rule = *chain.step;
  std::vector<TermRow> rows = {TermRow(rule.sorts.size(), kUntold)};
  for (const EngineLiteral& literal : rule.rule->body) {
    if (literal.negated || m_.kind(literal) != LiteralKind::fixed) continue;
    const Relation& tuples = *m_.info(literal.relation).tuples;
    if (rows.size() * tuples.size() > kMostCompared) return false;
    std::vector<TermRow> joined;
    for (const TermRow& row : rows) {
      for (std::uint32_t r = 0; r < tuples.size(); ++r) {
        TermRow next = row;
        bool fits = true;
        for (std::size_t c = 0; fits && c < literal.arguments.size(); ++c) {
          const std::uint32_t value = tuples.row(r)[c];
          const Pattern p = literal.arguments[c];
          if (p.is_ground()) {
            fits = p.term().value == value;
          } else {
            std::uint32_t& place = next[p.number()];
            fits = (place == kUntold || place == value) && m_.contains(rule.sorts[p.number()], value);
            place = value;
          }
        }
        if (fits) joined.push_back(std::move(next));
      }
      if (joined.size() > kMostSteps) return false;
    }
    rows = std::move(joined);
  }
  const auto& head = rule.rule->head.arguments;
  const auto& call = rule.rule->body[chain.again].arguments;
  std::set<std::pair<TermRow, TermRow>> arcs;
  for (const TermRow& row : rows) {
    const auto value = [&](Pattern p) { return p.is_ground() ? p.term().value : row[p.number()]; };
    TermRow from, to;
    for (std::size_t c = 0; c < head.size(); ++c) {
      if (value(call[c]) == kUntold || value(head[c]) == kUntold) continue;
      from.push_back(value(call[c]));
      to.push_back(value(head[c]));
    }
    arcs.emplace(std::move(from), std::move(to));
  }
  return graph_ends(arcs);
}

}  // namespace rgtrans::gdl::lifted
