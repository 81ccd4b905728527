// Strongly connected components of a graph given as a list of arcs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/support/grouped.hpp"

namespace rgtrans {

using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // from, to

struct Components {
  std::vector<std::uint32_t> of;  // component by vertex; no arc leads to a component with a larger number
  std::uint32_t count = 0;
  // The vertices of each component.
  [[nodiscard]] Grouped members() const {
    return {count, of.size(), [&](std::uint32_t v) { return of[v]; }};
  }
};

Components strong_components(std::size_t vertices, const Arcs& arcs);

}  // namespace rgtrans
