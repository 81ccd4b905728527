#include "ide/web/lanes.hpp"

#include <algorithm>
#include <vector>

#include "ide/rpc/rpc.hpp"

namespace rgtrans::ide {

namespace {

std::vector<Lane*> lanes;  // in the order in which they were made

}  // namespace

void Lane::begin() { lanes.push_back(this); }
void Lane::end() { std::erase(lanes, this); }

bool step_lanes() {
  for (std::size_t i = lanes.size(); i-- > 0;) {
    if (lanes[i]->step()) return true;
  }
  return false;
}

}  // namespace rgtrans::ide
