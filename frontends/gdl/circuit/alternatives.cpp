#include "frontends/gdl/circuit/alternatives.hpp"

#include <algorithm>
#include <map>

#include "frontends/gdl/cost_model.hpp"
#include "frontends/gdl/limits.hpp"

namespace rgtrans::gdl {

namespace {

using Kind = Circuit::Kind;

bool is_conjunction(const Circuit& circuit, Wire wire) { return circuit.kind(node_of(wire)) == Kind::conjunction; }

// The conjuncts of a wire.
std::vector<Wire> conditions_of(const Circuit& circuit, Wire wire) {
  if (wire == kAlways) return {};
  if (is_inverted(wire) || !is_conjunction(circuit, wire)) return {wire};
  const auto inputs = circuit.inputs(node_of(wire));
  return {inputs.begin(), inputs.end()};
}

// The conditions syntactically entail the wire.
bool implied(const Circuit& circuit, const std::vector<Wire>& conditions, Wire wire) {
  if (std::ranges::find(conditions, wire) != conditions.end()) return true;
  if (is_inverted(wire) || !is_conjunction(circuit, wire)) return false;
  return std::ranges::all_of(circuit.inputs(node_of(wire)), [&](Wire w) { return implied(circuit, conditions, w); });
}

std::uint64_t size_of(const Alternatives& list) {
  std::uint64_t size = list.size();
  for (const Alternative& alternative : list) size += alternative.conditions.size();
  return size;
}

bool one_owner(const Alternatives& list) {
  return std::ranges::all_of(list, [&](const Alternative& a) { return a.owner == list[0].owner; });
}

}  // namespace

Alternatives alternatives_of(const Circuit& circuit, std::span<const Wire> wires) {
  Alternatives list;
  for (std::uint32_t i = 0; i < wires.size(); ++i) {
    if (wires[i] == kNever) continue;
    if (is_inverted(wires[i]) && is_conjunction(circuit, wires[i])) {
      for (const Wire w : circuit.inputs(node_of(wires[i]))) list.push_back({i, conditions_of(circuit, invert(w))});
    } else {
      list.push_back({i, conditions_of(circuit, wires[i])});
    }
  }
  return list;
}

Alternatives given(Circuit& circuit, const Alternatives& alternatives, Wire known) {
  Alternatives left;
  const bool leaf = circuit.is_leaf(known);
  const std::vector<Wire> facts = conditions_of(circuit, known);
  for (const Alternative& alternative : alternatives) {
    if (implied(circuit, alternative.conditions, invert(known))) continue;
    std::vector<Wire> conditions;
    for (const Wire w : alternative.conditions) {
      const bool holds =
          w == known || std::ranges::find(facts, w) != facts.end() ||
          (is_inverted(w) && is_conjunction(circuit, w) &&
           std::ranges::find(circuit.inputs(node_of(w)), invert(known)) != circuit.inputs(node_of(w)).end());
      if (!holds) conditions.push_back(w);
    }
    if (leaf) conditions.push_back(known);
    if (!circuit.normalise(conditions)) continue;
    if (leaf) std::erase(conditions, known);
    left.push_back({alternative.owner, std::move(conditions)});
  }
  return left;
}

std::uint32_t contested(const Circuit& circuit, const Alternatives& list, bool leaves) {
  struct Sides {
    std::size_t need = 0, exclude = 0;
  };
  std::map<std::uint32_t, Sides> sides;
  for (const Alternative& alternative : list) {
    for (const Wire w : alternative.conditions) {
      if (leaves || !circuit.is_leaf(w)) ++(is_inverted(w) ? sides[node_of(w)].exclude : sides[node_of(w)].need);
    }
  }
  // Short conjunctions are spliced into their users, so their uses are counted by their inputs.
  for (auto& [node, side] : sides) {
    if (side.exclude == 0 || circuit.kind(node) != Kind::conjunction ||
        circuit.inputs(node).size() > kFormCosts.short_conjunction)
      continue;
    side.need = static_cast<std::size_t>(std::ranges::count_if(
        list, [&, n = node](const Alternative& a) { return implied(circuit, a.conditions, 2 * n); }));
  }
  std::uint32_t best = 0;
  std::pair<std::size_t, std::size_t> most;
  for (const auto& [node, side] : sides) {
    const std::pair count(std::min(side.need, side.exclude), side.need + side.exclude);
    const bool gate = circuit.kind(node) != Kind::leaf;
    if ((gate && count.first == 0) || count.second < 2) continue;
    if (count > most || (count == most && gate)) {
      best = node;
      most = count;
    }
  }
  return best;
}

std::optional<Alternatives> opened(Circuit& circuit, const Alternatives& list, const std::vector<Wire>& known,
                                   std::uint64_t enough) {
  const auto gate = [&](Wire w) { return is_conjunction(circuit, w); };
  const auto first =
      std::ranges::find_if(list, [&](const Alternative& a) { return std::ranges::any_of(a.conditions, gate); });
  if (first == list.end()) return std::nullopt;
  const Wire wire = *std::ranges::find_if(first->conditions, gate);
  std::vector<Wire> facts = known;
  std::erase_if(facts, [&](Wire w) { return !circuit.is_leaf(w); });
  const Alternatives parts = alternatives_of(circuit, std::span(&wire, 1));
  Alternatives more;
  std::uint64_t size = 0;
  for (const Alternative& alternative : list) {
    if (std::ranges::find(alternative.conditions, wire) == alternative.conditions.end()) {
      more.push_back(alternative);
      size += alternative.conditions.size();
      continue;
    }
    for (const Alternative& part : parts) {
      if (size > enough) return more;
      std::vector<Wire> whole = alternative.conditions;
      std::erase(whole, wire);
      whole.insert(whole.end(), part.conditions.begin(), part.conditions.end());
      whole.insert(whole.end(), facts.begin(), facts.end());
      if (!circuit.normalise(whole)) continue;
      std::erase_if(whole, [&](Wire w) { return std::ranges::find(facts, w) != facts.end(); });
      size += whole.size();
      more.push_back({alternative.owner, std::move(whole)});
    }
  }
  return more;
}

bool Separation::exclusive(std::span<const Wire> wires, const std::vector<Wire>& known) {
  return apart_under(alternatives_of(c_.circuit, wires), known, kAlways, kCircuitLimits.alternatives_depth);
}

// Assumes one more wire.
bool Separation::apart_under(const Alternatives& list, std::vector<Wire> known, Wire more, int depth) {
  if (list.empty() || one_owner(list)) return true;
  known.push_back(more);
  return !c_.circuit.normalise(known) || apart(list, known, depth);
}

bool Separation::apart(const Alternatives& list, const std::vector<Wire>& known, int depth) {
  if (depth == 0 || !effort_.spend(size_of(list))) return false;
  if (list.size() * (list.size() - 1) / 2 <= kFormCosts.direct_pairs) return one_by_one(list, known);

  std::map<std::uint32_t, std::size_t> mentions;  // per variable
  for (const Alternative& alternative : list) {
    for (const Wire w : alternative.conditions)
      if (c_.circuit.is_leaf(w)) ++mentions[c_.circuit.variable(node_of(w))];
  }
  std::vector<std::pair<std::size_t, std::uint32_t>> variables;
  for (const auto& [variable, count] : mentions)
    if (count > 1) variables.emplace_back(count, variable);
  std::ranges::sort(variables, std::greater<>());
  if (variables.size() > kFormCosts.partition_variables) variables.resize(kFormCosts.partition_variables);
  for (const auto& [count, variable] : variables) {
    const std::vector<Part> parts = by_value(list, variable, known);
    if (parts.empty()) continue;
    return std::ranges::all_of(parts,
                               [&](const Part& part) { return apart_under(part.list, known, part.known, depth - 1); });
  }
  if (const std::uint32_t node = contested(c_.circuit, list, false); node != 0) {
    const auto holds = [&](Wire wire) {
      const Alternatives left = given(c_.circuit, list, wire);
      return left.size() < list.size() && apart_under(left, known, wire, depth - 1);
    };
    return holds(2 * node) && holds(2 * node + 1);
  }
  const auto more = opened(c_.circuit, list, known, effort_.left());
  if (!more) return one_by_one(list, known);
  // An incomplete list proves nothing: spends its size, which fails and ends the effort.
  if (const std::uint64_t size = size_of(*more); size > effort_.left()) return effort_.spend(size);
  return apart_under(*more, known, kAlways, depth - 1);
}

bool Separation::one_by_one(const Alternatives& list, const std::vector<Wire>& known) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (list[i].owner == list[k].owner) continue;
      if (++pairs > kCircuitLimits.compared_pairs) return false;
      std::vector<Wire> wires = known;
      wires.insert(wires.end(), list[i].conditions.begin(), list[i].conditions.end());
      wires.insert(wires.end(), list[k].conditions.begin(), list[k].conditions.end());
      if (!refuter_.impossible(std::move(wires), kCircuitLimits.refuting_depth)) return false;
    }
  }
  return true;
}

// Partitions the alternatives by the values of a variable; values with the same consistent alternatives form one part.
// Empty if some value excludes no alternative.
std::vector<Separation::Part> Separation::by_value(const Alternatives& list, std::uint32_t variable,
                                                   const std::vector<Wire>& known) {
  const Circuit& circuit = c_.circuit;
  const auto speaks = [&](Wire w) { return circuit.is_leaf(w) && circuit.variable(node_of(w)) == variable; };
  const std::uint32_t domain = circuit.domain(variable);
  std::vector<std::vector<std::uint32_t>> left(domain);
  std::vector<bool> possible(domain, true);
  for (const Wire w : known) {
    for (std::uint32_t v = 0; speaks(w) && v < domain; ++v) possible[v] = possible[v] && circuit.allows(w, v);
  }
  std::uint64_t work = domain;
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    const auto& conditions = list[i].conditions;
    const auto leaf = std::ranges::find_if(conditions, speaks);
    const auto allow = [&](std::uint32_t v) {
      if (possible[v] && std::ranges::all_of(conditions, [&](Wire w) { return !speaks(w) || circuit.allows(w, v); }))
        left[v].push_back(i);
    };
    if (leaf != conditions.end() && !is_inverted(*leaf)) {
      for (const std::uint32_t v : circuit.values(node_of(*leaf))) allow(v);
    } else {
      work += domain;
      for (std::uint32_t v = 0; v < domain; ++v) allow(v);
    }
  }
  if (!effort_.spend(work)) return {};
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> values_of;
  for (std::uint32_t v = 0; v < domain; ++v) {
    if (left[v].size() == list.size()) return {};
    if (left[v].size() > 1) values_of[std::move(left[v])].push_back(v);
  }
  std::vector<Part> parts;
  for (const auto& [indices, values] : values_of) {
    parts.push_back({c_.circuit.leaf(variable, values), {}});
    Part& part = parts.back();
    for (const std::uint32_t i : indices) {
      part.list.push_back(list[i]);
      std::erase_if(part.list.back().conditions, speaks);
    }
  }
  if (parts.empty()) parts.push_back({kAlways, {}});  // each value leaves one alternative at most
  return parts;
}

}  // namespace rgtrans::gdl
