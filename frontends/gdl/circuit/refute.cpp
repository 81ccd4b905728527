#include "frontends/gdl/circuit/refute.hpp"

#include <algorithm>
#include <bit>

#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

using Kind = Circuit::Kind;

}  // namespace

bool CircuitRefuter::impossible(std::vector<Wire> wires, int depth) {
  std::vector<Wire> choice;
  switch (propagate(wires, choice)) {
    case Outcome::impossible:
      return true;
    case Outcome::stuck:
      return false;
    case Outcome::more:
      break;
  }
  if (depth == 0) return false;
  return std::ranges::all_of(choice, [&](Wire alternative) {
    std::vector<Wire> with = wires;
    with.push_back(alternative);
    return impossible(std::move(with), depth - 1);
  });
}

// Sorting them is most of the work.
bool CircuitRefuter::normalise(std::vector<Wire>& wires) {
  effort_.spend(wires.size() * std::bit_width(wires.size()));
  return c_.circuit.normalise(wires);
}

// Replaces conjunctions by their inputs and adds the legality of each fixed move. False if this is contradictory.
bool CircuitRefuter::expand(std::vector<Wire>& wires) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < wires.size(); ++i) {
      const std::uint32_t n = node_of(wires[i]);
      if (is_inverted(wires[i]) || c_.circuit.kind(n) != Kind::conjunction) continue;
      const auto inputs = c_.circuit.inputs(n);
      wires[i] = kAlways;
      wires.insert(wires.end(), inputs.begin(), inputs.end());
      changed = true;
    }
    if (!normalise(wires)) return false;
    const std::size_t size = wires.size();
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t n = node_of(wires[i]);
      if (is_inverted(wires[i]) || !c_.circuit.is_leaf(wires[i]) || !c_.is_move_variable(c_.circuit.variable(n)))
        continue;
      const auto values = c_.circuit.values(n);
      if (values.size() != 1) continue;
      const Wire legal = c_.legal[c_.role_moves[c_.circuit.variable(n) - c_.first_role][values[0]]];
      if (value_under(legal, wires, 3) == Truth::yes) continue;
      wires.push_back(legal);
      changed = true;
    }
    if (effort_.ended()) return true;
    if (changed && !normalise(wires)) return false;
    changed = changed && std::ranges::any_of(wires, [&](Wire w) {
                return !is_inverted(w) && c_.circuit.kind(node_of(w)) == Kind::conjunction;
              });
  }
  return true;
}

Truth CircuitRefuter::leaf_value_under(Wire wire, const std::vector<Wire>& wires) {
  const std::uint32_t variable = c_.circuit.variable(node_of(wire));
  for (const Wire w : wires) {
    if (!c_.circuit.is_leaf(w) || c_.circuit.variable(node_of(w)) != variable) continue;
    if (w == wire) return Truth::yes;
    if (w == invert(wire)) return Truth::no;
    const auto mine = c_.circuit.values(node_of(wire));
    const auto known = c_.circuit.values(node_of(w));
    if (!is_inverted(w)) {
      const auto holding = std::ranges::count_if(known, [&](std::uint32_t v) { return c_.circuit.allows(wire, v); });
      if (holding == 0) return Truth::no;
      return static_cast<std::size_t>(holding) == known.size() ? Truth::yes : Truth::unknown;
    }
    if (std::ranges::any_of(mine, [&](std::uint32_t v) { return c_.circuit.allows(w, v); })) return Truth::unknown;
    return is_inverted(wire) ? Truth::yes : Truth::no;
  }
  return Truth::unknown;
}

Truth CircuitRefuter::value_under(Wire wire, const std::vector<Wire>& wires, int depth) {
  if (is_fixed(wire)) return wire == kAlways ? Truth::yes : Truth::no;
  if (!effort_.spend(wires.size())) return Truth::unknown;
  if (c_.circuit.is_leaf(wire)) return leaf_value_under(wire, wires);
  for (const Wire w : wires) {
    if (w == wire) return Truth::yes;
    if (w == invert(wire)) return Truth::no;
  }
  if (depth == 0 || c_.circuit.kind(node_of(wire)) != Kind::conjunction) return Truth::unknown;
  const auto inputs = c_.circuit.inputs(node_of(wire));
  if (inputs.size() > kCircuitLimits.refuted_alternatives) return Truth::unknown;
  Truth all = Truth::yes;
  for (const Wire w : inputs) {
    const Truth one = value_under(w, wires, depth - 1);
    if (one == Truth::no) return is_inverted(wire) ? Truth::yes : Truth::no;
    if (one == Truth::unknown) all = Truth::unknown;
  }
  return is_inverted(wire) ? !all : all;
}

CircuitRefuter::Outcome CircuitRefuter::propagate(std::vector<Wire>& wires, std::vector<Wire>& choice) {
  for (;;) {
    if (!expand(wires)) return Outcome::impossible;
    if (effort_.ended()) return Outcome::stuck;
    choice.clear();
    bool changed = false;
    for (const Wire wire : std::vector<Wire>(wires)) {
      if (!is_inverted(wire) || c_.circuit.kind(node_of(wire)) != Kind::conjunction) continue;
      const auto inputs = c_.circuit.inputs(node_of(wire));
      if (inputs.size() > kCircuitLimits.refuted_alternatives) continue;
      if (effort_.ended()) return Outcome::stuck;
      std::vector<Wire> alive;
      bool satisfied = false;
      for (const Wire input : inputs) {
        const Truth holds = value_under(invert(input), wires, 2);
        satisfied = satisfied || holds == Truth::yes;
        if (holds == Truth::unknown) alive.push_back(invert(input));
      }
      if (satisfied) continue;
      if (alive.empty()) return Outcome::impossible;
      if (alive.size() == 1) {
        wires.push_back(alive[0]);
        changed = true;
        break;
      }
      if (choice.empty() || alive.size() < choice.size()) choice = std::move(alive);
    }
    if (!changed) return choice.empty() ? Outcome::stuck : Outcome::more;
  }
}

}  // namespace rgtrans::gdl
