#include "frontends/library/library.hpp"
#include "ide/workbench/verbs.hpp"

namespace rgtrans::ide {

HelloReply hello(Bench& bench, const Nothing& /*request*/, const Stop& /*stop*/) {
  HelloReply reply;
  for (const Frontend* language : frontends()) {
    reply.languages.push_back({std::string(language->name),
                               std::string(language->title),
                               {language->extensions.begin(), language->extensions.end()}});
  }
  for (const LibraryGame& game : library()) reply.presets.emplace_back(game.path);
  for (const passes::Pass& pass : passes::all_passes())
    reply.passes.push_back({std::string(pass.name), std::string(pass.help), pass.level});
  reply.folder = bench.host->folder();
  reply.files = bench.host->names();
  return reply;
}

TextReply read_text(Bench& bench, const ReadRequest& request, const Stop& /*stop*/) {
  if (request.name) return {bench.host->read(*request.name)};
  const LibraryGame* const found = find_game(request.preset.value_or(""));
  if (found == nullptr) throw Error("there is no such game");
  return {std::string(found->text)};
}

Nothing save_text(Bench& bench, const SaveRequest& request, const Stop& /*stop*/) {
  bench.host->write(request.name, request.text);
  return {};
}

OpenReply open_text(Bench& bench, const OpenRequest& request, const Stop& /*stop*/) {
  DocumentPointer document = open_document(request);
  const GamePointer game = document->load();
  bench.document = std::move(document);
  OpenReply reply;
  for (const SymbolId player : game->written().players()) reply.players.push_back(ir::written(game->written(), player));
  Diagnostics hints(game->written().sources());
  scene::read_hints(game->written(), hints);
  reply.warnings = complaints_of(hints.all(), hints.sources().get());
  reply.hides = game->hides();
  reply.nodes = game->written().graph.node_count();
  reply.edges = game->written().graph.edge_count();
  return reply;
}

}  // namespace rgtrans::ide
