#include "ide/desk/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "backends/drawing/drawing.hpp"
#include "backends/trace/trace.hpp"

namespace rgtrans::ide {

namespace {

constexpr std::size_t kMostDrawn = 2500;  // edges at once
constexpr std::size_t kMostAround = 700;  // edges around a node of a larger automaton

// The edges nearest to a node, in either direction.
std::vector<bool> edges_around(const ir::Game& game, ir::NodeId middle) {
  std::vector<bool> chosen(game.graph.edge_bound()), seen(game.graph.node_bound());
  std::deque<ir::NodeId> todo{middle};
  seen[middle.value] = true;
  std::size_t count = 0;
  const auto visit = [&](ir::EdgeId edge, ir::NodeId next) {
    if (count >= kMostAround) return;
    if (!chosen[edge.value]) ++count;
    chosen[edge.value] = true;
    if (seen[next.value]) return;
    seen[next.value] = true;
    todo.push_back(next);
  };
  for (; !todo.empty() && count < kMostAround; todo.pop_front()) {
    for (const ir::EdgeId edge : game.graph.out_edges(todo.front())) visit(edge, game.graph.target(edge));
    for (const ir::EdgeId edge : game.graph.in_edges(todo.front())) visit(edge, game.graph.source(edge));
  }
  return chosen;
}

ir::NodeId node_named(const ir::Game& game, const std::vector<std::string>& names, const std::string& name) {
  for (const ir::NodeId node : game.graph.nodes()) {
    if (names[node.value] == name) return node;
  }
  return game.begin();
}

}  // namespace

Json automaton(const OpenedGame& opened, const Json& request) {
  const ir::Game& game = request.value("optimized", false) ? opened.optimized : opened.written;
  const std::vector<std::string> names = game.node_names();
  const bool whole = game.graph.edge_count() <= kMostDrawn;
  std::function<bool(ir::EdgeId)> filter;
  if (!whole) {
    filter = [chosen = edges_around(game, node_named(game, names, request.value("focus", "begin")))](ir::EdgeId edge) {
      return chosen[edge.value];
    };
  }
  drawing::Drawing drawing = drawing::fold(game, filter);
  drawing::lay_out(drawing);

  std::unordered_map<std::uint32_t, std::size_t> number;
  for (const ir::EdgeId edge : game.graph.edges()) number.emplace(edge.value, number.size());
  Json edges = Json::array();
  for (const ir::EdgeId edge : drawing::edges_in(drawing)) {
    edges.push_back({{"edge", number.at(edge.value)},
                     {"from", names[game.graph.source(edge).value]},
                     {"to", names[game.graph.target(edge).value]},
                     {"place", place_of(*opened.sources, game.graph.where(edge))}});
  }
  Json nodes = Json::object();
  for (const ir::NodeId node : game.graph.nodes()) {
    nodes[names[node.value]] = place_of(*opened.sources, game.graph.where(node));
  }
  return {{"svg", drawing::svg(drawing)},         {"elements", std::move(edges)},         {"nodes", std::move(nodes)},
          {"nodeCount", game.graph.node_count()}, {"edgeCount", game.graph.edge_count()}, {"whole", whole}};
}

Json changes(const OpenedGame& opened, const Json& request) {
  passes::OptimizeOptions options = optimizer_of(request);
  Json rows = Json::array();
  options.on_change = [&](const passes::PassEvent& event) {
    rows.push_back({{"number", event.number},
                    {"pass", event.pass.name},
                    {"help", event.pass.help},
                    {"changes", event.changes},
                    {"nodes", event.after.graph.node_count()},
                    {"edges", event.after.graph.edge_count()},
                    {"variables", event.after.variables().size()}});
  };
  ir::Game game = opened.written;
  const passes::OptimizeReport report = passes::optimize(game, options);
  Json timings = Json::array();
  for (const passes::PassTiming& timing : report.timings) {
    timings.push_back({{"pass", timing.name},
                       {"runs", timing.runs},
                       {"changes", timing.changes},
                       {"seconds", timing.seconds},
                       {"nodes", timing.nodes},
                       {"edges", timing.edges}});
  }
  return {{"rows", std::move(rows)},
          {"timings", std::move(timings)},
          {"notes", report.notes},
          {"seconds", report.seconds},
          {"before", {{"nodes", opened.written.graph.node_count()}, {"edges", opened.written.graph.edge_count()}}},
          {"after", {{"nodes", game.graph.node_count()}, {"edges", game.graph.edge_count()}}}};
}

// The run is made again up to there, so that no copies of the game have to be kept.
Json change(const OpenedGame& opened, const Json& request) {
  passes::OptimizeOptions options = optimizer_of(request);
  const std::size_t number = request.at("number");
  options.stop_after = number;
  // Only the last step needs its game before.
  Json result;
  options.keep_before = true;
  options.on_change = [&](const passes::PassEvent& event) {
    if (event.number != number) return;
    trace::ShownChange change = trace::change_of(event);
    const auto picture = [](trace::ShownChange::Picture& p) {
      return Json{{"svg", std::move(p.svg)}, {"changed", p.changed}};
    };
    result = {{"difference", std::move(change.difference)},
              {"before", picture(change.before)},
              {"after", picture(change.after)},
              {"part", change.part}};
  };
  ir::Game game = opened.written;
  passes::optimize(game, options);
  if (result.is_null()) throw Error("the run has no such change any more");
  return result;
}

}  // namespace rgtrans::ide
