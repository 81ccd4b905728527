// The schedule of a turn: the conditions with several readers, by the place that computes them.
#pragma once

#include <span>
#include <vector>

#include "frontends/gdl/lower/turn.hpp"

namespace rgtrans::gdl {

struct Stages {
  Emitter::Stage always, percepts, updates, ends;
  std::vector<Emitter::Stage> choices, common;  // per phase
};

// `goals`: the conditions of the goals.
Stages plan_stages(Turn& turn, std::span<const GroundLiteral> goals);

}  // namespace rgtrans::gdl
