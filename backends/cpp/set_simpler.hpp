// Makes walks of sets (sets.hpp) cheaper before they are written: conditions that the next one implies are left out,
// and ways that are alike in several directions are the lanes of one vector. The eight rays of a disc take one shift,
// with a number of cells for each lane, where they took eight.
#pragma once

#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

void drop_implied(SetWalks& walks);
// Sources that no condition asks any more.
void drop_sources(SetWalks& walks);
// In items of a check, with sets of one word; not in checks within it.
void join_lanes(std::vector<SetItem>& items);

}  // namespace rgtrans::cpp
