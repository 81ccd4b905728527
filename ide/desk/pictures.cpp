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

// As the page wants it: [x, y, text or number].
Json told(const drawing::Fragments& pieces, std::unordered_map<std::string, std::vector<std::size_t>> known) {
  Json list = Json::array();
  for (const drawing::Fragment& piece : pieces.list) {
    Json content;
    if (const auto it = known.find(piece.text); it != known.end() && !it->second.empty()) {
      content = it->second.back();
      it->second.pop_back();
    } else {
      content = piece.text;
    }
    list.push_back({piece.x, piece.y, std::move(content)});
  }
  return list;
}

Json elements_of(const drawing::Drawing& drawing, const ir::Game& game, const std::vector<std::string>& names,
                 const Sources& sources) {
  std::vector<std::size_t> number(game.graph.edge_bound());
  std::size_t count = 0;
  for (const ir::EdgeId edge : game.graph.edges()) number[edge.value] = count++;
  Json elements = Json::array();
  for (const ir::EdgeId edge : drawing::edges_in(drawing)) {
    Json one = {number[edge.value], names[game.graph.source(edge).value], names[game.graph.target(edge).value]};
    const Range where = game.graph.where(edge);
    if (where.known()) {
      const LineColumn begin = sources.position(where.begin);
      const LineColumn end = sources.position(std::max(where.begin, where.end));
      for (const auto at : {begin.line, begin.column, end.line, end.column}) one.push_back(at);
    }
    elements.push_back(std::move(one));
  }
  return elements;
}

}  // namespace

Json Gallery::automaton(const std::shared_ptr<const OpenedGame>& opened, const Json& request) {
  const ir::Game& game = request.value("optimized", false) ? opened->playable().optimized : opened->written;
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
  const drawing::Fragments pieces = drawing::fragments(drawing);
  const bool known = sent_ > 0 && request.value("known", 0) == sent_;
  Json list = told(pieces, known ? std::move(numbers_) : decltype(numbers_)());
  // From the last one on, so that the first ones are taken first.
  numbers_.clear();
  for (std::size_t i = pieces.list.size(); i-- > 0;) numbers_[pieces.list[i].text].push_back(i);
  return {{"id", ++sent_},
          {"pieces", std::move(list)},
          {"width", pieces.width},
          {"height", pieces.height},
          {"border", pieces.border},
          {"elements", elements_of(drawing, game, names, *opened->sources)},
          {"nodeCount", game.graph.node_count()},
          {"edgeCount", game.graph.edge_count()},
          {"whole", whole}};
}

Json Gallery::explain(const std::shared_ptr<const OpenedGame>& opened, const Json& request) {
  const bool optimized = request.value("optimized", false);
  const ir::Game& game = optimized ? opened->playable().optimized : opened->written;
  if (explainer_ == nullptr || explained_ != opened || optimized_ != optimized) {
    explainer_ = std::make_unique<trace::Explainer>(game);
    explained_ = opened;
    optimized_ = optimized;
  }
  const std::vector<std::string> names = game.node_names();
  for (const ir::NodeId node : game.graph.nodes()) {
    if (names[node.value] == request.value("node", "")) return {{"text", explainer_->text(node)}};
  }
  throw Error("there is no such node");
}

Json changes(const OpenedGame& opened, const Json& request) {
  passes::OptimizeOptions options = optimizer_of(request);
  trace::RunOfPasses run(opened.written);
  options.on_change = [&](const passes::PassEvent& event) { run.add(event); };
  ir::Game game = opened.written;
  const passes::OptimizeReport report = passes::optimize(game, options);
  return run.told(game, report);
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
    result = trace::change_of(event);
  };
  ir::Game game = opened.written;
  passes::optimize(game, options);
  if (result.is_null()) throw Error("the run has no such change any more");
  return result;
}

}  // namespace rgtrans::ide
