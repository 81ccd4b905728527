// pragma-disjoint, pragma-unique, pragma-tag-index, pragma-iterator: promises for the back ends. Each pass removes the
// pragmas of its kind that are there and writes those it can prove.
//
//   @disjoint q : a b;            in every state at q at most one of the edges to a and b is legal
//   @disjointExhaustive q : a b;  exactly one
//   @unique q;                    no exploration comes to q twice with the same tags and nothing new to tell
//   @repeat q : x y;              two arrivals at q with the same tags are equal when x and y are
//   @tagIndex q : 2;              before a tag on an edge out of q a move has exactly (tagMaxIndex: at most) 2 tags
//   @iterator a b c : v;          a, b: v = T(*) and b, c: M[v] == 1 are the only ways out of a and b
#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/passes/list.hpp"
#include "core/passes/tools.hpp"

namespace rgtrans::passes {

using ir::NodeId;

namespace {

// Replaces all pragmas of some kinds; returns whether anything is different now.
template <class... Kinds>
std::size_t replace_pragmas(ir::Game& game, std::vector<ir::Pragma> fresh) {
  std::vector<ir::PragmaContent> old;
  std::erase_if(game.pragmas, [&](const ir::Pragma& p) {
    if (!(std::holds_alternative<Kinds>(p.content) || ...)) return false;
    old.push_back(p.content);
    return true;
  });
  bool same = old.size() == fresh.size();
  for (std::size_t i = 0; same && i < old.size(); ++i) same = old[i] == fresh[i].content;
  const std::size_t changes = same ? 0 : std::max<std::size_t>(1, fresh.size());
  game.pragmas.insert(game.pragmas.end(), fresh.begin(), fresh.end());
  return changes;
}

// Reached nodes in order of creation, so that the output does not depend on the shape of the search.
std::vector<NodeId> reached_nodes(const ir::Game& game, const analysis::Flow& flow) {
  std::vector<NodeId> nodes;
  for (NodeId node : game.graph.nodes()) {
    if (flow.reached(node)) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

std::size_t pragma_disjoint(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  analysis::ValueSets& values = context.analyses->values();
  analysis::Exclusive exclusive(game, values);
  std::vector<ir::Pragma> fresh;
  for (NodeId node : reached_nodes(game, flow)) {
    const auto group = exclusive.group(node);
    if (group.edges.empty()) continue;
    ir::Disjoint pragma{node, {}, group.exhaustive};
    for (ir::EdgeId e : group.edges) pragma.targets.push_back(game.graph.target(e));
    fresh.push_back({pragma, {}});
  }
  return replace_pragmas<ir::Disjoint>(game, std::move(fresh));
}

std::size_t pragma_unique(ir::Game& game, const PassContext& context) {
  analysis::Cache& analyses = *context.analyses;
  const analysis::Flow& flow = analyses.flow();
  // The analysis keeps a bit for each variable at each node, several times.
  constexpr std::size_t kMostBits = 2'000'000'000;
  if (flow.size() * game.variables().size() > kMostBits) {
    leave_out(context, "pragma-unique: not in a game with so many nodes and variables");
    return replace_pragmas<ir::Repeat, ir::Unique>(game, {});
  }
  const analysis::Repeats repeats(game, flow, analyses.liveness(), analyses.versions(), analyses.values());
  ir::Unique unique;
  std::unordered_map<analysis::Bits, ir::Repeat, analysis::BitsHash> repeat;
  for (NodeId node : reached_nodes(game, flow)) {
    const auto& fact = repeats.at(node);
    if (!fact.explored) continue;
    if (!fact.repeated) {
      unique.nodes.push_back(node);
      continue;
    }
    repeat[fact.differing].nodes.push_back(node);
  }
  std::vector<ir::Pragma> fresh;
  for (auto& [differing, found] : repeat) {
    ir::Repeat pragma = std::move(found);
    differing.for_each([&pragma](std::size_t v) { pragma.variables.emplace_back(v); });
    fresh.push_back({std::move(pragma), {}});
  }
  // In the order of their variables.
  std::ranges::sort(fresh, {}, [](const ir::Pragma& p) -> const std::vector<ir::VarId>& {
    return std::get<ir::Repeat>(p.content).variables;
  });
  if (!unique.nodes.empty()) fresh.push_back({std::move(unique), {}});
  return replace_pragmas<ir::Repeat, ir::Unique>(game, std::move(fresh));
}

std::size_t pragma_tag_index(ir::Game& game, const PassContext& context) {
  const analysis::Flow& flow = context.analyses->flow();
  const analysis::TagCounts counts(game, flow);
  std::map<std::pair<std::uint32_t, bool>, ir::TagIndex> groups;
  for (NodeId node : reached_nodes(game, flow)) {
    if (!flow.main(node)) continue;
    const auto c = counts.at(node);
    if (!c.known || c.most >= analysis::TagCounts::kUnbounded) continue;
    bool tagged = false;
    for (ir::EdgeId e : game.graph.out_edges(node)) tagged = tagged || ir::is_tag(game.graph.label(e));
    if (!tagged) continue;
    const bool maximum = c.least != c.most;
    ir::TagIndex& group = groups[{c.most, maximum}];
    group.index = c.most;
    group.maximum = maximum;
    group.nodes.push_back(node);
  }
  std::vector<ir::Pragma> fresh;
  for (auto& [key, group] : groups) fresh.push_back({std::move(group), {}});
  return replace_pragmas<ir::TagIndex>(game, std::move(fresh));
}

std::size_t pragma_iterator(ir::Game& game, const PassContext&) {
  const ir::Automaton& graph = game.graph;
  const ir::Expressions& e = game.expressions();
  const SymbolId one = game.symbols.intern("1");
  std::vector<ir::Pragma> fresh;
  for (NodeId a : graph.nodes()) {
    if (graph.out_degree(a) != 1) continue;
    const ir::EdgeId first = *graph.out_edges(a).begin();
    const auto* any = std::get_if<ir::AssignAny>(&graph.label(first));
    if (any == nullptr || !ir::writes_whole(game, *any)) continue;
    const ir::VarId v = game.assigned_variable(any->lhs);
    const NodeId b = graph.target(first);
    if (graph.out_degree(b) != 1) continue;
    const ir::EdgeId second = *graph.out_edges(b).begin();
    const auto* compare = std::get_if<ir::Compare>(&graph.label(second));
    if (compare == nullptr || compare->negated) continue;
    const ir::ExprId lhs = e.uncast(compare->lhs);
    if (e.kind(e.uncast(compare->rhs)) != ir::ExprKind::symbol || game.constant_symbol(compare->rhs) != one) continue;
    if (e.kind(lhs) != ir::ExprKind::access || e.kind(e.root(lhs)) != ir::ExprKind::constant) continue;
    const ir::ExprId index = e.uncast(e.index(lhs));
    if (e.kind(index) != ir::ExprKind::variable || e.variable(index) != v) continue;
    if (ir::reads(game, e.map(lhs), v)) continue;
    fresh.push_back({ir::Iterator{a, b, graph.target(second), v}, {}});
  }
  return replace_pragmas<ir::Iterator>(game, std::move(fresh));
}

}  // namespace rgtrans::passes
