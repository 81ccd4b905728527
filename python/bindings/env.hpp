// Shared by batches on the processor and on a device.
#pragma once

#include <pybind11/stl.h>

#include "backends/env/env.hpp"

namespace rgtrans::python {

// The form of the observations.
env::BatchOptions shown_as(const pybind11::dict& given);

template <class Shows, class... Options>
void bind_observation(pybind11::class_<Shows, Options...>& of, const env::Observation& (*get)(const Shows&)) {
  of.def_property_readonly("shape", [get](const Shows& it) { return get(it).shape; })
      .def_property_readonly("planes", [get](const Shows& it) { return get(it).planes; })
      .def_property_readonly("form", [get](const Shows& it) {
        return get(it).form == env::Observation::Form::planes ? "planes" : "moves";
      });
}

}  // namespace rgtrans::python
