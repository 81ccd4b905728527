// Data-flow solvers. A problem defines its Domain. A node that no state reaches has no value at all, which differs from
// a value without information. The solver visits nodes in reverse post-order (backward: post-order) and revisits a node
// only after an input of it has changed.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <vector>

#include "core/analysis/flow.hpp"
#include "core/analysis/worklist.hpp"

namespace rgtrans::analysis {

// join() merges the value from one more edge. Values only grow, so the solver terminates.
template <class Problem>
concept Lattice = requires(Problem& problem, typename Problem::Domain& into, const typename Problem::Domain& from) {
  { problem.join(into, from, std::uint32_t{}) } -> std::same_as<bool>;
};

// Forward solver. The problem has
//   using Domain;
//   Domain entry();                                                   the value before `begin`
//   std::optional<Domain> transfer(const FlowEdge&, const Domain&);   none if the edge can never be taken
//   bool join(Domain& into, const Domain& from, std::uint32_t at);    true if `into` changed
template <Lattice Problem>
std::vector<std::optional<typename Problem::Domain>> solve_forward(const Flow& flow, Problem& problem) {
  using Domain = typename Problem::Domain;
  std::vector<std::optional<Domain>> values(flow.size());
  values[0] = problem.entry();
  const Order order = flow.order();
  Worklist work(order);
  work.queue(0);
  work.run([&](std::uint32_t i) {
    for (const FlowEdge& edge : flow.out(i)) {
      std::optional<Domain> out = problem.transfer(edge, *values[i]);
      if (!out) continue;
      std::optional<Domain>& target = values[edge.to];
      if (!target) {
        target = std::move(out);
      } else if (!problem.join(*target, *out, edge.to)) {
        continue;
      }
      work.queue(edge.to);
    }
    return true;
  });
  return values;
}

// Backward solver. The problem has
//   using Domain;
//   Domain boundary(std::uint32_t at);                                           the value at the node itself
//   void transfer(const FlowEdge&, const Domain& after, Domain& before);         merges the value before the edge
template <class Problem>
std::vector<typename Problem::Domain> solve_backward(const Flow& flow, Problem& problem) {
  using Domain = typename Problem::Domain;
  std::vector<Domain> values;
  values.reserve(flow.size());
  for (std::uint32_t i = 0; i < flow.size(); ++i) values.push_back(problem.boundary(i));
  const Order order = flow.order(/*backward=*/true);
  Worklist work(order, /*all=*/true);
  work.run([&](std::uint32_t i) {
    Domain before = values[i];
    for (const FlowEdge& edge : flow.out(i)) problem.transfer(edge, values[edge.to], before);
    if (before == values[i]) return true;
    values[i] = std::move(before);
    for (const std::uint32_t in : flow.in(i)) work.queue(flow.edges()[in].from);
    return true;
  });
  return values;
}

}  // namespace rgtrans::analysis
