// See components.hpp. Tarjan's algorithm with a stack of its own; components are numbered as they are completed.
#include "core/support/components.hpp"

#include <algorithm>

namespace rgtrans {

Components strong_components(std::size_t vertices, const Arcs& arcs) {
  std::vector<std::uint32_t> first(vertices + 1, 0), targets(arcs.size());
  for (const auto& arc : arcs) ++first[arc.first + 1];
  for (std::size_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);  // by vertex: the arc to follow
  for (const auto& arc : arcs) targets[next[arc.first]++] = arc.second;
  std::copy(first.begin(), first.end() - 1, next.begin());

  Components components;
  components.of.assign(vertices, 0);
  constexpr std::uint32_t kDone = UINT32_MAX;   // its component is complete
  std::vector<std::uint32_t> low(vertices, 0);  // the earliest time that is known to be in its component; 0: not seen
  std::vector<std::uint32_t> path, waiting;     // vertices on the way from the start, and those without a component
  std::uint32_t time = 0;
  for (std::uint32_t start = 0; start < vertices; ++start) {
    if (low[start] != 0) continue;
    const auto enter = [&](std::uint32_t v) {
      components.of[v] = low[v] = ++time;
      path.push_back(v);
      waiting.push_back(v);
    };
    enter(start);
    while (!path.empty()) {
      const std::uint32_t v = path.back();
      if (next[v] < first[v + 1]) {
        const std::uint32_t target = targets[next[v]++];
        if (low[target] == 0) {
          enter(target);
        } else if (low[target] != kDone) {
          low[v] = std::min(low[v], low[target]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
      if (low[v] != components.of[v]) continue;
      std::uint32_t member = 0;
      do {
        member = waiting.back();
        waiting.pop_back();
        low[member] = kDone;
        components.of[member] = static_cast<std::uint32_t>(components.count);
      } while (member != v);
      ++components.count;
    }
  }
  return components;
}

}  // namespace rgtrans
