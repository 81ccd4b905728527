// What one walk has made of the state; see sets.hpp.
#include <algorithm>

#include "backends/cpp/sets.hpp"

namespace rgtrans::cpp {

bool SetWay::changes(VarId v) const {
  return values.contains(v.value) || clobbered.contains(v.value) ||
         std::ranges::any_of(writes, [&](const Write& write) { return write.map == v; });
}

void SetWay::drop_repeated(const SetWay& before) {
  if (before.writes.size() != writes.size() || before.clobbered != clobbered || before.tags.size() != tags.size())
    return;
  for (const std::size_t x : Bits(possible)) {
    const bool same = std::ranges::all_of(values, [&](const auto& of) {
      const auto it = before.values.find(of.first);
      return it != before.values.end() && it->second[x] == of.second[x];
    });
    if (same) possible.reset(x);
  }
}

SetItem item_of(SetItem::Kind kind, const Step* step, const SetWay& way) {
  SetItem result;
  result.kind = kind;
  result.step = step;
  result.possible = way.possible;
  return result;
}

}  // namespace rgtrans::cpp
