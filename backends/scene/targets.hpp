// Targets: which cells of the drawn boards a move names, in order, so that a person can make it by pointing at them.
#pragma once

#include <string>
#include <vector>

#include "backends/scene/picture.hpp"

namespace rgtrans::scene {

// Each of these cells will do: a move that names a column alone may be made on any of its cells.
using Target = std::vector<std::string>;

// By move; `moves` are in the author's words (Wording::full). A move that names no cell has no targets.
std::vector<std::vector<Target>> targets(const Scene& scene, const std::vector<std::string>& moves);

}  // namespace rgtrans::scene
