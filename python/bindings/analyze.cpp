// Figures about a game, as JSON.
#include <pybind11/stl.h>

#include "backends/search/search.hpp"
#include "bindings/bindings.hpp"
#include "bindings/game.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

std::string analyze(const Game& game, const std::string& name, std::uint64_t games, std::uint64_t simulations,
                    std::uint64_t seed, std::uint64_t most_moves, double seconds, bool depth,
                    const std::string& engine) {
  const py::gil_scoped_release unlocked;
  search::AnalyzeOptions options;
  options.games = games;
  options.simulations = simulations;
  options.seed = seed;
  options.most_moves = most_moves;
  options.seconds = seconds;
  options.depth = depth;
  const std::unique_ptr<Reasoner> reasoner = make_reasoner(game, engine);
  const search::Analysis analysis = search::analyze(*reasoner, name, {}, options);
  return search::json({&analysis, 1});
}

}  // namespace

void bind_analyze(py::module_& module) {
  module.def("analyze", &analyze, py::arg("game"), py::arg("name"), py::arg("games"), py::arg("simulations"),
             py::arg("seed"), py::arg("max_moves"), py::arg("seconds"), py::arg("depth"), py::arg("engine"));
}

}  // namespace rgtrans::python
