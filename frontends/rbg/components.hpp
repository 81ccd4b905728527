// Strong components of a directed graph given by its arcs; the one graph algorithm that several files here need.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rgtrans::rbg {

// The component of each vertex. Components are numbered so that what one reaches has smaller numbers.
// `arcs` must be sorted by source.
std::vector<std::uint32_t> strong_components(std::size_t vertices,
                                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& arcs,
                                             std::uint32_t& count);

}  // namespace rgtrans::rbg
