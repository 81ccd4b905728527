#include "frontends/gdl/conditions.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

namespace rgtrans::gdl {

namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;

// Derived atoms by component, each component after those that it depends on.
std::vector<std::vector<std::uint32_t>> components_of(const GroundProgram& program) {
  const std::uint32_t count = program.derived_count();
  if (count == 0) return {};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t d = 0; d < count; ++d) {
    for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b)
      for (const GroundLiteral l : program.body(b))
        if (!is_constant(l) && atom_of(l) >= program.derived_begin())
          edges.emplace_back(d, atom_of(l) - program.derived_begin());
  }
  const Graph graph(boost::edges_are_sorted, edges.begin(), edges.end(), count);
  std::vector<std::uint32_t> component(count);
  const std::uint32_t components = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::vector<std::uint32_t>> result(components);
  for (std::uint32_t d = 0; d < count; ++d) result[component[d]].push_back(d);
  return result;
}

}  // namespace

Conditions::Conditions(const GroundProgram& program, const std::vector<FactGroup>& groups) {
  atoms.assign(program.atom_count(), kNever);
  fact_value.resize(program.facts.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const auto size = static_cast<std::uint32_t>(groups[g].facts.size());
    circuit.add_variable(groups[g].exact ? size : size + 1);
    for (std::uint32_t i = 0; i < size; ++i) {
      fact_value[groups[g].facts[i]] = {g, i};
      atoms[groups[g].facts[i]] = circuit.leaf(g, {i});
    }
  }
  first_role = circuit.variables();
  role_moves.resize(program.roles.size());
  for (std::uint32_t m = 0; m < program.moves.size(); ++m) {
    auto& list = role_moves[program.moves[m].role];
    move_value.push_back(static_cast<std::uint32_t>(list.size()));
    list.push_back(m);
  }
  for (const auto& list : role_moves) circuit.add_variable(static_cast<std::uint32_t>(list.size()));
  for (std::uint32_t m = 0; m < program.moves.size(); ++m)
    atoms[program.move_begin() + m] = circuit.leaf(first_role + program.moves[m].role, {move_value[m]});

  const auto bodies_of = [&](std::uint32_t d) {
    std::vector<std::vector<Wire>> bodies;
    for (std::uint32_t b = program.first_body[d]; b < program.first_body[d + 1]; ++b) {
      std::vector<Wire> body;
      for (const GroundLiteral l : program.body(b)) body.push_back(wire(l));
      bodies.push_back(std::move(body));
    }
    return bodies;
  };
  for (const auto& component : components_of(program)) {
    if (component.size() == 1) {
      atoms[program.derived_begin() + component[0]] = factor(circuit, bodies_of(component[0]));
      continue;
    }
    Cycle cycle;
    for (const std::uint32_t d : component) {
      atoms[program.derived_begin() + d] = circuit.recursive();
      cycle.nodes.push_back(node_of(atoms[program.derived_begin() + d]));
      recursive_nodes.push_back(cycle.nodes.back());
      cycle_of.emplace_back(cycles.size(), cycle.nodes.size() - 1);
    }
    for (const std::uint32_t d : component) {
      auto& bodies = cycle.bodies.emplace_back();
      for (auto& body : bodies_of(d)) {
        if (!circuit.normalise(body)) continue;
        const auto inside =
            std::ranges::count_if(body, [&](Wire w) { return std::ranges::binary_search(cycle.nodes, node_of(w)); });
        if (inside > 1) cycle.linear = false;
        bodies.push_back(std::move(body));
      }
    }
    cycles.push_back(std::move(cycle));
  }
  for (const GroundLiteral l : program.next) next.push_back(wire(l));
  for (const GroundLiteral l : program.legal) legal.push_back(wire(l));
  terminal = wire(program.terminal);
}

const Conditions::Cycle& Conditions::cycle(std::uint32_t node) const {
  const auto at = std::ranges::lower_bound(recursive_nodes, node) - recursive_nodes.begin();
  return cycles[cycle_of[static_cast<std::size_t>(at)].first];
}

std::uint32_t Conditions::position(std::uint32_t node) const {
  const auto at = std::ranges::lower_bound(recursive_nodes, node) - recursive_nodes.begin();
  return cycle_of[static_cast<std::size_t>(at)].second;
}

std::vector<bool> Conditions::reads_move() const {
  std::vector<bool> reads(circuit.size());
  // What a cycle reads is known when its last body is; bodies lie behind the nodes, so cycles are looked at again.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t n = 0; n < circuit.size(); ++n) {
      if (reads[n]) continue;
      switch (circuit.kind(n)) {
        case Circuit::Kind::constant:
          break;
        case Circuit::Kind::leaf:
          reads[n] = is_move_variable(circuit.variable(n));
          break;
        case Circuit::Kind::conjunction:
          reads[n] = std::ranges::any_of(circuit.inputs(n), [&](Wire w) { return reads[node_of(w)]; });
          break;
        case Circuit::Kind::recursive:
          reads[n] = std::ranges::any_of(cycle(n).bodies, [&](const auto& bodies) {
            return std::ranges::any_of(bodies, [&](const auto& body) {
              return std::ranges::any_of(body, [&](Wire w) { return reads[node_of(w)]; });
            });
          });
          changed = changed || reads[n];
          break;
      }
    }
  }
  return reads;
}

}  // namespace rgtrans::gdl
