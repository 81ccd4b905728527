// What is computed when: the conditions that several places of a turn read, by the place where they are computed.
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
