#include <cmath>

#include "bindings/bindings.hpp"
#include "core/support/support.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of rgtrans; use the package rgtrans instead.";
  module.attr("__version__") = RGTRANS_VERSION;
  module.def(
      "score_number", [](const std::string& score) { return rgtrans::score_number(score).value_or(std::nan("")); },
      pybind11::arg("score"));
  rgtrans::python::bind_errors(module);
  rgtrans::python::bind_game(module);
  rgtrans::python::bind_state(module);
  rgtrans::python::bind_linegames(module);
  rgtrans::python::bind_analyze(module);
  rgtrans::python::bind_equal(module);
  rgtrans::python::bind_judge(module);
  rgtrans::python::bind_match(module);
  rgtrans::python::bind_search(module);
  rgtrans::python::bind_scenes(module);
  rgtrans::python::bind_env(module);
  rgtrans::python::bind_device(module);
}
