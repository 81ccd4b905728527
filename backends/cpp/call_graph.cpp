// Calls between functions of generated code (call_graph.hpp).
#include "backends/cpp/call_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "backends/cpp/cost_model.hpp"
#include "core/analysis/analysis.hpp"

namespace rgtrans::cpp {

namespace {
constexpr std::uint64_t kTooMany = std::uint64_t{1} << 40U;  // lines; sums of sums cannot overflow
}  // namespace

CallGraph::CallGraph(const FunctionTable& table) {
  constexpr std::uint64_t kHeadAndEnd = 2;
  std::map<FunctionId, std::uint32_t> number;
  for (const FunctionId id : table.defined()) {
    number.emplace(id, static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({id, table.at(id).body.lines() + kHeadAndEnd, {}});
  }
  Arcs arcs;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const Reference& reference : table.at(nodes_[i].id).body.references()) {
      if (reference.kind != Reference::Kind::call) continue;
      const auto callee = number.find(table.resolved(FunctionId(reference.number)));
      if (callee == number.end()) continue;
      arcs.emplace_back(i, callee->second);
      nodes_[i].calls.push_back(callee->second);
      if (callee->second == i) recursive_.insert(nodes_[i].id);
    }
  }
  const auto components = strong_components(nodes_.size(), arcs);
  std::map<std::uint32_t, unsigned> size;
  for (const std::uint32_t component : components.of) ++size[component];
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (size[components.of[i]] > 1) recursive_.insert(nodes_[i].id);
  }
}

std::uint64_t CallGraph::inlined_lines(std::uint32_t function, const std::vector<bool>& apart,
                                       std::vector<std::uint64_t>& known) const {
  std::uint64_t& lines = known[function];
  if (lines > 0) return lines;
  lines = nodes_[function].lines;
  std::uint64_t sum = lines;
  for (const std::uint32_t callee : nodes_[function].calls) {
    if (apart[callee] || recursive_.contains(nodes_[callee].id)) continue;
    sum = std::min(kTooMany, sum + inlined_lines(callee, apart, known));
  }
  return lines = sum;
}

std::uint64_t CallGraph::lines(const std::set<FunctionId>& entries) const {
  const std::vector<bool> none(nodes_.size());
  std::vector<std::uint64_t> known(nodes_.size());
  std::uint64_t sum = 0;
  for (std::uint32_t f = 0; f < nodes_.size(); ++f) {
    if (entries.contains(nodes_[f].id)) sum += inlined_lines(f, none, known);
  }
  return sum;
}

std::set<FunctionId> CallGraph::apart(const std::set<FunctionId>& entries) const {
  // Copies of what calls itself have such calls again: nvcc takes minutes to find an end.
  std::set<FunctionId> result = recursive_;
  if (lines(entries) <= kSizes.whole_lines) return result;
  std::vector<bool> apart(nodes_.size());
  std::vector<std::uint64_t> known(nodes_.size());
  for (std::uint32_t f = 0; f < nodes_.size(); ++f) inlined_lines(f, apart, known);
  std::vector<unsigned> callers(nodes_.size());
  for (const Node& function : nodes_) {
    for (const std::uint32_t callee : function.calls) ++callers[callee];
  }
  // Callees are decided before those that call them.
  std::vector<std::uint32_t> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t f) { return std::pair(known[f], f); });
  std::ranges::fill(known, 0);
  for (const std::uint32_t f : order) {
    const bool entry = entries.contains(nodes_[f].id);
    const std::uint64_t lines = inlined_lines(f, apart, known);
    apart[f] = entry || recursive_.contains(nodes_[f].id) ||
               (callers[f] > 1 && (lines > kSizes.short_lines || callers[f] * lines > kSizes.copied_lines)) ||
               lines > kSizes.long_lines;
    if (apart[f]) result.insert(nodes_[f].id);
  }
  return result;
}

}  // namespace rgtrans::cpp
