// Verbs about the automaton of a game: its texts, its drawings, the work of the optimizer, and the way from a line of
// the text to its edges and back.
#include <fmt/format.h>

#include "backends/dot/dot.hpp"
#include "backends/json/json.hpp"
#include "backends/page/page.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "core/support/text.hpp"
#include "ide/bundle/bundle.hpp"
#include "ide/workbench/verbs.hpp"

namespace rgtrans::ide {

// --- Texts. ---

TextReply translate(Bench& bench, const TranslateRequest& request, const Stop& /*stop*/) {
  if (bench.document == nullptr) throw Error("no game is open");
  const Document& document = *bench.document;
  // A form of the language itself needs no game.
  if (const FoundForm found = find_form(request.to); found.form != nullptr && found.language == document.language) {
    Diagnostics diagnostics;
    const Sources::File& file = diagnostics.sources()->add(document.name, document.text);
    std::string text = found.form->write(file, diagnostics, {});
    diagnostics.throw_if_errors();
    return {std::move(text)};
  }
  const GamePointer opened = document.load();
  if (request.to == "page") {
    const ir::Game& written = opened->written();
    const std::string name = document.name.substr(document.name.rfind('/') + 1);
    return {page::write(written, page::title_of(written, name.substr(0, name.rfind('.'))), bundle::kGamePage)};
  }
  const ir::Game& game = opened->form(request);
  if (request.to == "rg") return {rg::print(game)};
  if (request.to == "json") return {json::print(game)};
  if (request.to == "dot") return {dot::print(game)};
  if (request.to == "stats") return {stats::text(stats::collect(game))};
  throw Error("there is no form " + request.to);
}

// --- The optimizer. ---

OptimizeReply optimize(Bench& bench, const OptimizeRequest& request, const Stop& stop) {
  constexpr std::size_t kMostNodes = 3000;  // of a game whose every step is drawn
  const GamePointer opened = game_of(bench.document);
  const bool drawn = request.trace && opened->written().graph.node_count() <= kMostNodes;
  trace::RunOfPasses run(opened->written());
  trace::Page page("Optimizer trace", opened->written());
  std::vector<std::string> differences;
  passes::OptimizeOptions options = options_of(request);
  options.keep_before = request.texts || drawn;
  options.on_change = [&](const passes::PassEvent& event) {
    stop.check();
    run.add(event);
    if (drawn) page.add(event);
    if (request.texts) differences.push_back(line_difference(rg::print(*event.before), rg::print(event.after)));
  };
  ir::Game game = opened->written();
  const passes::OptimizeReport report = passes::optimize(game, options);
  OptimizeReply reply;
  static_cast<OptimizerRun&>(reply) = from_json_message<OptimizerRun>(run.told(game, report), "run");
  for (std::size_t i = 0; i < differences.size(); ++i) reply.steps[i].difference = std::move(differences[i]);
  if (request.texts) reply.text = rg::print(game);
  if (drawn) reply.html = page.html(bundle::kTracePage, game, report);
  return reply;
}

// The run is made again up to there, so that no copies of the game have to be kept.
PassReply show_pass(Bench& bench, const PassRequest& request, const Stop& stop) {
  passes::OptimizeOptions options = options_of(request);
  options.stop_after = request.number;
  options.keep_before = true;
  std::optional<PassReply> reply;
  options.on_change = [&](const passes::PassEvent& event) {
    stop.check();
    if (event.number == request.number) reply = from_json_message<PassReply>(trace::change_of(event), "change");
  };
  ir::Game game = game_of(bench.document)->written();
  passes::optimize(game, options);
  if (!reply) throw Error("the run has no such change any more");
  return *std::move(reply);
}

TextReply explain(Bench& bench, const ExplainRequest& request, const Stop& /*stop*/) {
  return bench.gallery.explain(game_of(bench.document), request);
}

// --- Drawings, and between the lines of the text and the automaton. ---

namespace {

// Connects the edges of a game with the text of its document.
class EdgesInText {
 public:
  EdgesInText(const ir::Game& game, const Document& document, Encoding encoding)
      : game_(game), names_(game.node_names()), text_(document.text), lines_(text_), encoding_(encoding) {}

  // Nothing for an edge of another text.
  [[nodiscard]] std::optional<TextRange> range(ir::EdgeId edge) const {
    const Range where = game_.graph.where(edge);
    const Sources::File* file = where.known() ? game_.sources()->file_of(where.begin) : nullptr;
    if (file == nullptr || !is_document(file)) return std::nullopt;
    return TextRange{position(where.begin - file->base), position(where.end - file->base)};
  }
  [[nodiscard]] EdgeInText edge(ir::EdgeId edge) const { return {rg::print_edge(game_, edge, names_), range(edge)}; }
  [[nodiscard]] const std::string& name(ir::NodeId node) const { return names_[node.value]; }

 private:
  [[nodiscard]] bool is_document(const Sources::File* file) const {
    if (file != file_) equal_ = file->text == text_;
    file_ = file;
    return equal_;
  }
  [[nodiscard]] TextPosition position(std::uint32_t offset) const {
    const LinePlace place = lines_.place(offset, text_, encoding_);
    return {place.line, place.character};
  }

  const ir::Game& game_;
  std::vector<std::string> names_;
  const std::string& text_;
  Lines lines_;
  Encoding encoding_;
  mutable const Sources::File* file_ = nullptr;  // the file of the last query
  mutable bool equal_ = false;
};

}  // namespace

AutomatonReply draw_automaton(Bench& bench, const AutomatonRequest& request, const Stop& stop) {
  const GamePointer opened = game_of(bench.document);
  const ir::Game& game = opened->form(request, 1);
  const LaidOut drawn = lay_out(game, request.focus);
  const EdgesInText in_text(game, *bench.document, bench.encoding);
  AutomatonReply reply{drawing::svg(drawn.drawing), {}, drawn.whole};
  for (const ir::EdgeId edge : drawing::edges_in(drawn.drawing)) {
    stop.check();
    reply.edges.push_back(in_text.edge(edge));
  }
  return reply;
}

DrawingReply draw_pieces(Bench& bench, const DrawingRequest& request, const Stop& /*stop*/) {
  return bench.gallery.draw(*game_of(bench.document), request);
}

NodesReply nodes_of_line(Bench& bench, const NodesRequest& request, const Stop& stop) {
  const GamePointer opened = game_of(bench.document);
  const ir::Game& game = opened->written();
  const EdgesInText in_text(game, *bench.document, bench.encoding);
  NodesReply reply;
  for (const ir::NodeId node : game.graph.nodes()) {
    stop.check();
    NodeInText found{in_text.name(node), {}};
    for (const ir::EdgeId edge : game.graph.out_edges(node)) {
      const auto range = in_text.range(edge);
      if (range && range->start.line == request.line) found.edges.push_back(in_text.edge(edge));
    }
    if (!found.edges.empty()) reply.nodes.push_back(std::move(found));
  }
  return reply;
}

SourceReply source_of_node(Bench& bench, const SourceRequest& request, const Stop& /*stop*/) {
  const GamePointer opened = game_of(bench.document);
  const ir::Game& game = opened->written();
  const EdgesInText in_text(game, *bench.document, bench.encoding);
  SourceReply reply{opened->name(), {}};
  for (const ir::NodeId node : game.graph.nodes()) {
    if (in_text.name(node) != request.node) continue;
    for (const ir::EdgeId edge : game.graph.out_edges(node)) {
      if (const auto range = in_text.range(edge)) reply.ranges.push_back(*range);
    }
  }
  return reply;
}

}  // namespace rgtrans::ide
