#include "ide/workbench/shown_play.hpp"

#include <algorithm>

#include "backends/play/play.hpp"

namespace rgtrans::ide {

ShownPlay::ShownPlay(GamePointer game) : game_(std::move(game)), reasoner_(game_->start()), witness_(game_->shown()) {
  std::size_t plies = 0;
  settle(plies);
}

void ShownPlay::apply(std::size_t index, std::size_t& plies) {
  witness_.apply(reasoner_->move_text(index));
  reasoner_->apply(index);
  ++plies;
}

void ShownPlay::settle(std::size_t& plies) {
  for (std::size_t i = 0; i < kMostAlone && reasoner_->moves_unseen(); ++i) apply(0, plies);
}

void ShownPlay::go_to(const std::vector<std::string>& moves) {
  std::size_t same = 0;
  while (same < made_.size() && same < moves.size() && made_[same].move == moves[same]) ++same;
  while (made_.size() > same) {
    for (std::size_t i = 0; i < made_.back().plies; ++i) {
      reasoner_->undo();
      witness_.undo();
    }
    made_.pop_back();
  }
  for (std::size_t i = same; i < moves.size(); ++i) {
    const std::size_t index = index_of(*reasoner_, moves[i]);
    Made made{moves[i], reasoner_->mover(), game_->wording().shown(reasoner_->move_texts())[index], 0, {}};
    made.targets = scene::targets(game_->painter().scene(witness_), {game_->wording().full(moves[i])}).front();
    if (game_->wording().passes(moves[i])) made.targets.clear();
    apply(index, made.plies);
    settle(made.plies);
    made_.push_back(std::move(made));
  }
}

std::optional<std::size_t> ShownPlay::viewer_of(const BoardRequest& request) const {
  if (!request.viewer || !game_->hides()) return std::nullopt;
  return std::min(*request.viewer, reasoner_->info().players.size() - 1);
}

std::vector<MoveMade> ShownPlay::made(std::optional<std::size_t> viewer) const {
  const GameInfo& info = reasoner_->info();
  std::vector<MoveMade> list;
  if (viewer) {
    for (const scene::Seen& seen : witness_.seen(*viewer))
      list.push_back({info.mover_name(seen.mover), game_->wording().shown({seen.text}).front()});
  } else {
    for (const Made& made : made_) list.push_back({info.mover_name(made.mover), made.text});
  }
  return list;
}

std::vector<MoveChoice> ShownPlay::choices(const scene::Scene& scene) {
  const std::vector<std::string> moves = reasoner_->move_texts();
  std::vector<std::string> full;
  // The cells in a pass say nothing.
  for (const std::string& move : moves)
    full.push_back(game_->wording().passes(move) ? "" : game_->wording().full(move));
  std::vector<std::string> shown = game_->wording().shown(moves);
  auto targets = scene::targets(scene, full);
  std::vector<MoveChoice> list;
  for (std::size_t i = 0; i < moves.size(); ++i) list.push_back({moves[i], std::move(shown[i]), std::move(targets[i])});
  return list;
}

BoardReply ShownPlay::board(const BoardRequest& request) {
  go_to(game_->moves_of(request.path));
  const scene::Scene scene = game_->painter().scene(witness_, viewer_of(request));
  return {scene::svg(scene, request.flip), scene::text(scene, {.flipped = request.flip}),
          Json::parse(scene::json(scene))};
}

PlayReply ShownPlay::play(const PlayRequest& request) {
  go_to(game_->moves_of(request.path));
  const std::optional<std::size_t> viewer = viewer_of(request);
  scene::Scene scene = game_->painter().scene(witness_, viewer);
  PlayReply reply;
  reply.mover = reasoner_->mover_name();
  reply.outcome = scene.outcome;
  reply.made = made(viewer);
  reply.moves = choices(scene);
  // The cells of the last chosen move; a viewer with partial knowledge gets none of them.
  if (!viewer && !made_.empty()) {
    for (const scene::Target& target : made_.back().targets) {
      if (target.size() == 1) reply.last.push_back(target.front());
    }
  }
  for (const scene::ShownValue& fact : scene.facts) reply.facts.push_back({fact.name, fact.value});
  if (!viewer) {
    for (const VariableView& view : witness_.variables()) reply.variables.push_back({view.name, view.value});
  }
  if (request.texts)
    reply.text =
        scene::text(scene, {.flipped = request.flip}) + play::moves_text(*reasoner_->clone(), game_->wording());
  // A client writes these next to the board.
  std::erase_if(scene.facts, [](const scene::ShownValue& fact) { return fact.faces.empty(); });
  scene.outcome.clear();
  scene.mover.clear();
  if (!scene.boards.empty() || !scene.facts.empty()) reply.svg = scene::svg(scene, request.flip);
  return reply;
}

}  // namespace rgtrans::ide
