// The headers that are precompiled for the Python module.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "core/ir/ir.hpp"
