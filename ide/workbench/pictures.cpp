#include "ide/workbench/pictures.hpp"

#include <algorithm>
#include <deque>
#include <functional>

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

std::optional<ir::NodeId> node_named(const ir::Game& game, const std::string& name) {
  const std::vector<std::string> names = game.node_names();
  for (const ir::NodeId node : game.graph.nodes()) {
    if (names[node.value] == name) return node;
  }
  return std::nullopt;
}

std::vector<DrawingPiece> pieces_of(const drawing::Fragments& drawn,
                                    std::unordered_map<std::string, std::vector<std::size_t>> known) {
  std::vector<DrawingPiece> pieces;
  for (const drawing::Fragment& fragment : drawn.list) {
    DrawingPiece& piece = pieces.emplace_back(DrawingPiece{fragment.x, fragment.y, fragment.text});
    const auto it = known.find(fragment.text);
    if (it == known.end() || it->second.empty()) continue;
    piece.content = it->second.back();
    it->second.pop_back();
  }
  return pieces;
}

std::vector<DrawingElement> elements_of(const drawing::Drawing& drawing, const ir::Game& game) {
  const std::vector<std::string> names = game.node_names();
  std::vector<std::size_t> number(game.graph.edge_bound());
  std::size_t count = 0;
  for (const ir::EdgeId edge : game.graph.edges()) number[edge.value] = count++;
  std::vector<DrawingElement> elements;
  for (const ir::EdgeId edge : drawing::edges_in(drawing)) {
    DrawingElement& one = elements.emplace_back();
    one.edge = number[edge.value];
    one.from = names[game.graph.source(edge).value];
    one.to = names[game.graph.target(edge).value];
    if (const auto place = place_of(*game.sources(), game.graph.where(edge))) {
      one.line = place->line, one.column = place->column;
      one.end_line = place->end_line, one.end_column = place->end_column;
    }
  }
  return elements;
}

}  // namespace

LaidOut lay_out(const ir::Game& game, const std::string& focus) {
  LaidOut result{{}, game.graph.edge_count() <= kMostDrawn};
  std::function<bool(ir::EdgeId)> filter;
  if (!result.whole) {
    filter = [chosen = edges_around(game, node_named(game, focus).value_or(game.begin()))](ir::EdgeId edge) {
      return chosen[edge.value];
    };
  }
  result.drawing = drawing::fold(game, filter);
  drawing::lay_out(result.drawing);
  return result;
}

DrawingReply Gallery::draw(const OpenedGame& opened, const DrawingRequest& request) {
  const ir::Game& game = opened.form(request);
  const LaidOut drawn = lay_out(game, request.focus);
  const drawing::Fragments fragments = drawing::fragments(drawn.drawing);
  DrawingReply reply;
  const bool known = sent_ > 0 && request.known == sent_;
  reply.pieces = pieces_of(fragments, known ? std::move(numbers_) : decltype(numbers_)());
  // From the last one on, so that the first ones are taken first.
  numbers_.clear();
  for (std::size_t i = fragments.list.size(); i-- > 0;) numbers_[fragments.list[i].text].push_back(i);
  reply.id = ++sent_;
  reply.width = fragments.width, reply.height = fragments.height, reply.border = fragments.border;
  reply.elements = elements_of(drawn.drawing, game);
  reply.node_count = game.graph.node_count();
  reply.edge_count = game.graph.edge_count();
  reply.whole = drawn.whole;
  return reply;
}

TextReply Gallery::explain(const GamePointer& opened, const ExplainRequest& request) {
  const ir::Game& game = opened->form(request);
  if (explainer_ == nullptr || explained_ != opened || form_ != &game) {
    explainer_ = std::make_unique<trace::Explainer>(game);
    explained_ = opened;
    form_ = &game;
  }
  if (const auto node = node_named(game, request.node)) return {explainer_->text(*node)};
  throw Error("there is no such node");
}

}  // namespace rgtrans::ide
