// Tracks: sequences of sites along which pieces run and seeds are sown.
#pragma once

#include <vector>

#include "frontends/ludii/equipment/statics.hpp"

namespace rgtrans::ludii {

Track read_track(const Node& clause, const Statics& statics);
// The loops around the corners of a Surakarta board. `loops` 0: as many as fit.
std::vector<Track> surakarta_tracks(const Topology& topology, int loops, int from);

}  // namespace rgtrans::ludii
