#include "frontends/gdl/circuit/conditions.hpp"

#include <algorithm>
#include <numeric>

#include "core/analysis/analysis.hpp"
#include "frontends/gdl/circuit/alternatives.hpp"
#include "frontends/gdl/circuit/lookups.hpp"
#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

class Builder {
 public:
  Builder(const GroundProgram& program, std::span<const DerivedGroups> relations, Conditions& conditions)
      : p_(program), relations_(relations), c_(conditions), finder_(c_.circuit), taken_(relations.size(), true) {}

  void run(Conditions::Scope scope) {
    find_units();
    wanted_.assign(p_.derived_count(), false);
    for (const GroundLiteral l : p_.next) want(l);
    for (const GroundLiteral l : p_.legal) want(l);
    want(p_.terminal);
    if (scope == Conditions::Scope::everything) {
      for (const auto& goal : p_.goals) want(goal.when);
      for (const auto& sees : p_.sees) want(sees.when);
    }
    while (!open_.empty()) {
      const std::uint32_t d = open_.back();
      open_.pop_back();
      for_each_literal(d, [&](GroundLiteral l) { want(l); });
    }
    for (const auto& units : sound_components()) {
      const auto& [relation, atoms] = class_of_[units[0]];
      if (atoms != nullptr) {
        class_wires(relation, *atoms);
      } else if (units.size() == 1) {
        wire_of(units[0]) = factor(c_.circuit, bodies_of(units[0]));
      } else {
        cycle(units);
      }
    }
  }

 private:
  Wire& wire_of(std::uint32_t d) { return c_.atoms[p_.derived_begin() + d]; }
  void want(GroundLiteral l) {
    if (is_constant(l) || atom_of(l) < p_.derived_begin()) return;
    const std::uint32_t d = atom_of(l) - p_.derived_begin();
    const auto add = [&](std::uint32_t atom) {
      if (!wanted_[atom]) open_.push_back(atom);
      wanted_[atom] = true;
    };
    if (const auto* atoms = class_of_[unit_of_[d]].second; atoms != nullptr) {
      std::ranges::for_each(*atoms, add);
    } else {
      add(d);
    }
  }
  void for_each_literal(std::uint32_t d, const auto& use) const {
    for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b)
      for (const GroundLiteral l : p_.body(b)) use(l);
  }

  // Every derived atom is a unit; the atoms of a class form one unit.
  void find_units() {
    unit_of_.resize(p_.derived_count());
    std::iota(unit_of_.begin(), unit_of_.end(), 0);
    class_of_.assign(p_.derived_count(), {0, nullptr});
    for (std::uint32_t r = 0; r < relations_.size(); ++r) {
      if (!taken_[r]) continue;
      for (const auto& atoms : relations_[r].classes) {
        for (const std::uint32_t d : atoms) unit_of_[d] = atoms[0];
        class_of_[atoms[0]] = {r, &atoms};
      }
    }
  }

  // The strong components. Gives up classes that are recursive.
  std::vector<std::vector<std::uint32_t>> sound_components() {
    for (;; find_units()) {
      std::vector<std::vector<std::uint32_t>> result = components();
      bool sound = true;
      for (const auto& units : result) {
        for (const std::uint32_t u : units) {
          const auto& [relation, atoms] = class_of_[u];
          if (atoms == nullptr || (units.size() == 1 && !depends_on_itself(*atoms))) continue;
          taken_[relation] = sound = false;
        }
      }
      if (sound) return result;
    }
  }

  [[nodiscard]] bool depends_on_itself(const std::vector<std::uint32_t>& atoms) const {
    bool inside = false;
    for (const std::uint32_t d : atoms) {
      for_each_literal(d, [&](GroundLiteral l) {
        inside = inside || (!is_constant(l) && atom_of(l) >= p_.derived_begin() &&
                            unit_of_[atom_of(l) - p_.derived_begin()] == atoms[0]);
      });
    }
    return inside;
  }

  // The units of each component; components follow those on which they depend.
  std::vector<std::vector<std::uint32_t>> components() const {
    const std::uint32_t count = p_.derived_count();
    Arcs edges;
    for (std::uint32_t d = 0; d < count; ++d) {
      if (!wanted_[d]) continue;
      for_each_literal(d, [&](GroundLiteral l) {
        if (!is_constant(l) && atom_of(l) >= p_.derived_begin())
          edges.emplace_back(unit_of_[d], unit_of_[atom_of(l) - p_.derived_begin()]);
      });
    }
    const auto [component, components] = strong_components(count, edges);
    std::vector<std::vector<std::uint32_t>> result(components);
    for (std::uint32_t d = 0; d < count; ++d)
      if (wanted_[d] && unit_of_[d] == d) result[component[d]].push_back(d);
    std::erase_if(result, [](const auto& units) { return units.empty(); });
    return result;
  }

  [[nodiscard]] std::vector<std::vector<Wire>> bodies_of(std::uint32_t d) const {
    std::vector<std::vector<Wire>> bodies;
    for (std::uint32_t b = p_.first_body[d]; b < p_.first_body[d + 1]; ++b) {
      std::vector<Wire> body;
      for (const GroundLiteral l : p_.body(b)) body.push_back(c_.wire(l));
      bodies.push_back(std::move(body));
    }
    return bodies;
  }

  void cycle(const std::vector<std::uint32_t>& atoms) {
    Conditions::Cycle cycle;
    for (const std::uint32_t d : atoms) {
      wire_of(d) = c_.circuit.recursive();
      cycle.nodes.push_back(node_of(wire_of(d)));
      c_.recursive_nodes.push_back(cycle.nodes.back());
      c_.cycle_of.emplace_back(c_.cycles.size(), cycle.nodes.size() - 1);
    }
    for (const std::uint32_t d : atoms) {
      auto& bodies = cycle.bodies.emplace_back();
      for (auto& body : bodies_of(d)) {
        if (!c_.circuit.normalise(body)) continue;
        const auto inside =
            std::ranges::count_if(body, [&](Wire w) { return std::ranges::binary_search(cycle.nodes, node_of(w)); });
        if (inside > 1) cycle.linear = false;
        bodies.push_back(std::move(body));
      }
    }
    c_.cycles.push_back(std::move(cycle));
  }

  // Creates a variable for the atoms of a class, if no two of them hold in one state and lookups compute its value.
  // Dependencies come first, so this is an induction over the order of the classes.
  void class_wires(std::uint32_t relation, const std::vector<std::uint32_t>& atoms) {
    std::vector<Wire> values;
    std::size_t bodies = 0;
    std::uint64_t effort = kCircuitLimits.derived;
    for (const std::uint32_t d : atoms) {
      values.push_back(factor(c_.circuit, bodies_of(d)));
      bodies += p_.first_body[d + 1] - p_.first_body[d];
      for_each_literal(d, [&](GroundLiteral) { effort += kCircuitLimits.derived_literal; });
    }
    Effort separating("proofs that derived atoms exclude each other", effort, limits::effort);
    CircuitRefuter refuter(c_, separating);
    taken_[relation] =
        taken_[relation] && is_plain(values) && Separation(c_, refuter, separating).exclusive(values, {});
    if (taken_[relation]) {
      const std::uint32_t variable = c_.circuit.add_variable(static_cast<std::uint32_t>(atoms.size()) + 1);
      if (auto lookups = finder_.find_all(variable, values); lookups && worth_it(*lookups, bodies)) {
        for (std::uint32_t i = 0; i < atoms.size(); ++i) wire_of(atoms[i]) = c_.circuit.leaf(variable, {i});
        c_.computed.push_back({relation, relations_[relation].key, atoms, std::move(*lookups), wire_of(atoms[0])});
        return;
      }
      c_.circuit.drop_variable();
      taken_[relation] = false;
    }
    for (std::uint32_t i = 0; i < atoms.size(); ++i) wire_of(atoms[i]) = values[i];
  }

  // The alternatives contain few gates besides leaves, so separating them, which compares every condition with every
  // alternative, stays cheap.
  [[nodiscard]] bool is_plain(const std::vector<Wire>& wires) const {
    const Alternatives all = alternatives_of(c_.circuit, wires);
    std::size_t gates = 0;
    for (const Alternative& alternative : all)
      gates += static_cast<std::size_t>(
          std::ranges::count_if(alternative.conditions, [&](Wire w) { return !c_.circuit.is_leaf(w); }));
    return gates * all.size() <= kCircuitLimits.comparisons;
  }

  [[nodiscard]] static bool worth_it(const Lookups& lookups, std::size_t bodies) {
    return lookups.size() <= kFormCosts.few_lookups || lookups.size() * kFormCosts.replaced_bodies <= bodies;
  }

  const GroundProgram& p_;
  std::span<const DerivedGroups> relations_;
  Conditions& c_;
  LookupFinder finder_;
  std::vector<bool> taken_;             // per relation: its classes become variables
  std::vector<std::uint32_t> unit_of_;  // per derived atom
  std::vector<std::pair<std::uint32_t, const std::vector<std::uint32_t>*>> class_of_;  // per unit: relation and atoms
  std::vector<bool> wanted_;                                                           // per derived atom
  std::vector<std::uint32_t> open_;
};

}  // namespace

Conditions::Conditions(const GroundProgram& program, const std::vector<FactGroup>& groups, Scope scope,
                       std::span<const DerivedGroups> relations) {
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
  first_computed = circuit.variables();
  for (std::uint32_t m = 0; m < program.moves.size(); ++m)
    atoms[program.move_begin() + m] = circuit.leaf(first_role + program.moves[m].role, {move_value[m]});

  Builder(program, relations, *this).run(scope);
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
  // A recursive node reads the move if one of its bodies does. Bodies have higher numbers than the node, so iterate.
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
