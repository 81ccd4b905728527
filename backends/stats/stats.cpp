#include "backends/stats/stats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "core/support/reach.hpp"

namespace rgtrans::stats {

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;

// The members of a set, or the product of both sides of an arrow. A cyclic alias counts 0.
std::uint64_t type_size(const ir::Game& game, ir::TypeId type) {
  std::uint64_t size = 1;
  std::size_t steps = 0;
  for (type = game.resolve(type); type.valid(); type = game.resolve(game.types.to(type))) {
    const bool is_set = game.types.kind(type) == ir::TypeKind::set;
    const std::uint64_t factor = is_set ? game.types.members(type).size() : type_size(game, game.types.from(type));
    if (factor != 0 && size > kMost / factor) return kMost;
    size *= factor;
    if (is_set) return size;
    if (++steps > game.types.size()) break;
  }
  return 0;
}

void count_labels(const ir::Game& game, Stats& stats) {
  std::unordered_set<ir::NodeId> starts;
  for (ir::EdgeId edge : game.graph.edges()) {
    std::visit(ir::Overloaded{
                   [&](const ir::Empty&) { ++stats.skip_edges; },
                   [&](const ir::Compare&) { ++stats.comparison_edges; },
                   [&](const ir::Assign&) { ++stats.assign_edges; },
                   [&](const ir::AssignAny&) { ++stats.assign_edges; },
                   [&](const ir::Reachability& r) {
                     ++stats.reachability_edges;
                     starts.insert(r.from);
                   },
                   [&](const ir::Tag&) { ++stats.tag_edges; },
                   [&](const ir::TagVariable&) { ++stats.tag_edges; },
               },
               game.graph.label(edge));
  }
  stats.reachability_subautomatons = starts.size();
}

// The number of distinct outgoing edges: edges with equal label and target count once.
std::uint64_t distinct_out_degree(const ir::Automaton& graph, ir::NodeId node) {
  if (graph.out_degree(node) < 2) return graph.out_degree(node);
  std::unordered_map<std::uint64_t, std::vector<ir::EdgeId>> buckets;
  std::uint64_t count = 0;
  for (ir::EdgeId edge : graph.out_edges(node)) {
    auto& bucket = buckets[combine_hash(hash_label(graph.label(edge)), graph.target(edge).value)];
    const bool known = std::ranges::any_of(bucket, [&](ir::EdgeId other) {
      return graph.target(other) == graph.target(edge) && graph.label(other) == graph.label(edge);
    });
    if (known) continue;
    bucket.push_back(edge);
    ++count;
  }
  return count;
}

void count_nodes(const ir::Game& game, Stats& stats) {
  const ir::Automaton& graph = game.graph;
  std::uint64_t branching_nodes = 0;
  std::uint64_t branches = 0;
  for (ir::NodeId node : graph.nodes()) {
    if (graph.out_degree(node) + graph.in_degree(node) > 0) ++stats.nodes;
    if (graph.out_degree(node) == 0) continue;
    const std::uint64_t degree = distinct_out_degree(graph, node);
    ++branching_nodes;
    branches += degree;
    stats.max_branching = std::max(stats.max_branching, degree);
  }
  if (branching_nodes > 0) {
    stats.average_branching = static_cast<double>(branches) / static_cast<double>(branching_nodes);
  }
}

std::uint64_t reachable_from_begin(const ir::Game& game) {
  return static_cast<std::uint64_t>(
      std::ranges::count(nodes_reached_from(game.graph, std::vector{game.begin()}), true));
}

void count_pragmas(const ir::Game& game, Stats& stats) {
  std::unordered_set<ir::NodeId> repeat;
  std::unordered_set<ir::NodeId> unique;
  for (const ir::Pragma& pragma : game.pragmas) {
    if (const auto* r = std::get_if<ir::Repeat>(&pragma.content)) repeat.insert(r->nodes.begin(), r->nodes.end());
    if (const auto* u = std::get_if<ir::Unique>(&pragma.content)) unique.insert(u->nodes.begin(), u->nodes.end());
  }
  stats.repeat_nodes = repeat.size();
  stats.unique_nodes = unique.size();
  repeat.merge(unique);
  stats.repeat_or_unique_nodes = repeat.size();
}

template <typename List>
std::uint64_t living(const List& list) {
  return static_cast<std::uint64_t>(std::ranges::count_if(list, [](const auto& def) { return def.alive; }));
}

}  // namespace

Stats collect(const ir::Game& game) {
  Stats stats;
  stats.edges = game.graph.edge_count();
  stats.constants = living(game.constants());
  stats.variables = living(game.variables());
  stats.typedefs = living(game.type_defs());
  for (const ir::Variable& variable : game.variables()) {
    if (variable.alive) stats.state_size = std::min(kMost, stats.state_size + type_size(game, variable.type));
  }
  stats.main_automaton_nodes = reachable_from_begin(game);
  count_nodes(game, stats);
  count_labels(game, stats);
  count_pragmas(game, stats);
  return stats;
}

std::string text(const Stats& stats) {
  auto share = [&](std::uint64_t part) {
    return stats.nodes == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(stats.nodes);
  };
  std::string out;
  out += fmt::format("edges: {}\n", stats.edges);
  out += fmt::format("nodes: {}\n", stats.nodes);
  out += fmt::format("constants: {}\n", stats.constants);
  out += fmt::format("variables: {}\n", stats.variables);
  out += fmt::format("type definitions: {}\n", stats.typedefs);
  out += fmt::format("repeat or unique nodes: {} ({:.2f}%)\n", stats.repeat_or_unique_nodes,
                     share(stats.repeat_or_unique_nodes));
  out += fmt::format("repeat nodes: {} ({:.2f}%)\n", stats.repeat_nodes, share(stats.repeat_nodes));
  out += fmt::format("unique nodes: {} ({:.2f}%)\n", stats.unique_nodes, share(stats.unique_nodes));
  out += fmt::format("state size: {}\n", stats.state_size);
  out += fmt::format("main automaton nodes: {}\n", stats.main_automaton_nodes);
  out += fmt::format("reachability sub-automata: {}\n", stats.reachability_subautomatons);
  out += fmt::format("branching: {:.4f} on average, {} at most\n", stats.average_branching, stats.max_branching);
  out += fmt::format("skip edges: {}\n", stats.skip_edges);
  out += fmt::format("assignment edges: {}\n", stats.assign_edges);
  out += fmt::format("comparison edges: {}\n", stats.comparison_edges);
  out += fmt::format("reachability edges: {}\n", stats.reachability_edges);
  out += fmt::format("tag edges: {}\n", stats.tag_edges);
  return out;
}

std::string json(const Stats& stats) {
  const nlohmann::json object{
      {"assign_edges", stats.assign_edges},
      {"average_branching", stats.average_branching},
      {"comparison_edges", stats.comparison_edges},
      {"constants", stats.constants},
      {"edges", stats.edges},
      {"main_automaton_nodes", stats.main_automaton_nodes},
      {"max_branching", stats.max_branching},
      {"nodes", stats.nodes},
      {"reachability_edges", stats.reachability_edges},
      {"reachability_subautomatons", stats.reachability_subautomatons},
      {"repeat_nodes", stats.repeat_nodes},
      {"repeat_or_unique_nodes", stats.repeat_or_unique_nodes},
      {"skip_edges", stats.skip_edges},
      {"state_size", stats.state_size},
      {"tag_edges", stats.tag_edges},
      {"typedefs", stats.typedefs},
      {"unique_nodes", stats.unique_nodes},
      {"variables", stats.variables},
  };
  return object.dump();
}

}  // namespace rgtrans::stats
