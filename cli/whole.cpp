// The whole program: all commands, all forms.
#include <array>

#include "backends/dot/dot.hpp"
#include "backends/json/json.hpp"
#include "backends/lockstep/lockstep.hpp"
#include "backends/rg/rg.hpp"
#include "backends/stats/stats.hpp"
#include "backends/trace/trace.hpp"
#include "cli/graphviz.hpp"
#include "cli/parts.hpp"
#include "cli/project.hpp"

namespace rgtrans::cli {

namespace {

class Page : public TracePage {
 public:
  void add(const passes::PassEvent& event) override { page_.add(event); }
  [[nodiscard]] std::string html() const override { return page_.html(); }

 private:
  trace::Page page_{"Optimizer trace"};
};

}  // namespace

bool is_whole() { return true; }

const ProgramParts& parts() {
  static constexpr std::array kCommands = {
      &kTranslate, &kBuild,  &kBatch,  &kPerft,   &kPlayouts, &kMoves,     &kPlay,       &kShow,  &kStudio,
      &kPage,      &kMatch,  &kSolve,  &kAnalyze, &kActions,  &kGgpPlayer, &kGgpHost,    &kCheck, &kFormat,
      &kStats,     &kGround, &kPasses, &kLimits,  &kSchema,   &kManual,    &kCompletion, &kLsp};
  static constexpr std::array kForms = {
      OutputForm{"rg", [](const ir::Game& game) { return rg::print(game); }, nullptr},
      OutputForm{"json", [](const ir::Game& game) { return json::print(game) + "\n"; }, nullptr},
      OutputForm{"dot", [](const ir::Game& game) { return dot::print(game); }, nullptr},
      OutputForm{"svg", [](const ir::Game& game) { return draw(game); }, nullptr},
      OutputForm{"stats", [](const ir::Game& game) { return stats::text(stats::collect(game)); }, nullptr},
      OutputForm{"cpp", nullptr, write_project},
      OutputForm{"cuda", nullptr, write_project},
  };
  static constexpr ProgramParts kParts = {kCommands, kForms,
                                          [](std::size_t walks) { return lockstep::comparison({.walks = walks}); },
                                          []() -> std::unique_ptr<TracePage> { return std::make_unique<Page>(); }};
  return kParts;
}

}  // namespace rgtrans::cli
