// The whole program: all commands, all forms.
#include <fmt/format.h>

#include <array>

#include "backends/dot/dot.hpp"
#include "backends/json/json.hpp"
#include "backends/lockstep/lockstep.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "backends/trace/trace.hpp"
#include "backends/wasm/wasm.hpp"
#include "cli/engine.hpp"
#include "cli/graphviz.hpp"
#include "cli/parts.hpp"
#include "cli/project.hpp"
#include "cli/proof.hpp"
#include "ide/bundle/bundle.hpp"

namespace rgtrans::cli {

namespace {

// Moves of the positions that one comparison of --verify-each looks at: games with a hundred thousand moves in each of
// them get a part of a walk, which takes seconds.
constexpr std::uint64_t kMostListed = 1'000'000;

class Page : public TracePage {
 public:
  explicit Page(const ir::Game& game) : page_("Optimizer trace", game) {}
  void add(const passes::PassEvent& event) override { page_.add(event); }
  [[nodiscard]] std::string html(const ir::Game& optimized, const passes::OptimizeReport& report) override {
    return page_.html(ide::bundle::kTracePage, optimized, report);
  }

 private:
  trace::Page page_;
};

void explain(const ir::Game& game, const std::vector<std::string>& wanted) {
  trace::Explainer explainer(game);
  const std::vector<std::string> names = game.node_names();
  for (const std::string& name : wanted) {
    bool found = false;
    for (ir::NodeId node : game.graph.nodes()) {
      if (names[node.value] != name) continue;
      found = true;
      fmt::print(stderr, "{}", explainer.text(node));
      break;
    }
    if (!found) throw UsageError(fmt::format("the optimized game has no node {}", name));
  }
}

int prove_value(const std::string& file, const GameArguments& game) {
  EngineArguments start;
  start.game = game;
  return check_proof(file, start, {});
}

}  // namespace

bool is_whole() { return true; }

const ProgramParts& parts() {
  static constexpr std::array kCommands = {
      &kTranslate, &kBuild, &kBatch,  &kPerft,  &kPlayouts, &kMoves,  &kPlay,    &kShow,      &kStudio,     &kPage,
      &kMatch,     &kSolve, &kEqual,  &kVerify, &kAnalyze,  &kRank,   &kActions, &kGgpPlayer, &kGgpHost,    &kCheck,
      &kFormat,    &kStats, &kGround, &kPasses, &kGames,    &kLimits, &kSchema,  &kManual,    &kCompletion, &kLsp};
  static constexpr std::array kForms = {
      OutputForm{"rg", [](const ir::Game& game, const ProjectArguments&) { return rg::print(game); }, nullptr},
      OutputForm{"json", [](const ir::Game& game, const ProjectArguments&) { return json::print(game) + "\n"; },
                 nullptr},
      OutputForm{"dot", [](const ir::Game& game, const ProjectArguments&) { return dot::print(game); }, nullptr},
      OutputForm{"svg", [](const ir::Game& game, const ProjectArguments&) { return draw(game); }, nullptr},
      OutputForm{"stats",
                 [](const ir::Game& game, const ProjectArguments&) { return stats::text(stats::collect(game)); },
                 nullptr},
      OutputForm{"plan",
                 [](const ir::Game& game, const ProjectArguments& arguments) {
                   return cpp::plan_text(game, generate_options(arguments));
                 },
                 nullptr},
      OutputForm{"wasm", [](const ir::Game& game, const ProjectArguments&) { return wasm::write(game); }, nullptr},
      OutputForm{"cpp", nullptr, write_project},
      OutputForm{"cuda", nullptr, write_project},
  };
  static constexpr ProgramParts kParts = {
      kCommands,
      kForms,
      cpp::kTechniques,
      [](std::size_t walks) { return lockstep::comparison({.walks = walks, .listed = kMostListed}); },
      [](const ir::Game& game) -> std::unique_ptr<TracePage> { return std::make_unique<Page>(game); },
      explain,
      play_asserting,
      prove_value};
  return kParts;
}

}  // namespace rgtrans::cli
