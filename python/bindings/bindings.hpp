// The module rgtrans._core: thin wrappers of the C++ library. Everything a user sees is in the pure Python files
// around it; texts, defaults and types are settled there.
#pragma once

#include <pybind11/pybind11.h>

namespace rgtrans::python {

void bind_errors(pybind11::module_& module);
void bind_game(pybind11::module_& module);
void bind_state(pybind11::module_& module);
void bind_linegames(pybind11::module_& module);
void bind_analyze(pybind11::module_& module);
void bind_equal(pybind11::module_& module);
void bind_judge(pybind11::module_& module);
void bind_match(pybind11::module_& module);
void bind_search(pybind11::module_& module);
void bind_scenes(pybind11::module_& module);
void bind_env(pybind11::module_& module);
void bind_device(pybind11::module_& module);

}  // namespace rgtrans::python
