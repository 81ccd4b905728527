// The canonical form of a game, and whether it is proper.
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "backends/interpreter/interpreter.hpp"
#include "backends/proper/proper.hpp"
#include "bindings/bindings.hpp"
#include "bindings/game.hpp"
#include "core/form/form.hpp"
#include "frontends/registry/registry.hpp"

namespace py = pybind11;

namespace rgtrans::python {
namespace {

py::tuple canonical_form(const Game& game, std::uint64_t most_work) {
  form::CanonicalForm result;
  std::string hash;
  {
    const py::gil_scoped_release unlocked;
    result = form::canonical_form(*game.game, most_work);
    hash = result.hash();
  }
  return py::make_tuple(hash, py::bytes(result.text), result.complete);
}

// The messages of violations that plays at random meet.
std::vector<std::string> violations(const Game& game, std::uint64_t plays, std::uint64_t seed, std::uint64_t max_moves,
                                    std::uint64_t max_steps, std::uint64_t max_all_steps) {
  const py::gil_scoped_release unlocked;
  DynamicCheckOptions options;
  options.plays = plays;
  options.seed = seed;
  options.max_moves = max_moves;
  options.max_steps = max_steps;
  options.max_all_steps = max_all_steps;
  options.max_violations = 1;
  options.warnings = false;
  std::vector<std::string> result;
  for (const Violation& violation : check_dynamic(*game.game, options)) result.push_back(violation.message);
  return result;
}

// The answers as rgtrans check --prove --json gives them.
std::string examine(const Game& game, std::uint64_t states, double seconds, std::uint64_t plays, std::uint64_t seed) {
  const py::gil_scoped_release unlocked;
  proper::ProperOptions options;
  options.states = states;
  options.seconds = seconds;
  options.plays = plays;
  options.seed = seed;
  return proper::json(proper::examine(*game.game, options), *game.game->sources()).dump();
}

}  // namespace

void bind_judge(py::module_& module) {
  module.def("canonical_form", &canonical_form, py::arg("game"), py::arg("most_work"));
  module.def("violations", &violations, py::arg("game"), py::arg("plays"), py::arg("seed"), py::arg("max_moves"),
             py::arg("max_steps"), py::arg("max_all_steps"));
  module.def("set_limit", &set_limit, py::arg("assignment"));
  module.def("examine", &examine, py::arg("game"), py::arg("states"), py::arg("seconds"), py::arg("plays"),
             py::arg("seed"));
}

}  // namespace rgtrans::python
