#include "ide/desk/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backends/interpreter/interpreter.hpp"
#include "frontends/registry/registry.hpp"

namespace rgtrans::ide {

OpenedGame::OpenedGame(std::string title, std::shared_ptr<Sources> texts, ir::Game game,
                       passes::OptimizeOptions options)
    : name(std::move(title)),
      sources(std::move(texts)),
      written(std::move(game)),
      hides(ir::hides_moves(written)),
      options_(std::move(options)) {}

const PlayableGame& OpenedGame::playable() const {
  std::call_once(once_, [this] {
    ir::Game game = written;
    passes::optimize(game, options_);
    scene::Painter painter(options_.passes ? game : written);
    auto start = make_interpreter(game);
    playable_ = std::make_unique<const PlayableGame>(
        PlayableGame{std::move(game), std::move(painter), scene::Wording(written), std::move(start)});
  });
  return *playable_;
}

passes::OptimizeOptions optimizer_of(const Json& request) {
  passes::OptimizeOptions options;
  options.level = request.value("level", 2);
  if (const auto it = request.find("passes"); it != request.end() && it->is_array()) {
    options.passes = it->get<std::vector<std::string>>();
    for (const std::string& name : *options.passes) {
      if (passes::find_pass(name) == nullptr) throw Error(fmt::format("there is no pass {}", name));
    }
  }
  return options;
}

std::shared_ptr<const OpenedGame> open_game(const Json& request) {
  const std::string name = request.value("name", "");
  const std::string text = request.at("text");
  const Frontend& frontend = frontend_for(request.value("language", ""), name, text);
  Diagnostics diagnostics;
  FrontendOptions options;
  options.values[std::string(kMaxSecondsOption)] = "60";
  ir::Game game = load_text(name, text, frontend, diagnostics, options_of(frontend, options), true);
  return std::make_shared<OpenedGame>(name, diagnostics.sources(), std::move(game), optimizer_of(request));
}

Json place_of(const Sources& sources, Range range) {
  if (!range.known()) return nullptr;
  const LineColumn begin = sources.position(range.begin);
  const LineColumn end = sources.position(std::max(range.begin, range.end));
  return {{"line", begin.line}, {"column", begin.column}, {"endLine", end.line}, {"endColumn", end.column}};
}

Json diagnostics_of(std::span<const Diagnostic> diagnostics, const Sources* sources) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    Json one = {{"message", diagnostic.message},
                {"hint", diagnostic.hint},
                {"severity", diagnostic.severity == Severity::error ? "error" : "warning"}};
    one["place"] = sources == nullptr ? Json() : place_of(*sources, diagnostic.where);
    list.push_back(std::move(one));
  }
  return list;
}

Json diagnostics_of(const Error& error) {
  Json list = diagnostics_of(error.diagnostics(), error.sources().get());
  if (list.empty())
    list.push_back({{"message", error.what()}, {"hint", ""}, {"severity", "error"}, {"place", nullptr}});
  return list;
}

namespace {

constexpr std::size_t kMostAlone = 100'000;  // moves of the keeper in a row

std::size_t index_of(Reasoner& reasoner, const std::string& move) {
  if (const auto index = reasoner.find_move(move)) return *index;
  throw Error(fmt::format("'{}' is no move here", move));
}

}  // namespace

void follow(Reasoner& reasoner, const std::vector<std::string>& path) {
  const auto settle = [&] {
    for (std::size_t i = 0; i < kMostAlone && reasoner.moves_unseen(); ++i) reasoner.apply(0);
  };
  settle();
  for (const std::string& move : path) {
    reasoner.apply(index_of(reasoner, move));
    settle();
  }
}

ShownPlay::ShownPlay(std::shared_ptr<const OpenedGame> game)
    : game_(std::move(game)), reasoner_(game_->playable().start->clone()), witness_(game_->shown()) {
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

void ShownPlay::go_to(const std::vector<std::string>& path) {
  std::size_t same = 0;
  while (same < made_.size() && same < path.size() && made_[same].move == path[same]) ++same;
  while (made_.size() > same) {
    for (std::size_t i = 0; i < made_.back().plies; ++i) {
      reasoner_->undo();
      witness_.undo();
    }
    made_.pop_back();
  }
  for (std::size_t i = same; i < path.size(); ++i) {
    const std::size_t index = index_of(*reasoner_, path[i]);
    Made made{path[i], reasoner_->mover(), game_->playable().wording.shown({path[i]}).front(), 0};
    apply(index, made.plies);
    settle(made.plies);
    made_.push_back(std::move(made));
  }
}

Json ShownPlay::moves(const scene::Scene& scene) {
  const std::vector<std::string> moves = reasoner_->move_texts();
  std::vector<std::string> full;
  for (const std::string& move : moves) full.push_back(game_->playable().wording.full(move));
  const std::vector<std::string> shown = game_->playable().wording.shown(moves);
  const auto targets = scene::targets(scene, full);
  Json list = Json::array();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    list.push_back({{"move", moves[i]}, {"text", shown[i]}, {"targets", targets[i]}});
  }
  return list;
}

Json ShownPlay::state(const Json& request) {
  go_to(request.value("path", std::vector<std::string>()));
  const GameInfo& info = reasoner_->info();
  std::optional<std::size_t> viewer;
  if (const auto it = request.find("viewer"); it != request.end() && it->is_number_unsigned() && game_->hides) {
    viewer = std::min<std::size_t>(it->get<std::size_t>(), info.players.size() - 1);
  }
  scene::Scene scene = game_->playable().painter.scene(witness_, viewer);
  Json state = {{"mover", reasoner_->mover_name()}, {"outcome", scene.outcome}};
  state["made"] = Json::array();
  if (viewer) {
    for (const scene::Seen& seen : witness_.seen(*viewer)) {
      state["made"].push_back(
          {{"mover", info.mover_name(seen.mover)}, {"text", game_->playable().wording.shown({seen.text}).front()}});
    }
  } else {
    for (const Made& made : made_)
      state["made"].push_back({{"mover", info.mover_name(made.mover)}, {"text", made.text}});
  }
  state["moves"] = moves(scene);
  state["facts"] = Json::array();
  for (const scene::ShownValue& fact : scene.facts)
    state["facts"].push_back({{"name", fact.name}, {"value", fact.value}});
  // The page writes these beside the board.
  std::erase_if(scene.facts, [](const scene::ShownValue& fact) { return fact.faces.empty(); });
  scene.outcome.clear();
  scene.mover.clear();
  const bool drawn = !scene.boards.empty() || !scene.facts.empty();
  state["svg"] = drawn ? scene::svg(scene, request.value("flip", false)) : "";
  state["variables"] = Json::array();
  if (!viewer) {
    for (const VariableView& view : witness_.variables()) {
      state["variables"].push_back({{"name", view.name}, {"value", view.value}});
    }
  }
  return state;
}

}  // namespace rgtrans::ide
