// Finds checks that may be met again while they are evaluated: the test of a move asks for moves that have this test.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/support/components.hpp"
#include "frontends/ludii/rules/lower.hpp"

namespace rgtrans::ludii {

namespace {

using Check = std::pair<std::uint32_t, std::uint32_t>;  // the nodes from which, and to which

// The checks on edges between the nodes of a check.
std::set<Check> inner_checks(const ir::Automaton& graph, const Check& check) {
  std::set<Check> inner;
  std::set<std::uint32_t> met = {check.first};
  std::vector<ir::NodeId> open = {ir::NodeId(check.first)};
  while (!open.empty()) {
    const ir::NodeId node = open.back();
    open.pop_back();
    if (node.value == check.second) continue;
    for (const ir::EdgeId edge : graph.out_edges(node)) {
      if (const auto* found = std::get_if<ir::Reachability>(&graph.label(edge)); found != nullptr)
        inner.emplace(found->from.value, found->to.value);
      if (met.insert(graph.target(edge).value).second) open.push_back(graph.target(edge));
    }
  }
  return inner;
}

}  // namespace

std::optional<Range> recursive_check(const ir::Game& game) {
  std::map<Check, std::uint32_t> numbers;
  std::vector<ir::EdgeId> edges;
  for (const ir::EdgeId edge : game.graph.edges()) {
    const auto* check = std::get_if<ir::Reachability>(&game.graph.label(edge));
    if (check != nullptr && numbers.try_emplace({check->from.value, check->to.value}, numbers.size()).second)
      edges.push_back(edge);
  }
  Arcs needs;
  for (const auto& [check, number] : numbers) {
    for (const Check& inner : inner_checks(game.graph, check)) {
      if (inner == check) return game.graph.where(edges[number]);
      needs.emplace_back(number, numbers.at(inner));
    }
  }
  const Components components = strong_components(numbers.size(), needs);
  std::vector<std::size_t> sizes(components.count);
  for (const std::uint32_t c : components.of)
    if (++sizes[c] > 1) return game.graph.where(edges[std::ranges::find(components.of, c) - components.of.begin()]);
  return std::nullopt;
}

}  // namespace rgtrans::ludii
