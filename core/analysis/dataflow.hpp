// The data-flow solvers. A problem names its Domain; a node that no state reaches has no value at all, which is
// different from knowing nothing. Nodes are taken in reverse post-order (backward: post-order) and again only
// when something that flows into them changed.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/flow.hpp"

namespace rgtrans::analysis {

// Forward. The problem has
//   using Domain;
//   Domain entry();                                                   knowledge before `begin`
//   std::optional<Domain> transfer(const FlowEdge&, const Domain&);   nothing when the edge can never be taken
//   bool join(Domain& into, const Domain& from, std::uint32_t at);    true when `into` changed
template <class Problem>
std::vector<std::optional<typename Problem::Domain>> solve_forward(const Flow& flow, Problem& problem) {
  using Domain = typename Problem::Domain;
  std::vector<std::optional<Domain>> values(flow.size());
  std::vector<char> dirty(flow.size(), 0);
  values[0] = problem.entry();
  dirty[0] = 1;
  std::size_t pending = 1;
  while (pending > 0) {
    for (std::uint32_t i = 0; i < flow.size() && pending > 0; ++i) {
      if (!dirty[i]) continue;
      dirty[i] = 0;
      --pending;
      for (const FlowEdge& edge : flow.out(i)) {
        std::optional<Domain> out = problem.transfer(edge, *values[i]);
        if (!out) continue;
        std::optional<Domain>& target = values[edge.to];
        bool changed = true;
        if (target) {
          changed = problem.join(*target, *out, edge.to);
        } else {
          target = std::move(out);
        }
        if (changed && !dirty[edge.to]) {
          dirty[edge.to] = 1;
          ++pending;
        }
      }
    }
  }
  return values;
}

// Backward. The problem has
//   using Domain;
//   Domain boundary(std::uint32_t at);                                           what holds at the node itself
//   void transfer(const FlowEdge&, const Domain& after, Domain& before);         adds what flows back over the edge
template <class Problem>
std::vector<typename Problem::Domain> solve_backward(const Flow& flow, Problem& problem) {
  using Domain = typename Problem::Domain;
  std::vector<Domain> values;
  values.reserve(flow.size());
  for (std::uint32_t i = 0; i < flow.size(); ++i) values.push_back(problem.boundary(i));
  std::vector<char> dirty(flow.size(), 1);
  std::size_t pending = flow.size();
  while (pending > 0) {
    for (std::uint32_t i = static_cast<std::uint32_t>(flow.size()); i-- > 0;) {
      if (!dirty[i]) continue;
      dirty[i] = 0;
      --pending;
      Domain before = values[i];
      for (const FlowEdge& edge : flow.out(i)) problem.transfer(edge, values[edge.to], before);
      if (before == values[i]) continue;
      values[i] = std::move(before);
      for (const std::uint32_t in : flow.in(i)) {
        const std::uint32_t from = flow.edges()[in].from;
        if (dirty[from]) continue;
        dirty[from] = 1;
        ++pending;
      }
    }
  }
  return values;
}

}  // namespace rgtrans::analysis
